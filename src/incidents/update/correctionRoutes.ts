import { z } from 'zod'
import { representationOf } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { flag, line, optionalLine, typedIn } from '../../platform/http/request/input.js'
import { both } from '../../platform/http/request/paths.js'
import { partial } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { type Consequence, ConsequenceJson, presentConsequence } from '../../status/consequence.js'
import { limits } from '../../vocabulary/limits.js'
import type { Actor, Viewer } from '../../vocabulary/people/actor.js'
import { editRules } from '../entity.js'
import { IncidentDetailJson } from '../json.js'
import { detailOf, incidentPage } from '../page.js'
import { reasonFrom, typedAnew } from './answerForm.js'
import { patchIncident, previewPatch } from './patchIncident.js'
import { actsOnIncidents, type IncidentPatch } from './rules.js'

/**
 * What staff may correct, all optional (decision 2.1). Local times of forms are in the property's
 * zone.
 */
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

/**
 * The correction asked for. A form sends `other` and the office's own words when no listed reason
 * fits.
 */
function asked({ otherReason, ...given }: Given): IncidentPatch {
  if (given.statusReason === undefined) return given
  return { ...given, statusReason: reasonFrom(given.statusReason, otherReason) }
}

const form = { view: 'incidents/show', name: 'edit', load: incidentPage }

/**
 * Corrects an incident, with a preview of the effect; forms, which cannot send PATCH, use /edit.
 */
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
    answer: z.array(ConsequenceJson),
    form,
    handle: async ({ ctx, params, body, actor }) => {
      const given = await typedAnew(ctx, params.id, body)
      const { consequences } = await previewPatch(actor, params.id, asked(given))
      return previewed(ctx, consequences.map(presentConsequence))
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
    answer: z.union([IncidentDetailJson, z.array(ConsequenceJson)]),
    form,
    handle: async ({ ctx, params, body: { seen, ...typed }, actor, viewer }) => {
      const given = await typedAnew(ctx, params.id, typed)
      const { past, consequences } = await previewPatch(actor, params.id, asked(given))
      if (past && seen !== seenOf(given) && representationOf(ctx) !== 'json')
        return previewed(ctx, consequences.map(presentConsequence), seenOf(given))
      return correct(params.id, given, actor, viewer)
    },
  }),
]

/**
 * The incident's page with what the correction typed into its form would do; `seen` lets it be sent
 * again.
 */
async function previewed(ctx: Context, data: Consequence[], seen = '') {
  const extras = { ...(await incidentPage(ctx)), filled: form.name, consequences: data, seen }
  return { data, view: 'incidents/show', extras: { ...extras, values: typedIn(ctx) } }
}

/**
 * What a correction says of the past: a form that says something else must be shown its consequence
 * again.
 */
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
  await patchIncident(actor, id, asked(given))
  return { data: await detailOf(id, viewer), location: `/incidents/${id}`, notice: 'edited' }
}
