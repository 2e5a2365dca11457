import { z } from 'zod'
import { idempotently } from '../../../platform/db/idempotently.js'
import type { Context } from '../../../platform/http/context.js'
import { enteredFields } from '../../../platform/http/enteredFields.js'
import { both } from '../../../platform/http/paths.js'
import { jsonOrForm } from '../../../platform/http/route/fields.js'
import { route } from '../../../platform/http/route/route.js'
import { dropDraft } from '../../../platform/http/session/formDraft.js'
import {
  clearsStoredValue,
  flag,
  moment,
  oneOf,
  optionalText,
  trimmedText,
} from '../../../vocabulary/inputRules.js'
import { closingReasons, statuses } from '../../../vocabulary/lifecycle.js'
import { limits } from '../../../vocabulary/limits.js'
import type { Viewer } from '../../../vocabulary/people/actor.js'
import { orNotFound, ValidationFailed } from '../../../vocabulary/validation.js'
import { addNote } from '../../acts/addNote.js'
import type { IncidentPatch } from '../../acts/allowedPatch.js'
import { patchIncident } from '../../acts/patchIncident.js'
import { Incident } from '../../model/incident.js'
import { timelineEntries } from '../../model/timeline/timelineEntries.js'
import { presentUpdate, UpdateJson } from '../../model/timeline/updateJson.js'
import { incidentForms } from '../forms.js'
import { shownIncident } from '../incidentPage.js'
import { carriedPhotos, photosOfRequest } from '../postedPhotos.js'
import { carryUpdateForm } from '../reporting/carriedForms.js'
import { assigneeFields, assigneeFrom } from './assigneeInput.js'
import { changedFields } from './changedMeanwhile.js'
import { reasonFrom, storedFields } from './updateForm.js'

/**
 * The update request (spec §2), with what only staff set: the forecast, a closing reason, the
 * assignee, and whether the status page shows it. Null means not given (decision 7.6), empty text
 * clears. `version`: what the office had said when the form was made (`officeVersion`).
 */
const UpdateRequest = ({ zone }: { zone: string }) =>
  updateRequest('UpdateRequest', updateFields(zone)).meta({ required: ['body'] })

/**
 * The update request from the form, which is also the one for staff notes: notes change nothing
 * else.
 */
const UpdateForm = ({ zone }: { zone: string }) =>
  updateRequest('UpdateForm', { ...updateFields(zone), noteOnly: flag('noteOnly').default(false) })

const updateRequest = <Fields extends z.ZodRawShape>(id: string, fields: Fields) =>
  z
    .object(fields)
    .refine(hasSomething, { path: ['body'], message: 'body_required', when: () => true })
    .meta({ id })

const updateFields = (zone: string) => ({
  body: trimmedText('body', limits.text, 0).default(''),
  newStatus: oneOf('status', statuses).nullish().default(null),
  closingReason: oneOf('closingReason', closingReasons).nullish(),
  statusReason: clearsStoredValue(trimmedText('statusReason', limits.reason)),
  otherReason: optionalText('statusReason', limits.reason),
  expectedBackAt: clearsStoredValue(moment('expectedBack', zone)),
  onStatusPage: flag('onStatusPage').nullish(),
  ...assigneeFields,
  version: z.string('not_text').nullish(),
  namedAnyway: trimmedText('body', limits.text, 0).nullish(),
})

/** Words, or something else that staff say by it; a note is words. */
function hasSomething(fields: Record<string, unknown>): boolean {
  const hasBody = (fields.body ?? '') !== ''
  if (hasBody || fields.noteOnly) return hasBody
  // Null clears what is stored; of the assignee it is "not given".
  const setsOrClears = ['statusReason', 'expectedBackAt', 'dueOn'].some((name) => fields[name] !== undefined)
  const assigns = ['assigneeId', 'contactId', 'assignee'].some((name) => Boolean(fields[name]))
  return setsOrClears || assigns
}

type UpdateInput = z.output<ReturnType<typeof UpdateRequest>>

function updatePatch(input: UpdateInput): IncidentPatch {
  return {
    body: input.body,
    newStatus: input.newStatus,
    expectedBackAt: input.expectedBackAt,
    statusReason: reasonFrom(input.statusReason, input.otherReason),
    closingReason: input.closingReason ?? undefined,
    onStatusPage: input.onStatusPage ?? undefined,
    ...assigneeFrom(input),
    namedAnyway: input.namedAnyway,
  }
}

/** Throws ValidationFailed for what a note would drop without a word, and NotFound. */
async function requireNoteAlone(ctx: Context, incidentId: number, input: UpdateInput): Promise<void> {
  const stored = orNotFound(await Incident.query().findById(incidentId))
  const photoCount = ctx.state.uploads.length + (await carriedPhotos(ctx)).length
  const settings = {
    newStatus: input.newStatus !== null,
    closingReason: Boolean(input.closingReason),
    assigneeId: Boolean(input.assigneeId),
    contactId: Boolean(input.contactId),
    onStatusPage: input.onStatusPage === false,
    photos: photoCount > 0,
  }
  const set = Object.entries(settings).flatMap(([name, isSet]) => (isSet ? [name] : []))
  // The other fields show what is stored, and are sent with a note as well.
  const dropped = [...set, ...changedFields(await storedFields(ctx, stored), enteredFields(ctx))]
  if (dropped.length > 0)
    throw new ValidationFailed(Object.fromEntries(dropped.map((name) => [name, ['note_alone' as const]])))
}

export const updateRoutes = [
  route({
    method: 'post',
    paths: both('/incidents/:id/updates'),
    group: 'incidents',
    summary:
      'Adds an update to an incident. Staff can also set its status, expected time, reason, assignee and due date.',
    permission: 'incident.comment',
    needs: {
      newStatus: 'incident.setStatus',
      closingReason: 'incident.setStatus',
      statusReason: 'incident.edit',
      expectedBackAt: 'incident.edit',
      onStatusPage: 'incident.edit',
      assigneeId: 'incident.edit',
      contactId: 'incident.edit',
      assignee: 'incident.edit',
      dueOn: 'incident.edit',
      noteOnly: 'note.write',
    },
    beforeSignIn: carryUpdateForm,
    throttle: 'writes',
    photos: true,
    idempotent: true,
    shownRecord: shownIncident,
    body: jsonOrForm(UpdateRequest, UpdateForm),
    answer: { 201: UpdateJson },
    form: { ...incidentForms.comment, conflicts: true },
    handle: async ({ ctx, params: { id: incidentId }, body, actor, viewer }) => {
      if ('noteOnly' in body && body.noteOnly) {
        await requireNoteAlone(ctx, incidentId, body)
        await idempotently(actor, () => addNote(actor, incidentId, body.body))
        dropDraft(ctx, ctx.path)
        return { location: `/incidents/${incidentId}`, notice: 'noted' }
      }
      const patch = updatePatch(body)
      const { version } = body
      const updateId = await idempotently(actor, async () => {
        const photos = await photosOfRequest(ctx)
        return (await patchIncident(actor, incidentId, patch, { photos, version }))!
      })
      dropDraft(ctx, ctx.path)
      return {
        data: () => updateJson(incidentId, updateId, viewer),
        location: `/incidents/${incidentId}`,
        notice: viewer.staff ? 'updated' : 'commented',
      }
    },
  }),
]

/** An entry that was just written, as its writer may read it. */
async function updateJson(incidentId: number, updateId: number, viewer: Viewer) {
  const [entry] = await timelineEntries(incidentId, [updateId])
  return presentUpdate(orNotFound(entry), viewer)
}
