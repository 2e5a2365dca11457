import { z } from 'zod'
import { change } from '../../../platform/db/change.js'
import { idempotently } from '../../../platform/db/idempotently.js'
import { both } from '../../../platform/http/paths.js'
import { route } from '../../../platform/http/route/route.js'
import { line } from '../../../vocabulary/inputRules.js'
import { refuseMerged } from '../../../vocabulary/lifecycle.js'
import { limits } from '../../../vocabulary/limits.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import { orNotFound } from '../../../vocabulary/validation.js'
import { Incident } from '../../model/incident.js'
import { findListedIncident } from '../../model/listedIncidents.js'
import { NoteJson, notesOf, presentNote } from '../../model/notes.js'
import { incidentForms } from '../forms.js'

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

const NoteRequest = z.object({ note: line('note', limits.text) }).meta({ id: 'NoteRequest' })

/** Internal notes of an incident, written and read by staff only. */
export const noteRoutes = [
  route({
    method: 'get',
    paths: '/api/incidents/:id/notes',
    group: 'incidents',
    summary: 'Lists the staff notes of an incident, oldest first.',
    permission: 'note.write',
    answer: z.array(NoteJson),
    handle: async ({ params }) => {
      const { id } = orNotFound(await findListedIncident(params.id))
      return { data: (await notesOf(id)).map((note) => presentNote(note, id)) }
    },
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/notes'),
    group: 'incidents',
    summary: 'Adds a staff note to an incident.',
    permission: 'note.write',
    throttle: 'writes',
    idempotent: true,
    body: NoteRequest,
    answer: { 201: NoteJson },
    form: incidentForms.note,
    handle: async ({ params: { id: incidentId }, body, actor }) => {
      const made = await idempotently(actor, () => addNote(actor, incidentId, body.note))
      const note = orNotFound((await notesOf(incidentId)).find(({ id }) => id === made))
      return { data: presentNote(note, incidentId), location: `/incidents/${incidentId}`, notice: 'noted' }
    },
  }),
]
