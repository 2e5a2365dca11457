import { messageName } from '../../../src/notifications/emails/renderEmail.js'
import type { Query } from '../../../src/platform/db/database.js'
import type { Received } from '../../../test/support/webhooks/receiver.js'
import { notifiedEscalations } from './tables.js'

/** What arrived is what was written, once, and what was noted as arrived did. */
export async function webhookFaults(
  query: Query,
  received: readonly Pick<Received, 'id' | 'raw' | 'verified'>[],
): Promise<string[]> {
  const rows = await query<{ fault: string }>(
    `with arrived as (select * from unnest($1::uuid[], $2::text[]) as a (id, body))
     select 'delivered twice: ' || id as fault from arrived group by id having count(*) > 1
     union all select 'delivered, but of nothing that happened: ' || id from arrived
     where id not in (select event_id from webhook_deliveries)
     union all select 'delivered with other words than were written: ' || arrived.id from arrived
       join webhook_deliveries d on d.event_id = arrived.id where d.body <> arrived.body
     union all select 'noted as delivered, but not arrived: ' || event_id from webhook_deliveries
       where status = '200' and event_id not in (select id from arrived)`,
    [received.map(({ id }) => id), received.map(({ raw }) => raw.toString())],
  )
  const unsigned = received
    .filter(({ verified }) => !verified)
    .map(({ id }) => `delivered with a wrong signature: ${id}`)
  return [...rows.map(({ fault }) => fault), ...unsigned]
}

/**
 * An email that arrived: the name in its Message-ID, which is made of an outbox row, and whom it is
 * to.
 */
export type ArrivedEmail = { name: string; to: string }

export function arrivedEmail(text: string, to: string): ArrivedEmail {
  return { name: /^Message-ID:\s+<([\w-]+)@/im.exec(text)?.[1] ?? 'no Message-ID', to }
}

/**
 * Each email is one row's, to its recipient, no two of them the same escalation to the same person;
 * none that was sent is missing, but for those that the office sees as not confirmed. `mayRepeat`:
 * a server that was cut off after an email may get that email again, under the same name.
 */
export async function emailFaults(
  query: Query,
  emails: readonly ArrivedEmail[],
  { mayRepeat = false } = {},
): Promise<string[]> {
  const rows = await query<{
    id: number
    createdAt: Date
    incidentId: number | null
    contactId: number | null
  }>(
    `select id, created_at, incident_id, contact_id from outbox
     where kind = 'mail'`,
  )
  const rowOf = new Map(rows.map((row) => [messageName(row), row.id]))
  const distinct = [...new Map(emails.map((email) => [`${email.name} ${email.to}`, email])).values()]
  const counted = mayRepeat ? distinct : emails
  const faults = await query<{ wrong: string; what: string }>(
    `with files as (select f.id, f.address from unnest($1::bigint[], $2::text[]) as f (id, address)),
       known as (
         select o.id, f.address from files f
         join outbox o on o.id = f.id left join users u on u.id = o.recipient_id
         left join email_followers m on m.id = o.email_follower_id
         where f.address = coalesce(u.email, m.address))
     select 'an email of no row, or to another person' as wrong, id::text as what from files
     where id not in (select id from known)
     union all select 'an email that came twice', id::text from files group by id having count(*) > 1
     union all select 'an escalation emailed twice', known.address || ' ' || notified.incident_id
       from known join (${notifiedEscalations}) notified on notified.id = known.id
       group by known.address, notified.incident_id having count(*) > 1
     union all select 'an email noted as sent, but not there', o.id::text from outbox o
       where o.kind = 'mail' and o.sent_at is not null and o.last_error is null and o.confirm_by is null
         and o.id not in (select id from files)`,
    [counted.map(({ name }) => rowOf.get(name) ?? 0), counted.map(({ to }) => to)],
  )
  return faults.map(({ wrong, what }) => `${wrong}: ${what}`)
}
