import { query } from '../../../src/platform/db/database.js'
import type { PushMessage } from '../../../src/platform/push/pushMessage.js'
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
  emails: Email[]
  pushes: (PushMessage & { token: string })[]
}> {
  const emails: Email[] = []
  const pushes: (PushMessage & { token: string })[] = []
  const email = emailDelivery(async (letter) => {
    emails.push(letter)
    return { as: 'sent' }
  })
  const push = pushDelivery(
    async ({ token }, each) => {
      pushes.push({ token, ...each })
      return { as: 'sent' }
    },
    async () => {},
  )
  const sender = messageSender({ mail: email, push }, { atOnce: 1 })
  await endGathering()
  await sender.drain()
  // What is for people without an account begins to gather only when it is spread.
  await endGathering()
  await sender.drain()
  return { emails, pushes }
}

/** What waits is of no interest to this test. */
export async function emptyOutbox(): Promise<void> {
  await query('delete from events')
  await query('delete from outbox')
}

/** Leaves an email to everybody with these addresses, as an action would. */
export async function leaveEmail(event: string, payload: unknown, ...emails: string[]): Promise<void> {
  await query(
    `insert into outbox (kind, event, recipient_id, payload)
     select 'mail', $1, id, $2 from users where email = any ($3) order by id`,
    [event, JSON.stringify(payload), emails],
  )
}
