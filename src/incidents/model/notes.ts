import { z } from 'zod'
import { query } from '../../platform/db/database.js'
import { instantText, rowId, shape } from '../../platform/http/json.js'
import { byEmailName } from '../../vocabulary/people/personName.js'

/** An internal note, for staff only. */
export type InternalNote = {
  id: number
  incidentId: number
  authorName: string
  /** Of a reply by an assignee outside the building; null for staff. */
  authorEmail: string | null
  body: string
  createdAt: Date
  /** Of the email that it came by, where that says more. */
  wholeEmailId: number | null
}

/** The internal notes of an incident and its duplicates, oldest first; for staff only. */
export function notesOf(incidentId: number): Promise<InternalNote[]> {
  return query(
    `select n.id, n.incident_id, coalesce(u.name, $2) as author_name, n.author_email, n.body, n.created_at,
       (select e.id from whole_emails e where e.note_id = n.id) as whole_email_id
     from internal_notes n
     left join users u on u.id = n.author_id
     where n.incident_id in (select id from incidents where id = $1 or merged_into_id = $1)
     order by n.id`,
    [incidentId, byEmailName],
  )
}

/**
 * The latest reply of an assignee outside the building on each incident, by the incident's id; for
 * staff only.
 */
export async function lastAssigneeNotes(incidentIds: readonly number[]): Promise<Map<number, InternalNote>> {
  const rows = await query<InternalNote>(
    `select last.*
     from unnest($1::integer[]) i (id)
     cross join lateral (
       select n.id, n.incident_id, $2::text as author_name, n.author_email, n.body, n.created_at,
         (select e.id from whole_emails e where e.note_id = n.id) as whole_email_id
       from internal_notes n
       where n.incident_id = i.id and n.author_id is null
       order by n.id desc limit 1
     ) last`,
    [incidentIds, byEmailName],
  )
  return new Map(rows.map((note) => [note.incidentId, note]))
}

/**
 * An internal note, for staff only. `fromIncidentId`: the duplicate it was written on (decision
 * 2.5). `via`, `authorEmail`: of a reply by an assignee outside the building (decision 7.5).
 * `wholeEmailId`: of the email it came by, where that says more (9.1).
 */
export const NoteJson = shape('InternalNote', {
  id: rowId,
  authorName: z.string(),
  body: z.string(),
  createdAt: instantText,
  fromIncidentId: rowId.optional(),
  via: z.literal('email').optional(),
  authorEmail: z.string().optional(),
  wholeEmailId: rowId.optional(),
})

export function presentNote(note: InternalNote, shownOn: number): z.output<typeof NoteJson> {
  const { id, incidentId, authorName, authorEmail, body, createdAt, wholeEmailId } = note
  const from = incidentId === shownOn ? {} : { fromIncidentId: incidentId }
  const sender = authorEmail === null ? {} : { via: 'email' as const, authorEmail }
  const whole = wholeEmailId === null ? {} : { wholeEmailId }
  return { id, authorName, body, createdAt: createdAt.toISOString(), ...from, ...sender, ...whole }
}
