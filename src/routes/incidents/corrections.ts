import { z } from 'zod'
import {
  type Correction as CorrectionOfIncident,
  editIncident,
  previewCorrection,
} from '../../actions/incidents/editIncident.js'
import type { Actor, Viewer } from '../../domain/accounts/actor.js'
import { limits } from '../../domain/system/limits.js'
import { ValidationFailed } from '../../domain/system/validation.js'
import { editRules } from '../../models/incidents/fields.js'
import { detailOf, incidentPage } from '../../pages/incidents/incidentPage.js'
import { ConsequenceJson, presentConsequence } from '../../presenters/incidents/consequence.js'
import { IncidentDetailJson } from '../../presenters/incidents/incident.js'
import { both } from '../../web/request/both.js'
import { flag, optionalLine, typedIn } from '../../web/request/input.js'
import { route } from '../../web/route/route.js'

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
    .meta({ id: 'Correction' })
}

type Given = z.output<ReturnType<typeof Correction>>

/** The correction asked for. A form sends `other` and the office's own words when no listed reason fits. */
function asked({ otherReason, ...given }: Given): CorrectionOfIncident {
  if (given.statusReason !== 'other') return given
  if (otherReason === '') throw new ValidationFailed({ otherReason: ['statusReason_required'] })
  return { ...given, statusReason: otherReason }
}

const form = { view: 'incidents/show', name: 'edit', load: incidentPage }

/** Corrects an incident, with a preview of the effect; forms, which cannot send PATCH, use /edit. */
export const correctionRoutes = [
  route({
    method: 'patch',
    paths: '/api/incidents/:id',
    summary: 'Puts an incident right: its title, severity, place, downtime, and what is expected.',
    permission: 'incident.edit',
    body: Correction,
    answer: IncidentDetailJson,
    form,
    handle: ({ params, body, actor, viewer }) => correct(params.id, body, actor, viewer),
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/edit/preview'),
    summary: 'What a correction would do to the uptime of assets; nothing is stored.',
    permission: 'incident.edit',
    body: Correction,
    answer: z.array(ConsequenceJson),
    form,
    handle: async ({ ctx, params, body, actor }) => {
      const { consequences } = await previewCorrection(actor, params.id, asked(body))
      const data = consequences.map(presentConsequence)
      const page = await incidentPage(ctx)
      return {
        data,
        view: 'incidents/show',
        extras: { ...page, filled: form.name, values: typedIn(ctx), consequences: data },
      }
    },
  }),

  route({
    method: 'post',
    paths: '/incidents/:id/edit',
    summary: 'The same correction from a form.',
    permission: 'incident.edit',
    body: Correction,
    answer: IncidentDetailJson,
    form,
    handle: ({ params, body, actor, viewer }) => correct(params.id, body, actor, viewer),
  }),
]

async function correct(id: number, given: Given, actor: Actor, viewer: Viewer) {
  await editIncident(actor, id, asked(given))
  return { data: await detailOf(id, viewer), location: `/incidents/${id}`, notice: 'edited' }
}
