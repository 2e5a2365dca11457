import { z } from 'zod'
import { addNote } from '../../actions/incidents/addNote.js'
import { idempotently } from '../../actions/system/idempotently.js'
import { limits } from '../../domain/system/limits.js'
import { orNotFound } from '../../domain/system/validation.js'
import { notesOf } from '../../models/incidents/note.js'
import { incidentPage } from '../../pages/incidents/incidentPage.js'
import { NoteJson, presentNote } from '../../presenters/incidents/note.js'
import { both } from '../../web/request/both.js'
import { line } from '../../web/request/input.js'
import { route } from '../../web/route/route.js'

const NoteRequest = z.object({ note: line('note', limits.text) }).meta({ id: 'NoteRequest' })

/** Internal notes of an incident, written and read by staff only. */
export const noteRoutes = [
  route({
    method: 'get',
    paths: '/api/incidents/:id/notes',
    summary: 'Lists the staff notes of an incident, oldest first.',
    permission: 'note.write',
    answer: z.array(NoteJson),
    handle: async ({ params: { id } }) => ({
      data: (await notesOf(id)).map((note) => presentNote(note, id)),
    }),
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/notes'),
    summary: 'Adds a staff note to an incident.',
    permission: 'note.write',
    throttle: 'writes',
    idempotent: true,
    body: NoteRequest,
    answer: { 201: NoteJson },
    form: { view: 'incidents/show', name: 'note', load: incidentPage },
    handle: async ({ params: { id: incidentId }, body: { note }, actor }) => {
      const made = await idempotently(
        actor,
        () => addNote(actor, incidentId, note),
        async (id) => orNotFound((await notesOf(incidentId)).find((each) => each.id === id)),
      )
      return { data: presentNote(made, incidentId), location: `/incidents/${incidentId}`, notice: 'noted' }
    },
  }),
]
