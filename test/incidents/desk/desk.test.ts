import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { localTime } from '../../../src/demo/directory.js'
import type { Severity } from '../../../src/vocabulary/severity.js'
import { useHouse } from '../../support/house/house.js'
import { count, insertRow } from '../../support/rows.js'

const house = useHouse()
const { office } = house
const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

beforeAll(house.emptyDesk)

describe('the desk', () => {
  it('has nothing for nobody to do', async () => {
    const page = await house.page('manager', '/admin?tab=new')
    expect(page('h1').text()).toBe('Desk')
    expect(page('.desk li').length).toBe(0)
  })

  it('lists the unanswered: critical first, then overdue, then by the time left', async () => {
    const low = await reportedBefore('low', 167)
    const high = await reportedBefore('high', 10)
    const fresh = await reportedBefore('critical', 1)
    const overdueHigh = await reportedBefore('high', 26)
    const overdueLow = await reportedBefore('low', 200)
    const late = await reportedBefore('critical', 5)
    const { tab, tabs, rows } = await house.json('board', '/api/admin')
    expect([tab, tabs[0]]).toEqual(['new', { tab: 'new', total: 6, more: false }])
    expect(rows.map(({ id }: { id: number }) => id)).toEqual([
      late,
      fresh,
      overdueLow,
      overdueHigh,
      low,
      high,
    ])
    const page = await house.page('board', '/admin')
    const dues = page('.due')
      .map((_, due) => page(due).text().trim())
      .get()
    expect(dues).toEqual([
      '1 hour overdue',
      'Due in 2 hours',
      '1 day overdue',
      '2 hours overdue',
      expect.stringMatching(/^Due in ((59|60) minutes|1 hour)$/),
      'Due in 13 hours',
    ])
  })

  it('acknowledges one by the button on its row, and only that one', async () => {
    const [first, second] = [await reportedBefore('high', 1), await reportedBefore('high', 2)]
    const answer = await house.submit('manager', '/admin/acknowledge', [
      ['ids', String(second)],
      ['only', String(first)],
    ])
    expect(answer.headers.get('location')).toBe('/admin?did=acknowledged&n=1')
    expect([await statusOf(first), await statusOf(second)]).toEqual(['acknowledged', 'open'])
    const { updates } = await house.json('guest', `/api/incidents/${first}`)
    expect(updates).toMatchObject([{ body: 'The office has seen this.', newStatus: 'acknowledged' }])
  })

  it('acknowledges all that are ticked, and says which were not open any more', async () => {
    const ids = [
      await reportedBefore('high', 1),
      await reportedBefore('low', 2),
      await reportedBefore('medium', 3),
    ]
    await office.resolves(ids[1]!)
    const entries = () => count(`audit_entries where action = 'incident.status_changed'`)
    const before = await entries()
    const result = await house.json('manager', '/api/admin/acknowledge', { json: { ids: [...ids, 999_999] } })
    expect(result).toEqual({
      done: [ids[0], ids[2]],
      skipped: [
        { id: ids[1], code: 'already_acknowledged' },
        { id: 999_999, code: 'not_found' },
      ],
    })
    expect(await entries()).toBe(before + 2)
  })

  it('acknowledges each once when two do it at the same moment', async () => {
    const ids = [
      await reportedBefore('high', 1),
      await reportedBefore('high', 1),
      await reportedBefore('high', 1),
    ]
    const results = await Promise.all(
      (['manager', 'board'] as const).map((who) =>
        house.json(who, '/api/admin/acknowledge', { json: { ids } }),
      ),
    )
    expect(results.flatMap(({ done }) => done).toSorted()).toEqual(ids)
    for (const id of ids) {
      const { updates } = await house.json('guest', `/api/incidents/${id}`)
      expect(updates).toHaveLength(1)
    }
  })

  it('gives untriaged email a place, several at once', async () => {
    const ids = [await reportedByEmail(), await reportedByEmail()]
    const placeless = async (): Promise<number[]> => {
      const { rows } = await house.json('manager', '/api/admin?tab=new')
      return rows
        .filter((row: { assetId: number | null; unitId: number | null }) => !row.assetId && !row.unitId)
        .map(({ id }: { id: number }) => id)
    }
    expect(await placeless()).toEqual(ids)
    const answer = await house.submit('manager', '/admin/place', [
      ...ids.map((id): [string, string] => ['ids', String(id)]),
      ['assetId', '2'],
      ['unitId', ''],
    ])
    expect(answer.status).toBe(303)
    expect(await placeless()).toEqual([])
    for (const id of ids) expect((await house.json('guest', `/api/incidents/${id}`)).assetId).toBe(2)
  })

  it.each([
    [{ assetId: 2 }, 'ids', 'Select at least one report'],
    [{ ids: [], assetId: 2 }, 'ids', 'Select at least one report'],
    [{ ids: ['x'], assetId: 2 }, 'ids', 'There’s no report with this number'],
    [{ ids: Array.from({ length: 101 }, (_, i) => i + 1), assetId: 2 }, 'ids', 'Select 100 reports or fewer'],
  ])('refuses %j', async (json, field, text) => {
    const answer = await house.ask('manager', '/api/admin/place', { json })
    expect(answer.status).toBe(422)
    expect((await answer.json()).errors[field]).toEqual([text])
  })

  it('refuses no place, two places and one that is not there, storing nothing', async () => {
    const id = await reportedByEmail()
    for (const place of [{}, { assetId: 1, unitId: 1 }, { assetId: 999_999 }])
      expect((await house.ask('manager', '/api/admin/place', { json: { ids: [id], ...place } })).status).toBe(
        422,
      )
    expect((await house.json('guest', `/api/incidents/${id}`)).assetId).toBeNull()
    const page = await house.page('manager', '/admin/place', { body: new URLSearchParams(), headers: ours })
    expect(page('.errors').text()).toContain('Select at least one report')
  })

  it('takes ids as numbers or as text, and nothing that only turns into one', async () => {
    const id = await reportedBefore('low', 4)
    const acknowledge = (ids: unknown[]) => house.ask('manager', '/api/admin/acknowledge', { json: { ids } })
    for (const ids of [[true], [[id]], [`${id}.0`], [null], ['']])
      expect((await acknowledge(ids)).status, JSON.stringify(ids)).toBe(422)
    expect(await statusOf(id)).toBe('open')
    expect(await (await acknowledge([String(id)])).json()).toMatchObject({ done: [id] })
  })

  it('shows what is resolved and not confirmed, with the confirmation on the row', async () => {
    const id = await reportedBefore('high', 3)
    await office.resolves(id)
    const page = await house.page('manager', '/admin?tab=toConfirm')
    const confirm = page(`#row-${id} a.act`)
    expect(confirm.attr('aria-label')).toBe(`Confirm fixed: INC-${id}`)
    expect(confirm.attr('href')).toMatch(`/admin/confirm/${id}?returnTo=`)
    const { rows } = await house.json('manager', '/api/admin?tab=toConfirm')
    expect(rows[0].id).toBe(id)
  })

  it('takes no report for another because the titles of both are hidden', async () => {
    const titles = ['Water in the pit', 'Buttons stick', 'Water in the pit']
    const ids: number[] = []
    for (const title of titles) ids.push(await house.report({ assetId: 5, title, severity: 'low' }))
    for (const id of ids) await office.hides(id)
    const { rows } = await house.json('manager', '/api/admin?tab=new')
    const repeats = ids.map((id) => rows.find((row: { id: number }) => row.id === id).mergeInto)
    expect(repeats).toEqual([null, null, ids[0]])
  })

  it('shows planned work that begins today, and what did not get through', async () => {
    const startsAt = new Date(localTime(Date.now(), -14, '23:00'))
    const endsAt = new Date(localTime(Date.now(), -13, '01:00'))
    const window = { assetId: 1, title: 'Desk window', startsAt, endsAt, recurrence: 'weekly' }
    await office.json('/api/admin/maintenance', { json: window })
    await insertRow('webhook_subscriptions', {
      url: 'https://gone.example/',
      secret: 's',
      events: [],
      last_status: 'failed: timeout',
      last_fired_at: new Date(),
    })
    const { startingToday, failed } = await house.json('manager', '/api/admin')
    expect(startingToday.map(({ title }: { title: string }) => title)).toContain('Desk window')
    expect(failed.receivers).toMatchObject([{ url: 'https://gone.example/', lastStatus: 'failed: timeout' }])
    const page = await house.page('manager', '/admin')
    expect(page('main').text()).toContain('https://gone.example/')
  })
})

/** A report that waits for so many hours already; returns its id. */
function reportedBefore(severity: Severity, hours: number): Promise<number> {
  const createdAt = new Date(Date.now() - hours * 3_600_000)
  return house.report({ assetId: 3, title: `Desk ${severity} ${hours}`, severity, createdAt })
}

/** A report by email, which names no place; returns its id. */
async function reportedByEmail(): Promise<number> {
  const email = { from: 'Ada <ada@x.example>', subject: `Smell ${randomUUID()}`, text: 'In the hall' }
  return (await house.emails(email)).incidentId
}

async function statusOf(id: number): Promise<string> {
  return (await office.json(`/api/incidents/${id}`)).status
}
