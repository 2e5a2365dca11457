import { z } from 'zod'
import { idempotently } from '../../../platform/db/idempotently.js'
import { both } from '../../../platform/http/paths.js'
import { route } from '../../../platform/http/route/route.js'
import { trimmedText } from '../../../vocabulary/inputRules.js'
import { limits } from '../../../vocabulary/limits.js'
import { orNotFound } from '../../../vocabulary/validation.js'
import { addNote } from '../../acts/addNote.js'
import { findListedIncident } from '../../model/listedIncidents.js'
import { NoteJson, notesOf, presentNote } from '../../model/notes.js'
import { incidentForms } from '../forms.js'

const NoteRequest = z.object({ note: trimmedText('note', limits.text) }).meta({ id: 'NoteRequest' })

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
