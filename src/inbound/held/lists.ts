import { query } from '../../platform/db/database.js'
import { rowOf } from '../../platform/db/row.js'

/** Domains of several waiting emails, most first. */
export function crowdedDomains(): Promise<{ domain: string; emails: number }[]> {
  return query(
    `select domain, count(*)::integer as emails from held_emails where sorted_at is null and domain <> ''
     group by domain having count(*) > 1 order by emails desc, domain limit 20`,
  )
}

type DroppedEmails = { domain: string; emails: number; latestAt: Date }

/** A row of `dropped_emails`. */
class DroppedOfDomain extends rowOf<DroppedEmails>() {
  static override tableName = 'dropped_emails'
}

/** Counts of emails that were not kept, by domain, most first; an empty domain: all others. */
export async function droppedEmails(): Promise<DroppedEmails[]> {
  return DroppedOfDomain.query().orderByRaw(`domain = '', emails desc, domain`)
}
