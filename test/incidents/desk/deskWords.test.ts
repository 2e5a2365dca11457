import { beforeEach, describe, expect, it } from 'vitest'
import { countedUpTo, type DeskTab, rowsPerPage } from '../../../src/incidents/model/deskLists.js'
import { query } from '../../../src/platform/db/database.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { inWholeRun } from '../../support/run/extent.js'

const house = useHouse()
const { office } = house
const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
beforeEach(house.emptyDesk)

let n = 0

describe('words on the desk', () => {
  it('stand there until staff react, whoever wrote them and however', async () => {
    const ids: number[] = []
    for (const write of Object.values(words)) {
      const id = await newReport()
      ids.push(id)
      await write(id)
    }
    expect((await desk()).words).toEqual(ids)
    for (const id of ids) await comment('manager', id, 'Answer')
    expect((await desk()).words).toEqual([])
    await words['an email of a stranger']!(ids[0]!)
    expect((await desk()).words).toEqual([ids[0]])
  })

  it('leave with the repair that a resident confirms', async () => {
    const id = await resolved()
    await comment('resident', id, 'Thank you')
    expect((await desk()).words).toEqual([id])
    await verify('resident', id, true)
    expect((await desk()).words).toEqual([])
    await comment('resident', id, 'It broke again')
    expect((await desk()).words).toEqual([id])
  })

  it('leave, and what came back with them, by what the office does if that is an answer', async () => {
    const left: Record<string, [words: number, back: number]> = {}
    for (const [what, [, react]] of Object.entries(reactions)) {
      const [answered, came] = [await newReport(), await resolved()]
      left[what] = [answered, came]
      await comment('resident', answered)
      await verify('resident', came, false)
      for (const id of left[what]) await react(id)
    }
    const { words, back } = await desk()
    for (const [what, [answers]] of Object.entries(reactions)) {
      const [answered, came] = left[what]!
      // The desk acknowledges open reports alone.
      const stays = !answers || what === 'the desk’s acknowledgement'
      expect([what, words.includes(answered), back.includes(came)]).toEqual([what, !answers, stays])
    }
  })

  it('stand in the order in which people began to wait, with the latest word', async () => {
    const [first, second] = [await inProgress(), await inProgress()]
    await comment('resident', first, 'When?')
    await comment('mobile', second, 'Hello?')
    await comment('resident', first, 'Please')
    const { rows, tabs } = await rowsOf('replies')
    expect(rows.map(({ id, lastWord }) => [id, lastWord!.body, lastWord!.authorName])).toEqual([
      [first, 'Please', 'Maya Okafor'],
      [second, 'Hello?', 'Mobile Reporter'],
    ])
    expect(tabs.find(({ tab }) => tab === 'replies')).toMatchObject({ total: 2, more: false })
    const replies = await house.page('board', '/admin?tab=replies')
    expect(replies('.title bdi').first().text()).toBe('“Please”')
    expect(replies('.act').first().attr('aria-label')).toBe(`Mark as read: INC-${first}`)
  })

  it('of what is not acknowledged yet stand in the tab of what is new', async () => {
    const id = await newReport()
    await comment('resident', id, 'When?')
    await comment('resident', id, 'Please')
    const page = await house.page('board', '/admin')
    expect(page(`#row-${id} .quote`).text()).toContain('Please')
  })

  it('move to the survivor of a merge, and are not lost with the duplicate', async () => {
    const [id, target] = [await newReport(), await inProgress()]
    await comment('resident', id, 'Still?')
    await house.json('manager', `/api/incidents/${id}/merge`, { json: { targetId: target } })
    expect((await desk()).words).toEqual([target])
  })

  it('stay when they are newer than what was read, also in a form', async () => {
    const [id, other] = [await newReport(), await newReport()]
    const { id: upTo } = await comment('resident', id)
    await comment('resident', other)
    expect(await markRead({ ids: [id, other, 999_999], upTo })).toEqual({
      done: [id],
      skipped: [
        { id: other, code: 'newer_word' },
        { id: 999_999, code: 'not_found' },
      ],
    })
    expect((await desk()).words).toEqual([other])
    const page = await house.page('manager', '/admin')
    const form = page('#queue')
    const body = new URLSearchParams([
      ['only', String(other)],
      ['upTo', form.find('input[name=upTo]').attr('value')!],
    ])
    const answer = await house.ask('manager', '/admin/read', { body, headers: ours })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin?did=read&n=1'])
    expect((await desk()).words).toEqual([])
    const entries = await query(
      `select from audit_entries where action = 'incident.seen' and entity_id = $1`,
      [other],
    )
    expect(entries).toHaveLength(1)
  })

  it('are those of a contact as well, and a newer email of theirs is not marked as read', async () => {
    const id = await newReport()
    await comment('resident', id, 'Who comes?')
    await emptyOutbox()
    const assigned = { body: 'The contractor.', newStatus: 'in_progress', contactId: 4 }
    await house.json('manager', `/api/incidents/${id}/updates`, { json: assigned })
    const { emails } = await takeMessages()
    const { messageId } = emails.find(({ to }) => to.address === 'callout@ascent.example.com')!
    const from = 'callout@ascent.example.com'
    const headers = { 'In-Reply-To': messageId }
    const contactSays = (text: string) => house.emails({ from, subject: `Re: ${text}`, text, headers })
    await contactSays('We come on Tuesday.')
    const desk = await house.page('manager', '/admin?tab=replies')
    expect(desk(`#row-${id} .title bdi`).text()).toBe('“We come on Tuesday.”')
    // The office has answered "Who comes?" when it assigned the contractor.
    expect(desk(`#row-${id} .facts`).text()).not.toContain('Who comes?')
    const shown = desk('#queue input[type=hidden]')
      .toArray()
      .map(({ attribs }): [string, string] => [attribs.name!, attribs.value!])
    await contactSays('On Wednesday, that is.')
    const marked = await house.submit('manager', '/admin/read', [...shown, ['only', String(id)]])
    expect(marked.headers.get('location')).toContain('n=0&left=1')
    const { rows } = await rowsOf('replies')
    expect(rows).toMatchObject([{ id, lastNote: { body: 'On Wednesday, that is.' } }])
    // A comment after what the page showed is not read either.
    await comment('resident', id, 'Good.')
    const both = await house.page('manager', '/admin?tab=replies')
    expect(both(`#row-${id} .title bdi`).text()).toBe('“Good.”')
    expect(both(`#row-${id} .quote`).last().text()).toContain('On Wednesday, that is.')
    expect(await markRead({ ids: [id], upToNote: rows[0]!.lastNote!.id })).toMatchObject({ done: [] })
    expect(await markRead({ ids: [id] })).toMatchObject({ done: [id] })
  })

  it('are ticked off once, however often', async () => {
    const id = await newReport()
    await comment('resident', id)
    await Promise.all([markRead({ ids: [id] }), markRead({ ids: [id] })])
    await markRead({ ids: [id] })
    const entries = await query(
      `select from audit_entries where action = 'incident.seen' and entity_id = $1`,
      [id],
    )
    expect(entries).toHaveLength(1)
  })
})

describe('what came back', () => {
  it('stands first, also above the same incident’s words', async () => {
    const [id, other] = [await resolved(), await newReport()]
    await comment('resident', other)
    await comment('resident', id, 'It is not')
    await verify('mobile', id, false, 'Still stuck')
    expect(await desk()).toMatchObject({ back: [id], words: [other] })
    const page = await house.page('manager', '/admin?tab=reopened')
    expect(page('.title bdi').first().text()).toContain('“Still stuck”')
  })

  it('is not what is fixed, nor what staff find out themselves', async () => {
    const [fixed, found] = [await resolved(), await resolved()]
    await verify('resident', fixed, true)
    await verify('board', found, false)
    expect(await desk()).toMatchObject({ back: [], words: [] })
  })
})

it('an incident set back to open is on the desk again, and is acknowledged from there; the sweep leaves it alone', async () => {
  const createdAt = new Date(Date.now() - 60 * 86_400_000)
  const id = await house.report({ assetId: 3, severity: 'low', createdAt })
  await office.acknowledges(id, 'Seen', { at: new Date(createdAt.getTime() + 3_600_000) })
  expect((await desk()).open).not.toContain(id)
  await comment('manager', id, 'Not ours after all', 'open')
  expect((await desk()).open).toContain(id)
  const { escalated } = await house.json('cron', '/api/cron/sweep', { method: 'POST' })
  expect(idsOf({ rows: escalated })).not.toContain(id)
  const page = await house.page('manager', '/admin')
  expect(page('main').text()).toContain('Acknowledged, then reopened')
  await house.json('manager', '/api/admin/acknowledge', { json: { ids: [id] } })
  expect((await desk()).open).not.toContain(id)
})

inWholeRun(() => {
  describe('a full desk', () => {
    it('shows the first of each tab and counts no further than it must, by index', async () => {
      const inHand = { status: `'in_progress'`, acknowledged_at: 'now()' }
      const closed = { acknowledged_at: 'now()', resolved_at: 'now()', verified_at: 'now()' }
      await house.manyReports(20_000, { status: `'verified'`, ...closed }, house.url())
      const reopened = 'case when n % 2 = 0 then now() end'
      const waiting = { reopened_at: reopened, unanswered_since: 'now()' }
      await house.manyReports(2 * countedUpTo + 10, { ...inHand, ...waiting }, house.url())
      await query('analyze incidents')
      for (const shown of ['reopened', 'replies'] as const) {
        const { rows, tabs } = await rowsOf(shown)
        expect(tabs.find(({ tab }) => tab === shown)).toMatchObject({ total: countedUpTo, more: true })
        expect(rows).toHaveLength(rowsPerPage)
      }
      for (const [condition, order, index] of [
        ['is_reopened(i)', 'reopened_at, id', 'incidents_reopened'],
        ['is_unanswered(i)', 'unanswered_since, id', 'incidents_awaiting_answer'],
        [`is_open(i) and severity = 'low'`, 'created_at', 'incidents_open'],
        ['is_placeless(i)', 'id', 'incidents_untriaged'],
        ['is_unconfirmed(i)', 'resolved_at desc, id', 'incidents_unconfirmed'],
      ]) {
        const plan = await query<{ 'QUERY PLAN': string }>(
          `explain select * from incidents i where ${condition} order by ${order} limit ${rowsPerPage}`,
        )
        expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain(index)
      }
    })
  })
})

/** Words that want an answer, and what makes them. */
const words: Record<string, (id: number) => Promise<unknown>> = {
  'a comment of the reporter': (id) => comment('resident', id),
  'a comment by phone': (id) => comment('mobile', id),
  'an email of a stranger': (id) => sendReply(id),
  'an email in the name of staff, unproven': (id) => sendReply(id, 'manager@example.com'),
}

/** Acts of the office, and whether they are an answer (decision 7.2). */
const reactions: Record<string, [answers: boolean, (id: number) => Promise<unknown>]> = {
  'a comment of staff': [true, (id) => comment('board', id)],
  'a status': [true, (id) => comment('manager', id, 'Seen', 'in_progress')],
  'the desk’s acknowledgement': [
    true,
    (id) => house.json('manager', '/api/admin/acknowledge', { json: { ids: [id] } }),
  ],
  'a promise': [true, (id) => correct(id, { expectedBackAt: '2036-01-01T00:00:00Z' })],
  'a tick': [true, (id) => markRead({ ids: [id] })],
  'another title': [false, (id) => correct(id, { title: `Other ${++n}` })],
  'another severity': [false, (id) => correct(id, { severity: 'high' })],
  'a note among staff': [
    false,
    (id) => house.json('manager', `/api/incidents/${id}/notes`, { json: { note: 'x' } }),
  ],
}

function newReport(): Promise<number> {
  n += 1
  return house.report({ assetId: 3, title: `Words ${n}`, severity: 'low' })
}

function inProgress(): Promise<number> {
  n += 1
  return house.report({ assetId: 3, title: `Words ${n}`, severity: 'low', status: 'in_progress' })
}

function resolved(): Promise<number> {
  n += 1
  return house.report({ assetId: 3, title: `Words ${n}`, severity: 'low', status: 'resolved' })
}

function comment(who: Who, id: number, body = 'And?', newStatus?: string) {
  return house.json(who, `/api/incidents/${id}/updates`, { json: { body, newStatus } })
}

function verify(who: Who, id: number, fixed: boolean, body?: string) {
  return house.json(who, `/api/incidents/${id}/verify`, { json: { fixed, body } })
}

/** An email to a report, from a stranger by default. */
function sendReply(id: number, from = 'stranger@outside.example') {
  n += 1
  return house.emails({ from, subject: `[INC-${id}]`, text: `Email ${n}` })
}

/** Corrects fields of a report by request. */
function correct(id: number, json: object) {
  return house.json('manager', `/api/incidents/${id}`, { method: 'PATCH', json })
}

function markRead(json: object) {
  return house.json('manager', '/api/admin/read', { json })
}

type Row = {
  id: number
  lastWord: { body: string; authorName: string } | null
  lastNote: { id: number; body: string } | null
}

function rowsOf(tab: DeskTab): Promise<{ rows: Row[]; tabs: { tab: DeskTab }[] }> {
  return house.json('manager', `/api/admin?tab=${tab}`)
}

/** The ids of what came back, of what waits for an answer, and of what is open. */
async function desk() {
  const [open, replies, reopened] = await Promise.all([rowsOf('new'), rowsOf('replies'), rowsOf('reopened')])
  // What is not acknowledged yet stays in the first tab, with the word that waits.
  const waiting = open.rows.filter(({ lastWord }) => lastWord !== null)
  return { back: idsOf(reopened), words: [...idsOf({ rows: waiting }), ...idsOf(replies)], open: idsOf(open) }
}

function idsOf(list: { rows: { id: number }[] }): number[] {
  return list.rows.map(({ id }) => id)
}
