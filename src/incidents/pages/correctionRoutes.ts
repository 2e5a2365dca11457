import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { enteredFields } from '../../platform/http/enteredFields.js'
import { both } from '../../platform/http/paths.js'
import { representationOf } from '../../platform/http/representation.js'
import { partial } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { type Consequence, ConsequenceJson } from '../../status/consequence.js'
import type { Actor, Viewer } from '../../vocabulary/people/actor.js'
import { patchIncident, previewPatch } from '../acts/patchIncident.js'
import { IncidentDetailJson } from '../model/json/incidentDetailJson.js'
import { Correction, CorrectionForm, type CorrectionInput, correctionPatch } from './correction.js'
import { incidentForms } from './forms.js'
import { detailOf, incidentPageData, shownIncident } from './incidentPage.js'
import { movedFields } from './movedFields.js'

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
    ...(await incidentPageData(ctx)),
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
