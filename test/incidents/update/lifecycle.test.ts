import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'
import { scalar } from '../../support/rows.js'
import { itInWholeRun } from '../../support/run/extent.js'

const house = useHouse()
const { office } = house

describe('verification', () => {
  it('that it is not fixed reopens it, with what is still wrong, as if it had never been resolved', async () => {
    const id = await resolved({ severity: 'critical' })
    const detail = await house.json('resident', `/api/incidents/${id}/verify`, {
      json: { fixed: false, body: 'Still grinding' },
    })
    expect(detail).toMatchObject({ status: 'in_progress', resolvedAt: null })
    expect(detail.updates.at(-1)).toMatchObject({ body: 'Still grinding', newStatus: 'in_progress' })
    const { assets } = await house.json('guest', '/api/status')
    expect(assets.find((asset: { id: number }) => asset.id === detail.assetId).status).toBe('down')
  })

  it('that it is not fixed removes the corrected end of its downtime, as the audit log says', async () => {
    const createdAt = new Date(Date.now() - 3 * 3_600_000)
    const id = await resolved({ severity: 'critical', createdAt })
    const downtimeEndedAt = new Date(Date.now() - 3_600_000).toISOString()
    const end = { method: 'PATCH', json: { isDowntime: true, downtimeEndedAt } }
    expect((await house.ask('manager', `/api/incidents/${id}`, end)).status).toBe(200)
    const json = { fixed: false, body: 'Still grinding' }
    await house.json('resident', `/api/incidents/${id}/verify`, { json })
    expect(await scalar('select downtime_ended_at from incidents where id = $1', [id])).toBe(null)
    const changes = await scalar(
      `select changes from audit_entries where action = 'incident.reopened' and entity_id = $1`,
      [id],
    )
    expect(changes).toMatchObject({ downtimeEndedAt: { before: downtimeEndedAt, after: null } })
  })

  it('wants true or false', async () => {
    const id = await resolved()
    for (const json of [{}, { fixed: 'true' }, { fixed: null }, { fixed: 1 }]) {
      expect((await postAsJson('resident', `/api/incidents/${id}/verify`, json)).status).toBe(422)
    }
  })

  it('by twenty at once lets one win', async () => {
    const id = await resolved()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        postAsJson(i % 2 ? 'resident' : 'mobile', `/api/incidents/${id}/verify`, { fixed: i % 3 > 0 }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(
      (await incident(id)).updates.filter((update: { newStatus: string }) => update.newStatus !== null),
    ).toHaveLength(2)
  })

  it('has two buttons of one weight on the page of a resolved incident, and no field for words', async () => {
    const id = await resolved()
    const page = await house.page('resident', `/incidents/${id}`)
    const form = page(`form[action="/incidents/${id}/verify"]`)
    expect(form.find('textarea, input[type=text]')).toHaveLength(0)
    const [yes, no] = form.find('.button, button').toArray()
    expect([page(yes).text(), page(no).text()]).toEqual(['Yes, it’s fixed', 'No, it isn’t fixed'])
    expect(page(yes).hasClass('second')).toBe(page(no).hasClass('second'))
    expect(page(no).attr('href')).toBe(`/incidents/${id}/verify`)
    const answer = await house.ask('resident', `/incidents/${id}/verify`, {
      form: { fixed: 'true', body: '' },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.headers.get('location')).toBe(`/incidents/${id}?notice=verified`)
    expect((await house.page('resident', `/incidents/${id}`))('button[name=fixed]')).toHaveLength(0)
  })
})

describe('a merge', () => {
  it('leads a reader of the duplicate’s page to the survivor, who is told why', async () => {
    const [duplicate, target] = [await aCase(), await aCase({ title: 'Survivor' })]
    await office.merges(duplicate, target)
    const answer = await house.ask('guest', `/incidents/${duplicate}`, { headers: { accept: 'text/html' } })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/incidents/${target}?notice=merged`,
    ])
    const asset = await house.json('guest', '/api/assets/1')
    expect(asset.incidents.map(({ id }: { id: number }) => id)).not.toContain(duplicate)
    const page = await house.page('guest', `/incidents/${target}?notice=merged`)
    expect(page('.notice').text()).toContain('merged into this one')
  })

  it('refuses itself, a cycle, and what is not there', async () => {
    const [a, b] = [await aCase(), await aCase()]
    expect(
      await (await postAsJson('manager', `/api/incidents/${a}/merge`, { targetId: a })).json(),
    ).toMatchObject({
      status: 409,
      code: 'merge_into_itself',
    })
    await office.merges(a, b)
    expect(
      await (await postAsJson('manager', `/api/incidents/${b}/merge`, { targetId: a })).json(),
    ).toMatchObject({
      status: 409,
      code: 'merge_cycle',
    })
    expect((await postAsJson('manager', `/api/incidents/${b}/merge`, { targetId: 999_999 })).status).toBe(422)
    for (const json of [{}, { targetId: 'x' }, { targetId: null }])
      expect((await postAsJson('manager', `/api/incidents/${b}/merge`, json)).status).toBe(422)
  })

  it('into a duplicate goes to its survivor, and chains are one hop long', async () => {
    const [a, b, c] = [await aCase(), await aCase(), await aCase()]
    await office.merges(a, b)
    await house.json('manager', `/api/incidents/${b}/merge`, { json: { targetId: c } })
    expect(await incident(a)).toMatchObject({ mergedInto: c })
    const d = await aCase()
    expect(
      (await house.json('manager', `/api/incidents/${d}/merge`, { json: { targetId: a } })).mergedInto,
    ).toBe(c)
  })

  it('of unresolved downtime makes the other one downtime from then on, and no earlier', async () => {
    const down = await aCase({ severity: 'critical' })
    const other = await aCase({ severity: 'medium' })
    await house.json('manager', `/api/incidents/${down}/merge`, { json: { targetId: other } })
    expect((await incident(other)).isDowntime).toBe(true)
    const rows = await query(
      `select i.id, m.impact, m.ended_at is null as runs, m.started_at = d.resolved_at as from_merge,
         m.ended_at = d.resolved_at as until_merge
       from asset_impacts m join incidents i on i.id = m.incident_id, incidents d
       where d.id = $1 and i.id in ($1, $2) order by m.started_at, m.incident_id`,
      [down, other],
    )
    expect(rows).toEqual([
      { id: down, impact: 'down', runs: false, fromMerge: false, untilMerge: true },
      { id: other, impact: 'degraded', runs: false, fromMerge: false, untilMerge: true },
      { id: other, impact: 'down', runs: true, fromMerge: true, untilMerge: null },
    ])
  })

  it('A into B beside B into A has one winner', async () => {
    for (let round = 0; round < 3; round++) {
      const [a, b] = [await aCase(), await aCase()]
      const answers = await Promise.all([
        postAsJson('manager', `/api/incidents/${a}/merge`, { targetId: b }),
        postAsJson('admin', `/api/incidents/${b}/merge`, { targetId: a }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  itInWholeRun('storm leaves a forest whose every node answers with its root in one hop', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => aCase()))
    let seed = 7
    const pick = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return ids[seed % ids.length]!
    }
    const storm = Array.from({ length: 40 }, () =>
      postAsJson('manager', `/api/incidents/${pick()}/merge`, { targetId: pick() }),
    )
    for (const answer of await Promise.all(storm)) expect([200, 409]).toContain(answer.status)
    for (const id of ids) {
      const { mergedInto } = await incident(id)
      if (mergedInto) expect(await incident(mergedInto)).not.toHaveProperty('mergedInto')
    }
    const merges = await query<{ n: number }>(
      `select count(*) as n from audit_entries where action = 'incident.merged' and entity_id = any ($1)`,
      [ids],
    )
    const merged = await query<{ n: number }>(
      'select count(*) as n from incidents where merged_into_id is not null and id = any ($1)',
      [ids],
    )
    expect(merges[0]!.n).toBe(merged[0]!.n)
  })
})

it('following is a state that can be asked for twice', async () => {
  const id = await aCase()
  for (let i = 0; i < 2; i++)
    expect(await house.json('board', `/api/incidents/${id}/follow`, { json: {} })).toEqual({
      following: true,
    })
  expect((await entries(id)).filter(({ action }) => action === 'incident.followed')).toHaveLength(1)
  for (let i = 0; i < 2; i++)
    expect((await house.ask('board', `/api/incidents/${id}/follow`, { method: 'DELETE' })).status).toBe(204)
  expect((await postAsJson('mobile', `/api/incidents/${id}/follow`)).status).toBe(200)
})

describe('correcting an incident', () => {
  const patch = (who: Who, id: number, json: unknown) =>
    house.ask(who, `/api/incidents/${id}`, { method: 'PATCH', json })

  it('changes what is sent and nothing else, with an entry that says what', async () => {
    const id = await aCase()
    const answer = await patch('manager', id, { severity: 'critical', id: 5, colour: 'red' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      id,
      severity: 'critical',
      status: 'open',
      isDowntime: false,
      title: 'Case',
    })
    const [entry] = await query(
      `select changes from audit_entries where action = 'incident.edited' and entity_id = $1`,
      [id],
    )
    expect(entry!.changes).toEqual({ severity: { before: 'medium', after: 'critical' } })
  })

  it('puts downtime right, and uptime follows', async () => {
    const id = await aCase()
    const { assets } = await house.json('guest', '/api/status')
    const before = assets[0].uptime30
    const since = new Date(Date.now() - 48 * 3_600_000).toISOString()
    await patch('manager', id, { isDowntime: true, downtimeStartedAt: since })
    const after = (await house.json('guest', '/api/status')).assets[0]
    expect(after.status).toBe('down')
    expect(Number(after.uptime30)).toBeLessThan(Number(before))
    await patch('manager', id, { downtimeStartedAt: null })
    // Out of service all the time, it may have lost one more hundredth of a percent meanwhile.
    const restored = (await house.json('guest', '/api/status')).assets[0].uptime30
    expect([before, (Number(before) - 0.01).toFixed(2)]).toContain(restored)
  })

  it('moves it to another place, where a flat is never downtime', async () => {
    const id = await aCase({ severity: 'critical' })
    const [unit] = await house.json('guest', '/api/units')
    const moved = await (await patch('manager', id, { unitId: unit.id })).json()
    expect(moved).toMatchObject({ assetId: null, unitId: unit.id, isDowntime: false })
    expect(await (await patch('manager', id, { assetId: 2 })).json()).toMatchObject({
      assetId: 2,
      unitId: null,
    })
  })

  it('gives untriaged email a place', async () => {
    const email = { from: 'Ada <ada@outside.test>', subject: 'Lamp', text: 'The lamp is dark.' }
    const { incidentId } = await house.emails(email)
    expect(await (await patch('manager', incidentId, { assetId: 3 })).json()).toMatchObject({ assetId: 3 })
  })

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  it.each([
    ['both places', { assetId: 1, unitId: 1 }],
    ['no place', { assetId: null }],
    ['an asset that is not there', { assetId: 999_999 }],
    ['an unknown severity', { severity: 'urgent' }],
    ['an empty title', { title: '' }],
    ['downtime of a flat', { unitId: 1, isDowntime: true }],
    ['downtime from tomorrow', { isDowntime: true, downtimeStartedAt: tomorrow }],
    ['a moment that is none', { isDowntime: true, downtimeStartedAt: 'yesterday' }],
    ['the 31st of February', { isDowntime: true, downtimeStartedAt: '2026-02-31T10:00' }],
  ])('refuses %s', async (_what, json) => {
    const id = await aCase()
    const answer = await patch('manager', id, json)
    expect(answer.status).toBe(422)
    expect(Object.values((await answer.json()).errors).flat()[0]).toMatch(/^[A-Z]/)
  })

  it('is a form on the staff’s page, in the building’s local time', async () => {
    const createdAt = new Date(Date.now() - 300 * 86_400_000)
    const id = await aCase({ severity: 'low', createdAt })
    const form = {
      title: 'Renamed',
      severity: 'high',
      assetId: '1',
      unitId: '',
      isDowntime: 'true',
      downtimeStartedAt: '2026-07-01T08:30',
    }
    const saveForm = (given: Record<string, string>) =>
      house.submit('manager', `/incidents/${id}/edit`, given)
    const first = load(await (await saveForm(form)).text())
    expect(first('.office .stored').text()).toMatch(/uptime over 30 days: [\d.]+% → [\d.]+%/)
    expect(first('#edit-downtimeStartedAt').attr('value')).toBe('2026-07-01T08:30')
    expect((await incident(id)).title).not.toBe('Renamed')
    const shownPreview = first('input[name=shownPreview]').attr('value')!
    const other = load(
      await (await saveForm({ ...form, downtimeStartedAt: '2026-08-01T08:30', shownPreview })).text(),
    )
    expect(other('input[name=shownPreview]').attr('value')).not.toBe(shownPreview)
    const answer = await saveForm({ ...form, shownPreview })
    expect(answer.headers.get('location')).toBe(`/incidents/${id}?notice=edited`)
    expect(
      (
        await scalar<Date>('select downtime_started_at as at from incidents where id = $1', [id])
      ).toISOString(),
    ).toBe('2026-07-01T07:30:00.000Z')
    const page = await house.page('manager', `/incidents/${id}`)
    expect(page('#edit-downtimeStartedAt').attr('value')).toBe('2026-07-01T08:30')
    const cleared = { ...form, downtimeStartedAt: '' }
    const asked = load(await (await saveForm(cleared)).text())
    await saveForm({ ...cleared, shownPreview: asked('input[name=shownPreview]').attr('value')! })
    expect(
      (await query(`select downtime_started_at as at from incidents where id = $1`, [id]))[0]!.at,
    ).toBeNull()
    expect((await house.page('resident', `/incidents/${id}`))('.office')).toHaveLength(0)
  })
})

function aCase(given: GivenReport = {}): Promise<number> {
  return house.report({ assetId: 1, title: 'Case', ...given })
}

function resolved(given: GivenReport = {}): Promise<number> {
  return aCase({ ...given, status: 'resolved' })
}

function postAsJson(who: Who, path: string, json: unknown = {}): Promise<Response> {
  return house.ask(who, path, { json })
}

function incident(id: number) {
  return house.json('guest', `/api/incidents/${id}`)
}

function entries(id: number) {
  return query<{ action: string }>(
    `select action from audit_entries where entity = 'incident' and entity_id = $1 order by id`,
    [id],
  )
}
