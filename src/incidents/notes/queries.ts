import { query } from '../../platform/db/database.js'
import { mailName } from '../../vocabulary/people/anonymity.js'

/** An internal note, for staff only. */
export type InternalNote = {
  id: number
  incidentId: number
  authorName: string
  /** Of a reply by an assignee outside the building; null for staff. */
  authorEmail: string | null
  body: string
  createdAt: Date
}

/** The internal notes of an incident and its duplicates, oldest first; for staff only. */
export function notesOf(incidentId: number): Promise<InternalNote[]> {
  return query(
    `select n.id, n.incident_id as "incidentId", coalesce(u.name, '${mailName}') as "authorName",
       n.author_email as "authorEmail", n.body, n.created_at as "createdAt"
     from internal_notes n left join users u on u.id = n.author_id
     where n.incident_id in (select id from incidents where id = $1 or merged_into_id = $1) order by n.id`,
    [incidentId],
  )
}
