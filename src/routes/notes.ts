import { z } from 'zod'
import { addNote } from '../actions/addNote.js'
import { once } from '../actions/once.js'
import { found } from '../domain/invalid.js'
import { limits } from '../domain/limits.js'
import { notesOf } from '../models/note.js'
import { presentNote } from '../presenters/note.js'
import { allow } from '../web/allow.js'
import { body } from '../web/body.js'
import { both } from '../web/both.js'
import type { AppRouter } from '../web/context.js'
import { form } from '../web/form.js'
import { idempotent } from '../web/idempotency.js'
import { input, line, pathId } from '../web/input.js'
import { respond } from '../web/respond.js'
import { throttle } from '../web/throttle.js'
import { incidentPage } from './incidentPage.js'

const NoteRequest = z.object({ note: line('note', limits.text) })

/** Internal notes of an incident: written and read by staff, in no answer to anybody else. */
export function noteRoutes(router: AppRouter): void {
  router.get('/api/incidents/:id/notes', allow('note.write'), async (ctx) => {
    await respond(ctx, { data: (await notesOf(pathId(ctx))).map(presentNote) })
  })

  router.post(
    both('/incidents/:id/notes'),
    allow('note.write'),
    throttle('writes'),
    body(),
    idempotent(),
    form({ view: 'incidents/show', load: incidentPage }),
    async (ctx) => {
      const incidentId = pathId(ctx)
      const { note } = input(ctx, NoteRequest)
      const { actor } = ctx.state
      const made = await once(
        actor,
        () => addNote(actor, incidentId, note),
        async (id) => found((await notesOf(incidentId)).find((each) => each.id === id)),
      )
      await respond(ctx, {
        data: presentNote(made),
        location: `/incidents/${incidentId}`,
        notice: 'noted',
        status: 201,
      })
    },
  )
}
