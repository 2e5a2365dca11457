import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { patchIncident } from '../../src/incidents/acts/patchIncident.js'
import { config } from '../../src/platform/process/config.js'
import { type Deliver, type OutboxMessage, partsOf } from '../../src/vocabulary/email/delivery.js'
import { incidentOfMessage, messageKey } from '../../src/vocabulary/email/messageName.js'
import type { Actor } from '../../src/vocabulary/people/actor.js'
import { userIdOf } from '../support/accounts.js'
import { emailFollower } from '../support/email/emailFollowers.js'
import { emptyOutbox, endGathering, takeMessages } from '../support/email/messages.js'
import { makeDue, setLastMessage } from '../support/email/outboxRows.js'
import { unsubscribeInOneClick } from '../support/email/unsubscribe.js'
import { actorOf, type Person } from '../support/house/acting.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { ageReports } from '../support/house/timePassing.js'
import { scalar } from '../support/rows.js'
import { itInWholeRun, perRun } from '../support/run/extent.js'
import { drawing } from '../support/run/random.js'
import { messageSender, queryAfterFanOut } from '../support/sending.js'

const house = useHouse()
const { board } = house
let residentId = 0
beforeAll(async () => {
  residentId = await userIdOf('resident')
  await house.sweep()
})
beforeEach(emptyOutbox)

describe('comments', () => {
  it('wait two minutes after the last, five after the first, and go in one email', async () => {
    const id = await house.report({ title: 'Broken' })
    const made: number[] = []
    // Seconds since the comment before, and what the first one waits by then.
    for (const [since, wait] of [
      [0, 120],
      [60, 180],
      [60, 240],
      [100, 300],
    ] as const) {
      await pass(since)
      expect(await sendDue()).toEqual([])
      made.push((await comment('manager', id)).id)
      const [email, ...others] = await waitingFor('resident')
      expect(email!.updates).toEqual(made)
      expect(others).toEqual([])
      expect(email!.wait).toEqual(wait === 300 ? 300 : about(wait))
    }
    await pass(80)
    const [email] = await sendDue()
    expect(updatesIn(email!)).toEqual(made)
    expect(await waitingFor('resident')).toEqual([])
  })

  it('are one email that carries them all, with links for less and for nothing', async () => {
    const id = await house.report({ title: 'Broken' })
    for (const body of ['First word', 'Second word']) await comment('manager', id, body)
    await comment('board', id, 'Third word')
    const { emails } = await takeMessages()
    const [email] = emails.filter(({ to }) => to.address === 'resident@example.com')
    expect(emails.map(({ to }) => to.address).sort()).toEqual(['manager@example.com', 'resident@example.com'])
    expect(email!.subject).toBe(`Broken [INC-${id}]`)
    expect(email!.text).toContain('3 new comments: Broken')
    expect(email!.text.match(/\w+ word/g)).toEqual(['First word', 'Second word', 'Third word'])
    const links = [...email!.text.matchAll(/^(.*): http\S+\/unsubscribe\/(\S+)$/gm)]
    expect(links.map(([, text]) => text)).toEqual([
      'Status changes only',
      'Stop emails about this report',
      'Stop all emails',
    ])
    expect(email!.headers['List-Unsubscribe']).toContain(links[1]![2])
    expect(email!.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    await house.ask('guest', `/unsubscribe/${links[0]![2]}`)
    expect((await house.json('resident', '/api/account')).followed).toBe('all')
    await unsubscribeInOneClick(house, `/unsubscribe/${links[0]![2]}`)
    expect((await house.json('resident', '/api/account')).notifications).toMatchObject({
      'comment.mail': false,
      'status.mail': true,
    })
    await comment('manager', id)
    expect(await waitingFor('resident')).toEqual([])
    await house.ask('guest', `/unsubscribe/${links[0]![2]}/undo`, { form: {} })
    await comment('manager', id)
    await house.ask('guest', `/unsubscribe/${links[1]![2]}`, { form: {} })
    expect((await takeMessages()).emails.filter(({ to }) => to.address === 'resident@example.com')).toEqual(
      [],
    )
  })

  it('never come back to who wrote them, and each person gets the others’', async () => {
    const id = await house.report({ title: 'Broken' })
    await board.follows(id)
    const a = (await comment('resident', id)).id
    const b = (await comment('board', id)).id
    const c = (await comment('resident', id)).id
    expect((await waitingFor('board')).flatMap(({ updates }) => updates)).toEqual([a, c])
    expect((await waitingFor('resident')).flatMap(({ updates }) => updates)).toEqual([b])
  })

  it('that come while their email is on its way are in the next one', async () => {
    const id = await house.report({ title: 'Broken' })
    const first = (await comment('manager', id)).id
    await endGathering()
    let second = 0
    const sent = await sendDue(async () => {
      second = (await comment('manager', id)).id
      return { as: 'sent' }
    })
    expect(sent.map(updatesIn)).toEqual([[first]])
    expect(await waitingFor('resident')).toEqual([{ wait: 120, updates: [second] }])
  })

  it('of an email that died on its way are sent with it alone, and later ones not twice', async () => {
    const id = await house.report({ title: 'Broken' })
    const first = (await comment('manager', id)).id
    await endGathering()
    // Claimed by a process that was killed: nothing is settled.
    await setLastMessage(`attempts = 1, next_attempt_at = now() + interval '300 seconds'`)
    const second = (await comment('manager', id)).id
    expect((await waitingFor('resident')).map(({ updates }) => updates)).toEqual([[first], [second]])
    await makeDue()
    const sent = await sendDue()
    expect(sent.map(updatesIn)).toEqual([[first], [second]])
  })

  it('are lost never and told twice never, whoever writes and sends at the same time', async () => {
    const each = perRun({ quick: 3, whole: 25 })
    const incidents = [
      await house.report({ title: 'Broken' }),
      await house.report({ title: 'Broken' }),
      await house.report({ title: 'Broken' }),
    ]
    const { number: draw } = drawing()
    const authors = await Promise.all(
      (['manager', 'board', 'admin'] as const).map((role) => actorOf(role, { notified: true })),
    )
    const made: number[] = []
    const notified: unknown[] = []
    let writing = true
    const writer = async (actor: Actor) => {
      for (let i = 0; i < each; i++) {
        const id = incidents[Math.floor(draw() * incidents.length)]!
        made.push((await patchIncident(actor, id, { body: 'x' }))!)
      }
    }
    const process = async () => {
      while (writing) {
        await endGathering()
        const rows = await sendDue(async () => {
          await sleep(draw() * 4)
          return { as: 'sent' }
        })
        notified.push(...rows.filter(({ recipientId }) => recipientId === residentId).flatMap(updatesIn))
      }
    }
    const watch = async () => {
      while (writing) {
        const n =
          await scalar<number>(`select coalesce(max(n), 0)::integer as n from (select count(*) as n from outbox
             where attempts = 0 and sent_at is null group by recipient_id, incident_id) each`)
        expect(n).toBeLessThanOrEqual(1)
      }
    }
    const senders = [process(), process(), watch()]
    await Promise.all(authors.flatMap((actor) => [writer(actor), writer(actor)])).finally(() => {
      writing = false
    })
    await Promise.all(senders)
    await endGathering()
    notified.push(
      ...(await sendDue()).filter(({ recipientId }) => recipientId === residentId).flatMap(updatesIn),
    )
    expect(made).toHaveLength(6 * each)
    expect((notified as number[]).sort((x, y) => x - y)).toEqual(made.sort((x, y) => x - y))
  })
})

it('comments for people without an account are one email, too, and their own answer does not come back to them', async () => {
  const from = 'ada.stranger@outside.example'
  const { incidentId: id } = await house.emails({ from, subject: 'Water in the cellar', text: 'It rises' })
  await emailFollower(from, [`incident:${id}`])
  await emptyOutbox()
  const [first, second] = [
    (await comment('manager', id, 'Where?')).id,
    (await comment('board', id, 'Yes?')).id,
  ]
  await house.emails({ from, subject: `Re: [INC-${id}]`, text: 'By the stairs' })
  const third = (await comment('manager', id, 'Thank you')).id
  await sendDue()
  const rows = await queryAfterFanOut<OutboxMessage>(
    `select incident_id, payload from outbox where email_follower_id is not null and sent_at is null`,
  )
  expect(rows.map(updatesIn)).toEqual([[first, second, third]])
  await comment('board', id, 'One more')
  await sendDue()
  const { emails } = await takeMessages()
  const theirs = emails.filter(({ to }) => to.address === from)
  expect(theirs.map(({ subject }) => subject)).toEqual([`Report to Larkspur Court [INC-${id}]`])
  expect(theirs[0]!.text).toContain('4 new comments: Water in the cellar')
  for (const body of ['Where?', 'Yes?', 'Thank you', 'One more'])
    expect(theirs[0]!.text).toContain(`> ${body}`)
  expect(theirs[0]!.text).not.toContain('By the stairs')
  expect(theirs[0]!.text).not.toContain('Status changes only')
})

describe('many incidents', () => {
  const many = async (n: number) => {
    const made: number[] = []
    for (let i = 0; i < n; i++) made.push(await house.report({ title: 'Broken' }))
    return made
  }
  const emailsTo = async (who: Who) =>
    (await takeMessages()).emails.filter(({ to }) => to.address === `${who}@example.com`)

  /** Subjects with the state that stands above the title. */
  const newsTo = async (who: Who) =>
    (await emailsTo(who)).map(({ subject, text }) => `${subject} ${/^(.*): Broken$/m.exec(text)?.[1]}`)

  it('merged into one are one email to a person', async () => {
    const [count, listed] = [perRun({ quick: 3, whole: 52 }), perRun({ quick: 3, whole: 50 })]
    const target = await house.report({ reporter: 'board', title: 'Broken' })
    for (const id of await many(count))
      await house.json('manager', `/api/incidents/${id}/merge`, { json: { targetId: target } })
    const emails = await emailsTo('resident')
    expect(emails.map(({ subject }) => subject)).toEqual([`Updates on ${count} reports you follow`])
    expect(emails[0]!.text.match(/\* INC-\d+/g)).toHaveLength(listed)
    expect(emails[0]!.text).toContain(`Merged into INC-${target}`)
    expect(emails[0]!.text.includes('and 2 more')).toBe(count > listed)
  })

  itInWholeRun('taken apart again are one email to a person, without what was merged once more', async () => {
    const from = 'bo.stranger@outside.example'
    const target = await house.report({ reporter: 'board', title: 'Broken' })
    const duplicates = await many(4)
    for (let i = 0; i < 3; i++) {
      const email = { from, subject: `Dark ${i}`, text: `It is dark ${i}` }
      const { incidentId } = await house.emails(email)
      await emailFollower(from, [`incident:${incidentId}`])
      duplicates.push(incidentId)
    }
    const merge = (id: number) =>
      house.json('manager', `/api/incidents/${id}/merge`, { json: { targetId: target } })
    const sent = async () =>
      (await takeMessages()).emails
        .filter(({ to }) => [from, 'resident@example.com'].includes(to.address))
        .map(({ to, subject }) => `${to.address}: ${subject}`)
        .sort()
    await emptyOutbox()
    for (const id of duplicates) await merge(id)
    expect(await sent()).toEqual([
      `${from}: Updates on 3 reports you follow`,
      'resident@example.com: Updates on 4 reports you follow',
    ])
    for (const id of duplicates) await house.ask('manager', `/api/incidents/${id}/unmerge`, { json: {} })
    await merge(duplicates[0]!)
    await queryAfterFanOut(`delete from outbox where event = 'incident.merged' and sent_at is null`)
    expect(await sent()).toEqual([
      `${from}: Updates on 3 reports you follow`,
      'resident@example.com: Updates on 3 reports you follow',
    ])
  })

  it('acknowledged at once are one email, and one alone is an email as ever, at once', async () => {
    const chosen = await many(3)
    await house.json('manager', '/api/admin/acknowledge', { json: { ids: chosen } })
    expect(await waitingFor('resident')).toEqual([{ wait: about(5), updates: expect.any(Array) }])
    const [email, ...others] = await emailsTo('resident')
    expect(others).toEqual([])
    for (const id of chosen) expect(email!.text).toContain(`INC-${id}: Broken`)
    expect(email!.text).toContain('Seen by the office')

    const [single] = await many(1)
    await house.json('manager', '/api/admin/acknowledge', { json: { ids: [single] } })
    expect(await waitingFor('resident')).toEqual([{ wait: 0, updates: [expect.any(Number)] }])
    expect(await newsTo('resident')).toEqual([`Broken [INC-${single}] Seen by the office`])
  })

  it('escalated by one sweep are one email', async () => {
    const late = await many(3)
    await ageReports(late, 30)
    await house.sweep()
    const emails = await emailsTo('resident')
    expect(emails.map(({ subject }) => subject)).toEqual(['Updates on 3 reports you follow'])
    for (const id of late) expect(emails[0]!.text).toContain(`INC-${id}`)
  })

  it('are told without those that were unfollowed meanwhile, and one that is left as if it were alone', async () => {
    const chosen = await many(3)
    await house.json('manager', '/api/admin/acknowledge', { json: { ids: chosen } })
    for (const id of chosen.slice(1))
      await house.ask('resident', `/api/incidents/${id}/follow`, { method: 'DELETE' })
    expect(await newsTo('resident')).toEqual([`Broken [INC-${chosen[0]}] Seen by the office`])
  })

  it('are answered to the one that is left, also when the first was unfollowed', async () => {
    const chosen = await many(2)
    await house.json('manager', '/api/admin/acknowledge', { json: { ids: chosen } })
    const [row] = await queryAfterFanOut<{ first: number }>(
      'select incident_id as first from outbox where recipient_id = $1 and sent_at is null',
      [residentId],
    )
    const left = chosen.find((id) => id !== row!.first)!
    await house.ask('resident', `/api/incidents/${row!.first}/follow`, { method: 'DELETE' })
    const [email] = await emailsTo('resident')
    expect(email!.subject).toBe(`Broken [INC-${left}]`)
    expect(email!.text).toContain('Seen by the office: Broken')
    const key = messageKey(config.sessionSecret)
    expect(incidentOfMessage(key, email!.messageId!, 'localhost')).toEqual({
      incidentId: left,
      isAssignment: false,
    })
  })
})

it('a gathered email that was given up can be tried again beside one that gathers by now', async () => {
  const id = await house.report({ title: 'Broken' })
  await comment('manager', id)
  await endGathering()
  await sendDue(async () => ({ as: 'failed', why: 'smtp 550' }))
  await comment('manager', id)
  const [failed] = await queryAfterFanOut<{ id: number }>('select id from outbox where failed_at is not null')
  expect(
    (await house.ask('manager', `/api/admin/deliveries/${failed!.id}/retry`, { method: 'POST' })).ok,
  ).toBe(true)
  expect(await waitingFor('resident')).toHaveLength(2)
})

/** The ids of the updates that an email carries. */
const updatesIn = (row: OutboxMessage) => partsOf(row).map(({ payload }) => payload.updateId)

const comment = (who: Who, id: number, body = 'And?') =>
  house.json(who, `/api/incidents/${id}/updates`, { json: { body } })

/** As if these seconds had gone by since everything that waits. */
const pass = (seconds: number) =>
  queryAfterFanOut(
    `update outbox set created_at = created_at - make_interval(secs => $1),
       next_attempt_at = next_attempt_at - make_interval(secs => $1) where sent_at is null`,
    [seconds],
  )

/**
 * What waits for a person, each email with the seconds it waits from its first comment and
 * the ids of its comments.
 */
const waitingFor = async (who: Person) =>
  (
    await queryAfterFanOut<OutboxMessage & { wait: number }>(
      `select id, kind, event, incident_id, payload,
         round(extract(epoch from next_attempt_at - created_at))::integer as wait
       from outbox where recipient_id = $1 and sent_at is null order by id`,
      [await userIdOf(who)],
    )
  ).map((row) => ({ wait: row.wait, updates: updatesIn(row) }))

/** A later comment adds what the test itself took until then. */
const about = (seconds: number) => ({ asymmetricMatch: (n: number) => n >= seconds && n < seconds + 60 })

/** Sends what is due by now, and returns it. */
async function sendDue(deliver: Deliver = async () => ({ as: 'sent' })): Promise<OutboxMessage[]> {
  const rows: OutboxMessage[] = []
  const email: Deliver = async (row) => {
    rows.push(row)
    return deliver(row)
  }
  await messageSender({ mail: email, push: email }).drain()
  return rows
}
