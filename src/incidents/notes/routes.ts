import { z } from 'zod'
import { idempotently } from '../../platform/db/idempotently.js'
import { both } from '../../platform/http/request/both.js'
import { line } from '../../platform/http/request/input.js'
import { route } from '../../platform/http/route/route.js'
import { limits } from '../../vocabulary/limits.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { incidentPage } from '../page/page.js'
import { addNote } from './addNote.js'
import { NoteJson, presentNote } from './json.js'
import { notesOf } from './queries.js'

const NoteRequest = z.object({ note: line('note', limits.text) }).meta({ id: 'NoteRequest' })

/** Internal notes of an incident, written and read by staff only. */
export const noteRoutes = [
  route({
    method: 'get',
    paths: '/api/incidents/:id/notes',
    summary: 'Lists the notes that only staff can read, oldest first.',
    permission: 'note.write',
    answer: z.array(NoteJson),
    handle: async ({ params: { id } }) => ({
      data: (await notesOf(id)).map((note) => presentNote(note, id)),
    }),
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/notes'),
    summary: 'Adds a note that only staff can read.',
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
