import { beforeEach, describe, expect, it } from 'vitest'
import { countRefusal } from '../../../src/notifications/follow/refusals.js'
import { change } from '../../../src/platform/db/change.js'
import { query } from '../../../src/platform/db/database.js'
import { findLink } from '../../../src/platform/links/emailLinks.js'
import { enqueueEmail } from '../../../src/platform/outbox/enqueueEmail.js'
import { mostRefusals, strangerEmails } from '../../../src/vocabulary/countedLimits.js'
import type { DeliveryOutcome } from '../../../src/vocabulary/email/delivery.js'
import type { Status } from '../../../src/vocabulary/lifecycle.js'
import { systemActor } from '../../../src/vocabulary/people/actor.js'
import { emailFollower, forgetEmailFollowers } from '../../support/email/emailFollowers.js'
import { takeMessages } from '../../support/email/messages.js'
import { makeDue } from '../../support/email/outboxRows.js'
import { unsubscribeInOneClick, unsubscribePath } from '../../support/email/unsubscribe.js'
import { useHouse } from '../../support/house/house.js'
import { emailDelivery, messageSender, queryAfterFanOut } from '../../support/sending.js'

const house = useHouse()
const { office } = house
beforeEach(forgetEmailFollowers)

describe('a follower by email address', () => {
  it('gets what a guest sees, in their language, with links to stop it', async () => {
    const id = await house.report({ isAnonymous: true })
    const follower = await emailFollower('Jo@outside.test', [`incident:${id}`], { locale: 'es' })
    await update(id, 'in_progress')
    const [email] = await addressed()
    expect(email!.to).toEqual({ name: '', address: 'Jo@outside.test' })
    expect(email!.subject).toMatch(new RegExp(` \\[INC-${id}\\]$`))
    expect(email!.html).toContain('lang="es"')
    const [, token] = /\/unsubscribe\/([^>]+)>/.exec(email!.headers['List-Unsubscribe']!)!
    expect(await findLink('unsubscribe', token!)).toMatchObject({
      emailFollowerId: follower,
      data: { topic: `incident:${id}` },
    })
    expect(email!.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    expect(email!.html).not.toContain('Rosa')
  })

  it.each([
    ['nobody said so of', { clicked: false }, 0],
    ['who wrote to us and pressed no button', { clicked: false, wrote: true }, 0],
    ['who confirmed a link', {}, 1],
  ])('%s', async (_who, known, emails) => {
    const id = await house.report()
    await emailFollower('jo@outside.test', [`incident:${id}`], known)
    await update(id, 'resolved')
    const sent = await addressed()
    expect(sent).toHaveLength(emails)
    // They are not asked to confirm what they cannot.
    if (emails > 0) expect(sent[0]!.html).toContain(`>Open INC-${id}<`)
  })

  it('gets one email where an account of theirs gets it, too', async () => {
    const id = await house.report()
    await emailFollower('RESIDENT@example.com', [`incident:${id}`])
    await takeMessages()
    await update(id, 'acknowledged')
    expect((await takeMessages()).emails.map(({ to }) => to.address)).toEqual(['resident@example.com'])
  })

  it('follows what an incident was merged into, and is unfollowed there', async () => {
    const [duplicate, survivor] = [await house.report(), await house.report()]
    const follower = await emailFollower('jo@outside.test', [`incident:${duplicate}`])
    await house.json('manager', `/api/incidents/${duplicate}/merge`, { json: { targetId: survivor } })
    expect(await addresses()).toEqual(['jo@outside.test'])
    await update(survivor, 'acknowledged')
    const [email] = await addressed()
    expect(email!.subject).toContain(`[INC-${survivor}]`)
    expect((await unsubscribeInOneClick(house, unsubscribePath(email!))).status).toBe(200)
    await update(survivor, 'in_progress')
    expect(await addresses()).toEqual([])
    expect(await query('select from email_follows where email_follower_id = $1', [follower])).toEqual([])
  })
})

describe('the link that stops emails to an address', () => {
  const pathIn = (email: { html: string }, nth: number) =>
    [...email.html.matchAll(/href="https?:\/\/[^/]+(\/unsubscribe\/[^"]+)"/g)][nth]![1]!

  it('changes nothing until it is pressed, then stops just that, and can be taken back', async () => {
    const [one, other] = [await house.report(), await house.report()]
    await emailFollower('jo@outside.test', [`incident:${one}`, `incident:${other}`])
    await update(one, 'acknowledged')
    const link = pathIn((await addressed())[0]!, 0)
    expect(await house.json('guest', link, { headers: { accept: 'application/json' } })).toMatchObject({
      subscribed: true,
    })
    await house.json('guest', link, { method: 'POST', headers: { accept: 'application/json' } })
    for (const id of [one, other]) await update(id, 'in_progress')
    expect(await addresses()).toHaveLength(1)
    await house.json('guest', `${link}/undo`, { method: 'POST', headers: { accept: 'application/json' } })
    await update(one, 'acknowledged')
    expect(await addresses()).toHaveLength(1)
  })
})

describe('emails to addresses that pressed no button yet', () => {
  const stranger = (address: string) => emailFollower(address, [], { wrote: true, clicked: false })

  it('are so many a day of any kind; a confirmation waits for its turn, which counts as no attempt', async () => {
    const id = await house.report()
    const jo = await stranger('jo@outside.test')
    await leaveEmails(jo, id, strangerEmails.perDay, 'mail.received')
    await leaveEmails(jo, id, 1, 'follow.asked')
    await leaveEmails(jo, id, 1, 'mail.received')
    await drain(() => ({ as: 'sent' }))
    const all = await rows()
    expect(all.filter(({ sent }) => sent)).toHaveLength(strangerEmails.perDay)
    expect(all.filter(({ held }) => held)).toMatchObject([{ attempts: 0, error: 'over the limit' }, {}])
    expect(all.find(({ held }) => held)!.wait).toBeGreaterThan(80_000)
  })

  it('spend at most a quarter of a budget for one domain, and nothing of the other budget', async () => {
    const id = await house.report()
    const share = strangerEmails.perHour.acknowledgement * strangerEmails.share
    const people = await Promise.all(
      Array.from({ length: share / strangerEmails.perDay + 2 }, (_, i) => stranger(`jo${i}@outside.test`)),
    )
    for (const person of people.slice(0, -1))
      await leaveEmails(person, id, strangerEmails.perDay, 'mail.received')
    await drain(() => ({ as: 'sent' }))
    const sentOf = async () => (await rows()).filter(({ sent }) => sent).length
    expect(await sentOf()).toBe(share)
    await leaveEmails(await stranger('ana@elsewhere.test'), id, 1, 'mail.received')
    await leaveEmails(people.at(-1)!, id, 1, 'follow.asked')
    await drain(() => ({ as: 'sent' }))
    expect(await sentOf()).toBe(share + 2)
  })

  it('count only when they were sent', async () => {
    const id = await house.report()
    const jo = await stranger('jo@outside.test')
    await leaveEmails(jo, id, strangerEmails.perDay, 'mail.received')
    await drain(() => ({ as: 'retry', why: 'away' }))
    await makeDue()
    await drain(() => ({ as: 'sent' }))
    expect((await rows()).every(({ sent }) => sent)).toBe(true)
  })

  it('that acknowledge are dropped above the limit, not sent late', async () => {
    const id = await house.report()
    const jo = await stranger('jo@outside.test')
    await leaveEmails(jo, id, strangerEmails.perDay + 1, 'mail.received')
    await drain(() => ({ as: 'sent' }))
    const all = await rows()
    expect(all.filter(({ sent }) => sent)).toHaveLength(strangerEmails.perDay)
    expect(all.at(-1)).toMatchObject({ sent: false, held: true, error: 'over the limit' })
    await makeDue()
    await drain(() => {
      throw new Error('sent late')
    })
  })
})

describe('an address whose server refuses', () => {
  it('is stopped after so many emails refused for good', async () => {
    const id = await house.report()
    const jo = await emailFollower('jo@outside.test', [`incident:${id}`])
    await takeMessages()
    await leaveEmails(jo, id, mostRefusals + 1)
    let tried = 0
    await drain(() => {
      tried++
      return { as: 'failed', why: 'smtp 550' }
    })
    expect(tried).toBe(mostRefusals)
    expect(await standing(jo)).toEqual({ failures: mostRefusals, why: 'refused' })
    const acts = await query(
      `select action from audit_entries where entity = 'mail_follower' and entity_id = $1 order by id desc limit $2`,
      [jo, mostRefusals],
    )
    expect(acts.map(({ action }) => action)).toEqual([
      'mail_follower.stopped',
      ...Array(mostRefusals - 1).fill('mail_follower.refused'),
    ])
  })

  it('goes on through any number of temporary failures', async () => {
    const id = await house.report()
    const jo = await emailFollower('jo@outside.test', [`incident:${id}`])
    await leaveEmails(jo, id, mostRefusals + 1)
    await drain(() => ({ as: 'retry', why: 'smtp 421' }))
    expect(await standing(jo)).toEqual({ failures: 0, why: null })
  })
})

const update = (id: number, status: Status) => office.sets(id, status, undefined, { notified: true })

/** The emails to people without an account. */
const addressed = async () =>
  (await takeMessages()).emails.filter(({ to }) => !to.address.endsWith('@example.com'))

const addresses = async () => (await addressed()).map(({ to }) => to.address).sort()

/** Leaves so many emails for someone who is known by an address. */
async function leaveEmails(
  emailFollowerId: number,
  incidentId: number,
  count: number,
  event: 'incident.status_changed' | 'mail.received' | 'follow.asked' = 'incident.status_changed',
) {
  for (let i = 0; i < count; i++)
    await change(systemActor('cli'), async (c) => {
      await enqueueEmail(
        c,
        event,
        { emailFollower: emailFollowerId },
        {
          incidentId: event === 'follow.asked' ? null : incidentId,
          payload:
            event === 'follow.asked'
              ? { followed: `incident:${incidentId}` }
              : { to: 'acknowledged', isProven: true },
        },
      )
      c.audit('mail_follower.confirmed', emailFollowerId)
    })
}

/** Sends what is due; each email ends as the test says. */
async function drain(ends: () => DeliveryOutcome) {
  const email = emailDelivery(async () => ends(), countRefusal)
  await messageSender({ mail: email, push: email }).drain()
}

const rows = () =>
  queryAfterFanOut<{ sent: boolean; attempts: number; held: boolean; error: string | null; wait: number }>(
    `select sent_at is not null and last_error is null as sent, attempts, held_back_at is not null as held,
       last_error as error, extract(epoch from next_attempt_at - now())::integer as wait
     from outbox where email_follower_id is not null order by id`,
  )

const standing = async (id: number) =>
  (await query('select failures, stopped_why as why from email_followers where id = $1', [id]))[0]
