import type { SenderStanding } from '../../../src/inbound/limits.js'
import type { HoldReason } from '../../../src/inbound/reasons.js'
import { query } from '../../../src/platform/db/database.js'

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
