import { change } from '../../platform/db/change.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../incident.js'
import type { InternalNote } from './queries.js'

/**
 * Adds a note for staff only: no event, mail or timeline entry, and its text is not in the audit log, which
 * others may read. Throws NotFound; Conflict on a merged duplicate.
 */
export async function addNote(actor: Actor, incidentId: number, body: string): Promise<InternalNote> {
  return change(actor, async (c) => {
    refuseMerged(orNotFound(await Incident.locked(c.trx, incidentId)))
    const [note] = await c.query<{ id: number }>(
      'insert into internal_notes (incident_id, author_id, body, created_at) values ($1, $2, $3, $4) returning id',
      [incidentId, actor.id, body, c.now],
    )
    c.audit('incident.noted', incidentId, { note: { before: null, after: note!.id } })
    c.resultId(note!.id)
    return { id: note!.id, incidentId, authorName: actor.name, authorEmail: null, body, createdAt: c.now }
  })
}
