import type { HoldReason } from '../../../src/inbound/reasons.js'
import type { SenderStanding } from '../../../src/inbound/senderStanding.js'
import { query } from '../../../src/platform/db/database.js'

/** Their one sender and domain; without these, every email has another address and domain. */
type Whose = { sender?: string; domain?: string; reason?: HoldReason; isSorted?: boolean }

/** So many emails of senders of this standing were taken in within this hour. */
export const takeInEmails = (
  standing: SenderStanding,
  count: number,
  incidentId: number,
  { sender, domain }: Whose = {},
) =>
  query(
    `insert into inbound_emails
       (digest, sender, action, incident_id, received_at, standing, sender_standing, domain)
     select gen_random_uuid()::text, coalesce($4, 's' || i), 'created', $1, now(),
       case $2 when 'account' then 'proven' else 'stranger' end, $2, coalesce($5, 'd' || i || '.example')
     from generate_series(1, $3::integer) i`,
    [incidentId, standing, count, sender, domain],
  )

/** So many emails of senders of this standing wait for the office, or have been sorted by it. */
export const holdEmails = (
  standing: SenderStanding,
  count: number,
  { sender, domain, reason = 'total', isSorted = false }: Whose = {},
) =>
  query(
    `insert into held_emails
       (received_at, domain, reason, sender_address, title, description, skipped, sender_standing, sorted_at)
     select now() - i * interval '1 second', coalesce($4, 'd' || i || '.example'), $6, coalesce($5, 's' || i), 'x', '',
       '{"refused":[],"later":[]}', $1, case when $3 then now() end
     from generate_series(1, $2::integer) i`,
    [standing, count, isSorted, domain, sender, reason],
  )

/**
 * So many comments by email on a report. `sender`: SQL of row `i`, the address; `author`: the
 * address of the account of a proven sender.
 */
export const commentsByEmail = (
  incidentId: number,
  count: number,
  { sender, isProven, author = null }: { sender: string; isProven: boolean; author?: string | null },
) =>
  query(
    `insert into incident_updates (incident_id, author_id, author_label, author_email, body, via, sender_proven)
     select $1, (select u.id from users u where u.email = $4), 'By email', ${sender}, 'x', 'email', $3
     from generate_series(1, $2::integer) i`,
    [incidentId, count, isProven, author],
  )

/** So many replies of assignees to a report, by email. */
export const assigneeReplies = (incidentId: number, count: number, standing: SenderStanding) =>
  query(
    `insert into internal_notes (incident_id, author_email, body, sender_standing)
     select $1, 'a@company.example', 'x', $3 from generate_series(1, $2::integer) i`,
    [incidentId, count, standing],
  )
