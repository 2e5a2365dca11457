import type { Query } from '../platform/db/database.js'
import { domainOf } from '../vocabulary/email/mailbox.js'
import type { Known } from './decide.js'
import { ignoreReasons } from './reasons.js'
import type { SenderStanding } from './senderStanding.js'

/** What limits the emails of a sender: counts, all taken at one moment. */
type Counts = Pick<Known, 'sortsFirst' | 'hour' | 'timeline' | 'notesToday' | 'waiting' | 'ignored'>

/**
 * Counts what came in before, for `decide`: everything that has a standing counts apart for each.
 * `incidentId`: the incident that the email is added to. The counts are exact until the commit of a
 * change that is in its turn (`waitForTurn`). Rows of version 1.0.0 have no `sender_standing`: an
 * account that it called "claimed" was not proven.
 */
export async function countsFor(
  run: Query,
  address: string | null,
  standing: SenderStanding,
  incidentId: number | null,
): Promise<Counts> {
  const [counts] = await run<Counts>(
    `select
       exists (select from properties where email_visibility = 'when_sorted') as sorts_first,
       (select json_build_object(
          'ofSender', count(*) filter (where sender = $1),
          'ofDomain', count(*) filter (where domain = $2),
          'inAll', count(*),
          'staffNotified', count(*) filter (where staff_notified),
          'created', count(*) filter (where sender = $1 and action = 'created'))
        from inbound_emails
        where standing is not null and received_at > now() - interval '1 hour'
          and coalesce(sender_standing, case standing when 'proven' then 'account' else 'unproven' end) = $3) as hour,
       (select json_build_object(
          'entries', count(*),
          'bytes', coalesce(sum(bytes), 0),
          'ofSender', count(*) filter (where is_of_standing and author_email = $1),
          'senderBytes', coalesce(sum(bytes) filter (where is_of_standing and author_email = $1), 0),
          'ofStanding', count(*) filter (where is_of_standing),
          'standingBytes', coalesce(sum(bytes) filter (where is_of_standing), 0))
        from (
          select octet_length(body) as bytes, author_email,
            via = 'email' and $3 = case
              when sender_proven is not true then 'unproven'
              when author_id is null then 'address'
              else 'account' end as is_of_standing
          from incident_updates where incident_id = $4
        ) entry) as timeline,
       (select count(*)::integer from internal_notes
        where incident_id = $4 and author_id is null and created_at > now() - interval '1 day'
          and coalesce(sender_standing, 'unproven') = $3) as notes_today,
       (select json_build_object(
          'inAll', count(*),
          'ofStanding', count(*) filter (where is_of_standing),
          'ofDomain', count(*) filter (where is_of_standing and domain = $2),
          'ofSender', count(*) filter (where is_of_standing and sender_address = $1),
          'spam', count(*) filter (where is_of_standing and reason = 'spam'))
        from (
          select domain, sender_address, reason, held_standing(sender_standing, user_id) = $3 as is_of_standing
          from held_emails where sorted_at is null
        ) held) as waiting,
       (select json_build_object(
          'ofDomain', count(*) filter (where domain = $2), 'inAll', count(*))
        from held_emails
        where reason = any ($5) and received_at > now() - interval '1 hour'
          and held_standing(sender_standing, user_id) = $3) as ignored`,
    [address ?? '', domainOf(address), standing, incidentId, ignoreReasons],
  )
  return counts!
}
