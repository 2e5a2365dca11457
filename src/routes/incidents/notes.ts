import { z } from 'zod'
import { addNote } from '../../actions/incidents/addNote.js'
import { once } from '../../actions/system/once.js'
import { found } from '../../domain/system/invalid.js'
import { limits } from '../../domain/system/limits.js'
import { notesOf } from '../../models/incidents/note.js'
import { incidentPage } from '../../pages/incidents/incidentPage.js'
import { presentNote } from '../../presenters/incidents/note.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { idempotent } from '../../web/request/idempotency.js'
import { input, line, pathId } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

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
