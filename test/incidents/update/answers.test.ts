import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { userIdOf } from '../../support/accounts.js'
import { emptyOutbox } from '../../support/email/messages.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { queryAfterFanOut } from '../../support/sending.js'

const house = useHouse()
const { admin, office } = house
const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
const assetId = 3

let n = 0
const later = '2036-05-06T17:00:00.000Z'

describe('one answer of the office', () => {
  it('says words, status, promise, who and until when in one entry, one audit entry and one event', async () => {
    const id = await reportOutage()
    const emails = await queryAfterFanOut('select from outbox')
    const made = await answerByRequest(id, {
      body: 'The part is ordered.',
      newStatus: 'in_progress',
      statusReason: 'waiting_for_parts',
      expectedBackAt: later,
      assigneeId: await userIdOf('board@example.com'),
      dueOn: '2036-05-05',
    })
    const said = { newStatus: 'in_progress', statusReason: 'waiting_for_parts', expectedBackAt: later }
    expect([made.status, await made.json()]).toMatchObject([201, { ...said, onStatusPage: true }])
    const { updates, ...incident } = await detail(id, 'manager')
    expect(updates).toHaveLength(1)
    expect(incident).toMatchObject({
      status: 'in_progress',
      expectedBackAt: later,
      statusReason: 'waiting_for_parts',
      isAssigned: true,
      assigneeName: 'Eleanor Whitcombe',
      contactName: null,
      dueOn: '2036-05-05',
    })
    const acts = await query<{ action: string }>(
      `select action from audit_entries where entity = 'incident' and entity_id = $1 order by id`,
      [id],
    )
    expect(acts.map(({ action }) => action)).toEqual(['incident.created', 'incident.status_changed'])
    const news = await queryAfterFanOut<{ event: string }>('select event from outbox order by id offset $1', [
      emails.length,
    ])
    expect(new Set(news.map(({ event }) => event))).toEqual(new Set(['incident.status_changed']))
  })

  it('keeps who does it from everybody but staff', async () => {
    const id = await reportOutage()
    await answerByRequest(id, { contactId: 4 })
    for (const who of ['guest', 'resident', 'mobile'] as const) {
      const shown = await detail(id, who)
      expect(shown.isAssigned).toBe(true)
      expect(Object.keys(shown).filter((name) => /assignee|contact|due/.test(name))).toEqual([])
      const page = await (
        await house.ask(who, `/incidents/${id}`, { headers: { accept: 'text/html' } })
      ).text()
      expect(page).not.toContain('Lift engineer')
    }
    expect((await detail(id, 'board')).contactName).toBe('Lift engineer')
  })

  it('is refused at its field where something is wrong, and stores nothing then', async () => {
    const id = await reportOutage()
    for (const [json, field] of [
      [{ body: '' }, 'body'],
      [{ body: '', newStatus: 'in_progress' }, 'body'],
      [{ body: 'x', assigneeId: 999_999 }, 'assigneeId'],
      [{ body: 'x', contactId: 999_999 }, 'contactId'],
      [{ body: 'x', assigneeId: 1, contactId: 1 }, 'assigneeId'],
      [{ body: 'x', assignee: 'staff-9999999999' }, 'assignee'],
      [{ body: 'x', expectedBackAt: '2001-01-01T00:00:00Z' }, 'expectedBackAt'],
      [{ body: 'x', newStatus: 'verified', expectedBackAt: later }, 'expectedBackAt'],
      [{ body: 'x', closingReason: 'not_ours' }, 'closingReason'],
      [{ body: 'x', newStatus: 'resolved', closingReason: 'bored' }, 'closingReason'],
      [{ body: 'x', dueOn: '2036-02-30' }, 'dueOn'],
    ] as const) {
      const refused = await answerByRequest(id, json)
      expect([refused.status, Object.keys((await refused.json()).errors)]).toEqual([422, [field]])
    }
    expect(await detail(id)).toMatchObject({ status: 'open', updates: [], isAssigned: false })
  })

  it('gives nothing but words to those who are not staff', async () => {
    const id = await reportOutage()
    for (const json of [{ expectedBackAt: later }, { dueOn: '2036-01-01' }, { onStatusPage: true }])
      expect((await answerByRequest(id, { body: 'x', ...json }, 'resident')).status).toBe(403)
    expect((await detail(id)).updates).toEqual([])
  })

  it('closes with a reason, which goes when it is opened again', async () => {
    const id = await reportOutage()
    await office.starts(id)
    await answerByRequest(id, {
      body: 'Nothing found.',
      newStatus: 'resolved',
      closingReason: 'no_fault_found',
    })
    expect((await detail(id)).closingReason).toBe('no_fault_found')
    expect((await house.page('guest', `/incidents/${id}`))('main').text()).toContain(
      'Closed: the office found no fault.',
    )
    await house.json('resident', `/api/incidents/${id}/verify`, { json: { fixed: false } })
    expect((await detail(id)).closingReason).toBeNull()
    await answerByRequest(id, { body: 'Done.', newStatus: 'resolved' })
    expect((await detail(id)).closingReason).toBe('fixed')
  })
})

describe('what is being done', () => {
  beforeEach(house.emptyDesk)

  const word = async () => (await house.page('guest', `/assets/${assetId}`))('blockquote').first().text()

  it('is the last update that staff did not keep off it, and no sentence of the machine (7.16)', async () => {
    const id = await reportOutage()
    const duplicate = await reportOutage()
    await house.json('manager', '/api/admin/acknowledge', { json: { ids: [id] } })
    expect(await word()).toBe('')
    await answerByRequest(id, { body: 'An engineer looks at it.', newStatus: 'in_progress' })
    expect(await word()).toBe('An engineer looks at it.')
    await answerByRequest(id, { body: 'Which floor does it stick on?', onStatusPage: false })
    await office.merges(duplicate, id)
    expect(await word()).toBe('An engineer looks at it.')
    await answerByRequest(id, { body: 'Ordered.', expectedBackAt: later })
    expect(await word()).toBe('Ordered.')
    await answerByRequest(id, { body: 'Hidden.', newStatus: 'acknowledged', onStatusPage: false })
    expect(await word()).toBe('Ordered.')
    await answerByRequest(id, { body: 'It comes tomorrow.' })
    expect(await word()).toBe('It comes tomorrow.')
  })

  it('is “not fixed”, wherever it is told, from when a resident says so until staff act (7.16, 7.18)', async () => {
    const id = await reportOutage()
    await answerByRequest(id, { body: 'A new belt is in. Does it work?', newStatus: 'resolved' })
    await house.json('resident', `/api/incidents/${id}/verify`, { json: { fixed: false } })
    const news = 'Reported as not fixed'
    const everywhere = async () => {
      const page = await house.page('guest', `/incidents/${id}`)
      const feed = await (await house.ask('guest', `/assets/${assetId}/feed.atom`)).text()
      const summary = await house.json('guest', '/api/v2/summary.json')
      return {
        steps: page('.steps .now').text(),
        status: (await house.page('guest', '/'))(`.word:contains("${news}")`).length,
        asset: (await house.page('guest', `/assets/${assetId}`))(`time:contains("${news}")`).length,
        lobby: (await house.page('guest', '/display'))(`.word:contains("${news}")`).length,
        list: (await house.page('guest', '/incidents'))(`#INC-${id} .pill`).first().text(),
        feed: feed.includes(`<strong>${news}</strong>`),
        summary: JSON.stringify(summary.incidents.find((one: { id: string }) => one.id === `${id}`)).includes(
          news,
        ),
        old: (await house.ask('guest', '/').then((answer) => answer.text())).includes('A new belt is in'),
      }
    }
    expect(await everywhere()).toEqual({
      steps: news,
      status: 1,
      asset: 1,
      lobby: 1,
      list: news,
      feed: true,
      summary: true,
      old: false,
    })
    expect((await house.json('guest', `/api/incidents/${id}`)).reopened).toBe(true)
    await answerByRequest(id, { body: 'We come back at four.' })
    expect(await everywhere()).toMatchObject({ steps: 'Being worked on', status: 0, asset: 0, lobby: 0 })
    expect(await word()).toBe('We come back at four.')
    expect((await house.json('guest', `/api/incidents/${id}`)).reopened).toBeUndefined()
  })
})

describe('two of the office at once', () => {
  it('see both answers, and what the second typed is kept', async () => {
    const id = await reportOutage()
    const version = (await house.page('manager', `/incidents/${id}`))('input[name="version"]').attr('value')!
    await answerByRequest(
      id,
      { body: 'I go and look.', newStatus: 'in_progress', expectedBackAt: later },
      'board',
    )
    const form = { body: 'Typed at the same time', version, newStatus: 'acknowledged' }
    const refused = await house.submit('manager', `/incidents/${id}/updates`, form)
    expect(refused.status).toBe(409)
    const page = await refused.text()
    expect(page).toContain('I go and look.')
    expect(page).toContain('Typed at the same time')
    expect((await detail(id)).updates).toHaveLength(1)
    const fresh = /name="version" value="([^"]+)"/.exec(page)![1]!
    const again = await house.submit('manager', `/incidents/${id}/updates`, { ...form, version: fresh })
    expect(again.status).toBe(303)
    expect((await detail(id)).updates).toHaveLength(2)
  })

  it('hear of an answer given while the form was shown again for another reason', async () => {
    const id = await reportOutage()
    const version = (await house.page('manager', `/incidents/${id}`))('input[name="version"]').attr('value')!
    await answerByRequest(id, { body: 'I go and look.' }, 'board')
    const again = await house.submit('manager', `/incidents/${id}/updates`, {
      body: '',
      newStatus: 'in_progress',
      version,
    })
    expect([again.status, /name="version" value="([^"]+)"/.exec(await again.text())![1]]).toEqual([
      422,
      version,
    ])
  })

  it('tell nobody of an assignment without a word, which is audited and stays on the desk', async () => {
    const id = await reportOutage()
    await answerByRequest(id, { body: 'And it smells.' }, 'resident')
    await emptyOutbox()
    const waiting = () => query('select from incidents where id = $1 and unanswered_since is not null', [id])
    await answerByRequest(id, { dueOn: '2036-05-05' })
    expect([await queryAfterFanOut('select from outbox'), (await waiting()).length]).toEqual([[], 1])
    const acts = await query(
      `select from audit_entries where entity_id = $1 and action = 'incident.commented' and actor_name like 'Tomasz%'`,
      [id],
    )
    expect(acts).toHaveLength(1)
    expect((await detail(id)).updates).toHaveLength(1)
    expect((await detail(id, 'manager')).updates).toHaveLength(2)
    await answerByRequest(id, { body: 'We come.' })
    expect(await waiting()).toEqual([])
  })

  it('keep an assignee who has left the office, until they choose another', async () => {
    const id = await reportOutage()
    const assignee = await house.user({ name: 'Ida Leaver', role: 'board' })
    await answerByRequest(id, { assigneeId: assignee })
    await admin.json(`/api/admin/users/${assignee}`, { method: 'PATCH', json: { active: false } })
    const page = await house.page('manager', `/incidents/${id}`)
    const chosen = page('#comment-assignee option[selected]')
    expect([chosen.attr('value'), chosen.text()]).toEqual([`staff-${assignee}`, 'Ida Leaver'])
  })

  it('are not disturbed by a resident who writes meanwhile, and is asked for no version', async () => {
    const id = await reportOutage()
    const version = (await house.page('manager', `/incidents/${id}`))('input[name="version"]').attr('value')!
    expect((await answerByRequest(id, { body: 'And it smells.', version: 'old' }, 'resident')).status).toBe(
      201,
    )
    expect((await answerByRequest(id, { body: 'We come.', version: 'old' })).status).toBe(409)
    expect((await answerByRequest(id, { body: 'We come.', version })).status).toBe(201)
  })

  it('get one answer each of two sent with the same version, whichever is first', async () => {
    const id = await reportOutage()
    const version = (await house.page('manager', `/incidents/${id}`))('input[name="version"]').attr('value')!
    const both = await Promise.all(
      (['manager', 'board'] as const).map((who) => answerByRequest(id, { body: `By ${who}`, version }, who)),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect((await detail(id)).updates).toHaveLength(1)
  })

  it('are one, when one sends the same twice', async () => {
    const id = await reportOutage()
    const version = (await house.page('manager', `/incidents/${id}`))('input[name="version"]').attr('value')!
    const answerOnce = () =>
      house.ask('manager', `/api/incidents/${id}/updates`, {
        json: { body: 'Once', version },
        headers: { 'idempotency-key': `answer-${id}` },
      })
    const both = await Promise.all([answerOnce(), answerOnce()])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect((await answerOnce()).status).toBe(201)
    expect((await detail(id)).updates).toHaveLength(1)
  })
})

it('a template fills the form in and stores nothing; words typed before stay', async () => {
  const id = await reportOutage()
  const made = await house.json('manager', '/api/admin/templates', {
    json: { name: 'Parts', wordsEn: 'The part is ordered.', status: 'in_progress' },
  })
  const page = await house.page('manager', `/incidents/${id}/updates/template`, {
    form: { body: 'Hello.', template: `${made.id}-en` },
    headers: ours,
  })
  expect(page('#comment-body').text().trim()).toBe('Hello.\n\nThe part is ordered.')
  expect(page('#comment-newStatus option[selected]').attr('value')).toBe('in_progress')
  expect((await detail(id)).updates).toEqual([])
  const unknown = await house.submit('manager', `/incidents/${id}/updates/template`, {
    template: '999999-en',
  })
  expect(unknown.status).toBe(422)
})

function reportOutage(): Promise<number> {
  n += 1
  return house.report({ assetId, title: `Answer ${n}`, severity: 'critical' })
}

function answerByRequest(id: number, json: object, who: Who = 'manager'): Promise<Response> {
  return house.ask(who, `/api/incidents/${id}/updates`, { json })
}

function detail(id: number, who: Who = 'guest') {
  return house.json(who, `/api/incidents/${id}`)
}
