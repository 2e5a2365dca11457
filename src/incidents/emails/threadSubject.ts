import type { Reader } from '../../notifications/emails/reader.js'
import { query } from '../../platform/db/database.js'
import type { ListedIncident } from '../model/entity.js'

/**
 * The subject of every email about a report to this reader, without the tag that ends it: mail
 * programs show as one conversation what has one subject (decision 9.13). It is the report's title;
 * for a reader whose first email from us may not repeat anyone's words (decision 7.4), it names the
 * building.
 */
export async function threadSubject(reader: Reader, row: ListedIncident): Promise<string> {
  return (await beganWithoutTitle(reader, row)) ? subjectWithoutTitle(reader) : row.title
}

/** The subject of an email that may not repeat anyone's words. */
export const subjectWithoutTitle = ({ t, property }: Reader): string =>
  t.emails.subject.withoutTitle(property.name)

/**
 * Whether the first email to this reader about the report had no title: their own email was
 * unproven, or they wrote before they followed it.
 */
async function beganWithoutTitle({ who, address }: Reader, row: ListedIncident): Promise<boolean> {
  const emailFollowerId = 'emailFollowerId' in who ? who.emailFollowerId : null
  if (row.reporterEmail === null && emailFollowerId === null) return false
  const [began] = await query<{ withoutTitle: boolean }>(
    `select coalesce(
       (select i.sender_proven is not true from incidents i where i.id = $1 and lower(i.reporter_email) = lower($2)),
       $3::integer is not null and exists (
         select from incident_updates u
         where u.incident_id = $1 and lower(u.author_email) = lower($2) and not exists (
           select from email_follows f where f.email_follower_id = $3 and f.created_at < u.created_at
             and f.incident_id in (select id from incident_family(u.incident_id))
         )
       )
     ) as without_title`,
    [row.id, address, emailFollowerId],
  )
  return began!.withoutTitle
}
