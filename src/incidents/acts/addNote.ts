import { change } from '../../platform/db/change.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'

/**
 * Adds a note for staff only: no event, email or timeline entry, and its text is not in the audit
 * log, which others may read. Returns its id. Throws NotFound; Conflict on a merged duplicate.
 */
export async function addNote(actor: Actor, incidentId: number, body: string): Promise<number> {
  return change(actor, async (c) => {
    refuseMerged(orNotFound(await Incident.locked(c.trx, incidentId)))
    const [note]: { id: number }[] = await c
      .trx('internal_notes')
      .insert({ incidentId, authorId: actor.id, body, createdAt: c.now })
      .returning('id')
    c.audit('incident.noted', incidentId, { note: { before: null, after: note!.id } })
    c.resultId(note!.id)
    return note!.id
  })
}
