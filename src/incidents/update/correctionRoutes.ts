import { z } from 'zod'
import { representationOf } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { flag, line, optionalLine, typedIn } from '../../platform/http/request/input.js'
import { both } from '../../platform/http/request/paths.js'
import { partial } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { type Consequence, ConsequenceJson } from '../../status/consequence.js'
import { limits } from '../../vocabulary/limits.js'
import type { Actor, Viewer } from '../../vocabulary/people/actor.js'
import { editRules } from '../entity.js'
import { Incident } from '../incident.js'
import { IncidentDetailJson } from '../json.js'
import { detailOf, incidentPage } from '../page.js'
import type { IncidentPatch } from './allowedPatch.js'
import { reasonFrom } from './answerForm.js'
import { patchIncident, previewPatch } from './patchIncident.js'

/** What staff may correct, all optional (decision 2.1). Local times of forms are in the property's zone. */
const Correction = ({ zone }: { zone: string }) => {
  const { title, severity, assetId, unitId, isDowntime, downtimeStartedAt, downtimeEndedAt, ...others } =
    editRules(zone)
  // In the order of the form, because problems are listed in this order.
  const first = {
    ...{ title, severity, retroactive: flag('retroactive').optional(), assetId, unitId },
    ...{ isDowntime, downtimeStartedAt, downtimeEndedAt },
  }
  return z
    .object({ ...first, ...others, otherReason: optionalLine('statusReason', limits.reason) })
    .extend({ namedAnyway: line('title', limits.text, 0).nullish() })
    .meta({ id: 'Correction' })
}

type Given = Partial<z.output<ReturnType<typeof Correction>>>

/** What the answer form says; a correction takes it as JSON alone. */
const answered = {
  expectedBackAt: true,
  statusReason: true,
  otherReason: true,
  assigneeId: true,
  contactId: true,
  dueOn: true,
} as const

/** `seen`: what it says of the past, when its consequence was shown before (decision 2.8). */
const CorrectionForm = (place: { zone: string }) =>
  Correction(place)
    .omit(answered)
    .extend({ seen: z.string('not_text').optional() })

/** The correction asked for. A form sends `other` and the office's own words when no listed reason fits. */
function patchFrom({ otherReason, ...given }: Given): IncidentPatch {
  if (given.statusReason === undefined) return given
  return { ...given, statusReason: reasonFrom(given.statusReason, otherReason) }
}

const updates = 'POST /api/incidents/:id/updates'
const merge = 'POST /api/incidents/:id/merge (targetId)'
const hide = 'POST /api/incidents/:id/hide'
const costs = 'POST /api/incidents/:id/costs'

/**
 * What is done to an incident in acts of their own, by the fields that someone may send with a
 * correction instead.
 */
export const actsOnIncidents = {
  status: `${updates} (newStatus)`,
  newStatus: `${updates} (newStatus)`,
  body: `${updates} (body)`,
  closingReason: `${updates} (closingReason)`,
  onStatusPage: `${updates} (onStatusPage)`,
  doneBy: `${updates} (doneBy)`,
  version: `${updates} (version)`,
  comment: `${updates} (body)`,
  photos: `${updates} (photos[])`,
  'photos[]': `${updates} (photos[])`,
  fixed: 'POST /api/incidents/:id/verify (fixed)',
  targetId: merge,
  otherId: merge,
  mergedIntoId: merge,
  mergedInto: merge,
  following: 'POST /api/incidents/:id/follow',
  duplicateIds: 'POST /api/incidents/:id/duplicates (duplicateIds)',
  desk: 'POST /api/incidents/:id/duplicates (desk)',
  tab: 'POST /api/incidents/:id/duplicates (tab)',
  skip: 'POST /api/incidents/:id/duplicates (skip)',
  returnTo: 'POST /api/incidents/:id/acknowledge (returnTo)',
  upTo: 'POST /api/incidents/:id/read (upTo)',
  updateId: `${hide} (updateId)`,
  photoId: `${hide} (photoId)`,
  onlyDescription: `${hide} (onlyDescription)`,
  amountCents: `${costs} (amountCents)`,
  vendor: `${costs} (vendor)`,
  invoiceRef: `${costs} (invoiceRef)`,
  incurredOn: `${costs} (incurredOn)`,
  note: 'POST /api/incidents/:id/notes (note)',
} as const

const form = { view: 'incidents/show', name: 'edit', load: incidentPage }

/** The incident whose times its forms show. */
export const shownIncident = async ({ params }: { params: Record<string, unknown> }) =>
  (await Incident.query().findById(params.id as number)) ?? null

/** Corrects an incident, with a preview of the effect; forms, which cannot send PATCH, use /edit. */
export const correctionRoutes = [
  route({
    method: 'patch',
    paths: '/api/incidents/:id',
    summary: 'Changes the title, severity, place, downtime or expected time of an incident.',
    permission: 'incident.edit',
    body: partial(Correction),
    movedFields: actsOnIncidents,
    asRead: ({ id, viewer }) => detailOf(id, viewer),
    answer: IncidentDetailJson,
    form,
    handle: ({ params, body, actor, viewer }) => correct(params.id, body, actor, viewer),
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/edit/preview'),
    summary: 'Previews what a change does to the uptime of assets. Nothing is saved.',
    permission: 'incident.edit',
    body: partial(Correction),
    movedFields: actsOnIncidents,
    asRead: ({ id, viewer }) => detailOf(id, viewer),
    shownRecord: shownIncident,
    answer: z.array(ConsequenceJson),
    form,
    handle: async ({ ctx, params, body, actor }) => {
      const { consequences } = await previewPatch(actor, params.id, patchFrom(body))
      return previewed(ctx, consequences)
    },
  }),

  route({
    method: 'post',
    paths: '/incidents/:id/edit',
    summary: 'Makes the same change from a form.',
    permission: 'incident.edit',
    body: partial(CorrectionForm),
    movedFields: actsOnIncidents,
    asRead: ({ id, viewer }) => detailOf(id, viewer),
    shownRecord: shownIncident,
    answer: z.union([IncidentDetailJson, z.array(ConsequenceJson)]),
    form,
    handle: async ({ ctx, params, body: { seen, ...given }, actor, viewer }) => {
      const { past, consequences } = await previewPatch(actor, params.id, patchFrom(given))
      if (past && seen !== seenOf(given) && representationOf(ctx) !== 'json')
        return previewed(ctx, consequences, seenOf(given))
      return correct(params.id, given, actor, viewer)
    },
  }),
]

/** The incident's page with what the correction typed into its form would do; `seen` lets it be resent. */
async function previewed(ctx: Context, data: Consequence[], seen = '') {
  const extras = { ...(await incidentPage(ctx)), filled: form.name, consequences: data, seen }
  return { data, view: 'incidents/show', extras: { ...extras, values: typedIn(ctx) } }
}

/** What a correction says of the past: a form that says something else is shown its consequence again. */
function seenOf({
  severity,
  retroactive,
  isDowntime,
  downtimeStartedAt,
  downtimeEndedAt,
  assetId,
}: Given): string {
  return JSON.stringify([severity, retroactive, isDowntime, downtimeStartedAt, downtimeEndedAt, assetId])
}

async function correct(id: number, given: Given, actor: Actor, viewer: Viewer) {
  await patchIncident(actor, id, patchFrom(given))
  return { data: await detailOf(id, viewer), location: `/incidents/${id}`, notice: 'edited' }
}
