import { z } from 'zod'
import { query } from '../../platform/db/database.js'
import { rowOf } from '../../platform/db/row.js'
import { instantText, rowId, shape } from '../../platform/http/json.js'
import { limits } from '../../vocabulary/limits.js'

/**
 * The whole text of an email, for staff alone. `updateId`, `noteId`: what it became, if not the
 * report itself.
 */
export const WholeEmailJson = shape('WholeEmail', {
  id: rowId,
  incidentId: rowId,
  updateId: rowId.optional(),
  noteId: rowId.optional(),
  subject: z.string(),
  text: z.string(),
  receivedAt: instantText,
})

type WholeEmailRow = {
  id: number
  incidentId: number
  updateId: number | null
  noteId: number | null
  subject: string
  text: string
  receivedAt: Date
}

/** An email of an incident, or of one of its duplicates; null when there is none. */
export async function wholeEmailOf(incidentId: number, emailId: number): Promise<WholeEmailRow | null> {
  const [row] = await query<WholeEmailRow>(
    `select e.id, e.incident_id, e.update_id, e.note_id, e.subject, e.text, e.received_at
     from whole_emails e join incidents i on i.id = e.incident_id
     where e.id = $2 and (i.id = $1 or i.merged_into_id = $1)`,
    [incidentId, emailId],
  )
  return row ?? null
}

export function presentWholeEmail(row: WholeEmailRow): z.output<typeof WholeEmailJson> {
  const { id, incidentId, updateId, noteId, subject, text, receivedAt } = row
  return {
    id,
    incidentId,
    ...(updateId === null ? {} : { updateId }),
    ...(noteId === null ? {} : { noteId }),
    subject,
    text,
    receivedAt: receivedAt.toISOString(),
  }
}

/** A row of `whole_emails`, as the words beside it say where it went. */
class StoredEmail extends rowOf<{ incidentId: number; updateId: number | null; noteId: number | null }>() {
  static override tableName = 'whole_emails'
}

/** The emails that these incidents were reported by: their ids, by incident. */
export async function reportEmails(incidentIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await StoredEmail.query()
    .whereIn('incidentId', [...incidentIds])
    .where({ updateId: null, noteId: null })
    .select('id', 'incidentId')
  return new Map(rows.map(({ id, incidentId }) => [incidentId, id]))
}

/**
 * An email as a timeline unfolds it: as much of its text as an entry may have. `isLonger`: its rest
 * is on its own page.
 */
export type UnfoldedEmail = { subject: string; text: string; isLonger: boolean }

/** These emails, by id, as a timeline unfolds them. */
export async function unfoldedEmails(ids: readonly number[]): Promise<Record<number, UnfoldedEmail>> {
  if (ids.length === 0) return {}
  const rows = await query<UnfoldedEmail & { id: number }>(
    `select id, subject, left(text, $2) as text, char_length(text) > $2 as is_longer
     from whole_emails where id = any ($1)`,
    [ids, limits.text],
  )
  return Object.fromEntries(rows.map(({ id, ...email }) => [id, email]))
}
