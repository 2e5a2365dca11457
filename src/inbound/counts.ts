import type { Query } from '../platform/db/database.js'
import { domainOf } from '../vocabulary/email/contactDetails.js'
import type { Known } from './decide.js'
import type { SenderStanding } from './limits.js'
import { ignoreReasons } from './reasons.js'

/** What limits the emails of a sender: counts, all taken at one moment. */
type Counts = Pick<Known, 'sortsFirst' | 'hour' | 'timeline' | 'notesToday' | 'waiting' | 'ignored'>

/**
 * Counts what came in before, for `decide`. `incidentId`: the incident that the email is added to.
 * The counts are exact until the commit of a change that is in its turn (`inTurn`).
 */
export async function countsFor(
  run: Query,
  address: string | null,
  standing: SenderStanding,
  incidentId: number | null,
): Promise<Counts> {
  const [counts] = await run<Counts>(
    `select
       exists (select from properties where mail_visibility = 'when_sorted') as "sortsFirst",
       (select json_build_object(
          'ofSender', count(*) filter (where sender = $1 and standing = $3),
          'ofDomain', count(*) filter (where domain = $2 and standing = $3),
          'inAll', count(*) filter (where standing = $3),
          'told', count(*) filter (where told and standing <> 'proven'),
          'created', count(*) filter (where sender = $1 and action = 'created'))
        from inbound_messages where received_at > now() - interval '1 hour') as hour,
       (select json_build_object(
          'entries', count(*),
          'bytes', coalesce(sum(octet_length(body)), 0),
          'own', count(*) filter (where author_email = $1),
          'ownBytes', coalesce(sum(octet_length(body)) filter (where author_email = $1), 0),
          'unproven', count(*) filter (where via = 'email' and sender_proven is not true),
          'unprovenBytes',
            coalesce(sum(octet_length(body)) filter (where via = 'email' and sender_proven is not true), 0))
        from incident_updates where incident_id = $4) as timeline,
       (select count(*)::integer from internal_notes
        where incident_id = $4 and author_id is null and created_at > now() - interval '1 day') as "notesToday",
       (select json_build_object(
          'inAll', count(*),
          'strangers', count(*) filter (where not has_account),
          'ofDomain', count(*) filter (where not has_account and domain = $2),
          'ofSender', count(*) filter (where has_account and sender_address = $1))
        from held_mails where sorted_at is null) as waiting,
       (select json_build_object(
          'ofDomain', count(*) filter (where domain = $2), 'inAll', count(*))
        from held_mails where reason = any ($5) and received_at > now() - interval '1 hour') as ignored`,
    [address ?? '', domainOf(address), standing, incidentId, ignoreReasons],
  )
  return counts!
}
