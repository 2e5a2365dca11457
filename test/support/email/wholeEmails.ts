import { scalar } from '../rows.js'

type Target = { incidentId: number; updateId?: number; noteId?: number }

/**
 * The whole email of a report or, with an id of it, of an update or note, as it
 * is kept; returns its id.
 */
export async function aWholeEmail(target: Target, subject: string, text: string): Promise<number> {
  const { incidentId, updateId = null, noteId = null } = target
  return scalar<number>(
    `insert into whole_emails (incident_id, update_id, note_id, subject, text, received_at)
     values ($1, $2, $3, $4, $5, now()) returning id`,
    [incidentId, updateId, noteId, subject, text],
  )
}
