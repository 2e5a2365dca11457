import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { enteredFields } from '../../platform/http/enteredFields.js'
import { both } from '../../platform/http/paths.js'
import { representationOf } from '../../platform/http/representation.js'
import { partial } from '../../platform/http/route/fields.js'
import { movedFieldsOf } from '../../platform/http/route/movedFields.js'
import { route } from '../../platform/http/route/route.js'
import { type Consequence, ConsequenceJson } from '../../status/consequence.js'
import { flag, optionalText, trimmedText } from '../../vocabulary/inputRules.js'
import { limits } from '../../vocabulary/limits.js'
import type { Actor, Viewer } from '../../vocabulary/people/actor.js'
import type { IncidentPatch } from '../acts/allowedPatch.js'
import { patchIncident, previewPatch } from '../acts/patchIncident.js'
import { type Editable, incidentEntity } from '../model/entity.js'
import { IncidentDetailJson } from '../model/json.js'
import { costRoutes } from './costRoutes.js'
import { deskMergeRoutes } from './desk/deskMergeRoutes.js'
import { deskRoutes } from './desk/deskRoutes.js'
import { verificationRoutes } from './fixedQuestion/verificationRoutes.js'
import { incidentForms } from './forms.js'
import { detailOf, incidentPage, shownIncident } from './incidentPage.js'
import { mergeRoutes } from './mergeRoutes.js'
import { oneTapRoutes } from './oneTapRoutes.js'
import { protectionRoutes } from './protectionRoutes.js'
import { noteRoutes } from './update/noteRoutes.js'
import { reasonFrom } from './update/updateForm.js'
import { updateRoutes } from './update/updateRoutes.js'

/**
 * The fields of a correction, all optional (decision 2.1). Local times of forms are in the
 * property's zone. The order is the form's, because problems are listed in it.
 */
const Correction = ({ zone }: { zone: string }) => {
  const rules = incidentEntity.edits(zone)
  const fields = {
    title: rules.title,
    severity: rules.severity,
    retroactive: flag('retroactive').optional(),
    assetId: rules.assetId,
    unitId: rules.unitId,
    isDowntime: rules.isDowntime,
    downtimeStartedAt: rules.downtimeStartedAt,
    downtimeEndedAt: rules.downtimeEndedAt,
    expectedBackAt: rules.expectedBackAt,
    statusReason: rules.statusReason,
    assigneeId: rules.assigneeId,
    contactId: rules.contactId,
    dueOn: rules.dueOn,
    otherReason: optionalText('statusReason', limits.reason),
    namedAnyway: trimmedText('title', limits.text, 0).nullish(),
  } satisfies Record<Editable, z.ZodType> & Record<string, z.ZodType>
  return z.object(fields).meta({ id: 'Correction' })
}

type CorrectionInput = Partial<z.output<ReturnType<typeof Correction>>>

/** Fields that the form for an update has; a correction takes them as JSON alone. */
const fieldsOfUpdateForm = {
  expectedBackAt: true,
  statusReason: true,
  otherReason: true,
  assigneeId: true,
  contactId: true,
  dueOn: true,
} as const

/**
 * The fields of the form. `shownPreview`: the part about the past whose consequence the form has
 * shown already (decision 2.8).
 */
const CorrectionForm = (place: { zone: string }) =>
  Correction(place)
    .omit(fieldsOfUpdateForm)
    .extend({ shownPreview: z.string('not_text').optional() })

/**
 * The patch of a correction. When no listed reason fits, `otherReason` has the office's own words.
 */
function correctionPatch({ otherReason, ...fields }: CorrectionInput): IncidentPatch {
  if (fields.statusReason === undefined) return fields
  return { ...fields, statusReason: reasonFrom(fields.statusReason, otherReason) }
}

/**
 * Fields that someone may send with a correction although an act on the incident changes them, by
 * their names in requests and in the JSON of the incident.
 */
const movedFields = movedFieldsOf(
  '/incidents/:id',
  partial(Correction),
  [
    updateRoutes,
    verificationRoutes,
    mergeRoutes,
    oneTapRoutes,
    deskRoutes,
    deskMergeRoutes,
    protectionRoutes,
    costRoutes,
    noteRoutes,
  ].flat(),
  {
    status: { field: 'newStatus' },
    comment: { field: 'body' },
    mergedIntoId: { field: 'targetId' },
    mergedInto: { field: 'targetId' },
    following: { act: 'follow' },
  },
)

/**
 * Corrects an incident, with a preview of the effect; forms, which cannot send PATCH, use /edit.
 */
export const correctionRoutes = [
  route({
    method: 'patch',
    paths: '/api/incidents/:id',
    group: 'incidents',
    summary: 'Changes the title, severity, place, downtime or expected time of an incident.',
    permission: 'incident.edit',
    body: partial(Correction),
    movedFields,
    asRead: ({ id, viewer }) => detailOf(id, viewer),
    answer: IncidentDetailJson,
    form: incidentForms.edit,
    handle: ({ params, body, actor, viewer }) => correct(params.id, body, actor, viewer),
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/edit/preview'),
    group: 'incidents',
    summary: 'Previews what a change does to the uptime of assets. Nothing is saved.',
    permission: 'incident.edit',
    body: partial(Correction),
    movedFields,
    asRead: ({ id, viewer }) => detailOf(id, viewer),
    shownRecord: shownIncident,
    answer: z.array(ConsequenceJson),
    form: incidentForms.edit,
    handle: async ({ ctx, params, body, actor }) => {
      const { consequences } = await previewPatch(actor, params.id, correctionPatch(body))
      return previewed(ctx, consequences)
    },
  }),

  route({
    method: 'post',
    paths: '/incidents/:id/edit',
    summary: 'Makes the same change from a form.',
    permission: 'incident.edit',
    body: partial(CorrectionForm),
    movedFields,
    asRead: ({ id, viewer }) => detailOf(id, viewer),
    shownRecord: shownIncident,
    answer: z.union([IncidentDetailJson, z.array(ConsequenceJson)]),
    form: incidentForms.edit,
    handle: async ({ ctx, params, body, actor, viewer }) => {
      const { shownPreview, ...input } = body
      const { changesPast, consequences } = await previewPatch(actor, params.id, correctionPatch(input))
      const isForm = representationOf(ctx) !== 'json'
      if (changesPast && isForm && shownPreview !== pastOf(input))
        return previewed(ctx, consequences, pastOf(input))
      return correct(params.id, input, actor, viewer)
    },
  }),
]

/**
 * The incident's page with its form as it was filled in, and what this correction would change.
 * `shownPreview`: what the form sends to confirm this; empty where it can only be previewed.
 */
async function previewed(ctx: Context, consequences: Consequence[], shownPreview = '') {
  const extras = {
    ...(await incidentPage(ctx)),
    filled: incidentForms.edit.name,
    consequences,
    shownPreview,
    values: enteredFields(ctx),
  }
  return { data: consequences, view: 'incidents/show', extras }
}

/**
 * The part of a correction that changes the past, as text. A form whose part has changed since it
 * showed the consequences shows them again.
 */
function pastOf(input: CorrectionInput): string {
  return JSON.stringify([
    input.severity,
    input.retroactive,
    input.isDowntime,
    input.downtimeStartedAt,
    input.downtimeEndedAt,
    input.assetId,
  ])
}

async function correct(id: number, input: CorrectionInput, actor: Actor, viewer: Viewer) {
  await patchIncident(actor, id, correctionPatch(input))
  return { data: () => detailOf(id, viewer), location: `/incidents/${id}`, notice: 'edited' }
}
