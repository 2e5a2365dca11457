import { query } from '../../../src/platform/db/database.js'
import type { PushMessage } from '../../../src/platform/push/push.js'
import type { Email } from '../../../src/vocabulary/email/delivery.js'
import { emailDelivery, messageSender, pushDelivery, queryAfterFanOut } from '../sending.js'

/** What gathers is due: its time has passed. What somebody is writing waits for the next time. */
export const endGathering = () =>
  queryAfterFanOut(
    `update outbox set next_attempt_at = now() where id in (
       select id from outbox where gather_key is not null and attempts = 0 for update skip locked)`,
  )

/**
 * Sends what waits in the outbox to nobody but the test; in the order it was written
 * down. What gathers is due.
 */
export async function takeMessages(): Promise<{
  mails: Email[]
  pushes: (PushMessage & { token: string })[]
}> {
  const mails: Email[] = []
  const pushes: (PushMessage & { token: string })[] = []
  const mail = emailDelivery(async (letter) => {
    mails.push(letter)
    return { as: 'sent' }
  })
  const push = pushDelivery(
    async ({ token }, each) => {
      pushes.push({ token, ...each })
      return { as: 'sent' }
    },
    async () => {},
  )
  const sender = messageSender({ mail, push }, { atOnce: 1 })
  await endGathering()
  await sender.drain()
  // What is for people without an account begins to gather only when it is spread.
  await endGathering()
  await sender.drain()
  return { mails, pushes }
}

/** What waits is of no interest to this test. */
export async function emptyOutbox(): Promise<void> {
  await query('delete from events')
  await query('delete from outbox')
}

/** Leaves a mail to everybody with these addresses, as an action would. */
export async function leaveMail(event: string, payload: unknown, ...emails: string[]): Promise<void> {
  await query(
    `insert into outbox (kind, event, recipient_id, payload)
     select 'mail', $1, id, $2 from users where email = any ($3) order by id`,
    [event, JSON.stringify(payload), emails],
  )
}
