import type { SenderStanding } from '../../../src/inbound/limits.js'
import { query } from '../../../src/platform/db/database.js'

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
