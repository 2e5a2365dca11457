import type { SenderStanding } from '../../../src/inbound/limits.js'
import type { HoldReason } from '../../../src/inbound/reasons.js'
import { query } from '../../../src/platform/db/database.js'
import type { House } from '../house/house.js'
import { forgetEmailFollowers } from './emailFollowers.js'

/** The email server of the building, whose verdict on a sender is believed. */
export const houseServer = 'mx.house.example'

type Given = {
  from: string
  subject?: string
  text?: string
  messageId?: string
  isProven?: boolean
  isSpam?: boolean
}

let n = 0

/**
 * Sends an email to the building; its sender is proven or forged. Returns the answer of the door.
 */
export function receive(house: House, given: Given): Promise<Response> {
  n += 1
  const { from, subject = `Smell ${n}`, text = `Words ${n}.`, messageId = `<${n}@x.example>` } = given
  const verdict = `${houseServer}; dmarc=pass header.from=${from.split('@')[1]}`
  const headers: Record<string, string> = {}
  if (given.isProven) headers['Authentication-Results'] = verdict
  if (given.isSpam) headers['X-Spam-Flag'] = 'YES'
  return house.ask('inbound', '/api/inbound-email', { json: { from, subject, text, messageId, headers } })
}

/** What becomes of such an email: created, appended, held, or refused for now. */
export async function outcomeOf(house: House, given: Given): Promise<string> {
  const answer = await receive(house, given)
  if (answer.status === 503) return 'refused'
  const { action, reason } = (await answer.json()) as { action: string; reason?: string }
  return reason ?? action
}

/** As if every email had come in so much earlier, such as `9 minutes`. */
export const emailsAge = (time: string) =>
  query('update inbound_emails set received_at = received_at - $1::interval', [time])

/** Takes the emails of this hour out of the count. */
export const anHourLater = () => emailsAge('1 hour')

/** Forgets every email that came in: none counts against a limit, waits, or is a repetition. */
export const forgetEmails = () =>
  query(
    'delete from held_emails; delete from dropped_emails; delete from inbound_emails; delete from throttles',
  )

/** As if no one had ever emailed, followed by email, or had a message to come. */
export async function forgetSenders(): Promise<void> {
  await forgetEmailFollowers()
  await forgetEmails()
}

/** SQL of row `i`: another address and another domain each, unless these are given. */
type Whose = { sender?: string; domain?: string; reason?: HoldReason; isSorted?: boolean }

/** So many emails of senders of this standing were taken in within this hour. */
export const takeInEmails = (
  standing: SenderStanding,
  count: number,
  incidentId: number,
  { sender = `'s' || i`, domain = `'d' || i || '.example'` }: Whose = {},
) =>
  query(
    `insert into inbound_emails
       (digest, sender, action, incident_id, received_at, standing, sender_standing, domain)
     select gen_random_uuid()::text, ${sender}, 'created', $1, now(),
       case $2 when 'account' then 'proven' else 'stranger' end, $2, ${domain}
     from generate_series(1, $3::integer) i`,
    [incidentId, standing, count],
  )

/** So many emails of senders of this standing wait for the office, or have been sorted by it. */
export const holdEmails = (
  standing: SenderStanding,
  count: number,
  { sender = `'s' || i`, domain = `'d' || i || '.example'`, reason = 'total', isSorted = false }: Whose = {},
) =>
  query(
    `insert into held_emails
       (received_at, domain, reason, sender_address, title, description, skipped, sender_standing, sorted_at)
     select now() - i * interval '1 second', ${domain}, '${reason}', ${sender}, 'x', '',
       '{"refused":[],"later":[]}', $1, case when $3 then now() end
     from generate_series(1, $2::integer) i`,
    [standing, count, isSorted],
  )
