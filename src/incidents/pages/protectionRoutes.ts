import { z } from 'zod'
import { propertyText } from '../../building/building.js'
import { both } from '../../platform/http/paths.js'
import { route } from '../../platform/http/route/route.js'
import { flag, id } from '../../vocabulary/inputRules.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { dismissIncident, reinstateIncident } from '../acts/dismissIncident.js'
import { type HideTarget, hideContent } from '../acts/hideContent.js'
import { IncidentDetailJson } from '../model/json/incidentDetailJson.js'
import { findListedIncident } from '../model/listedIncidents.js'
import { detailOf } from './incidentPage.js'

/**
 * An entry or photo of the incident; else its description and, without `onlyDescription`, its
 * title.
 */
const HideRequest = z
  .object({
    updateId: id('update').nullish(),
    photoId: id('photo').nullish(),
    onlyDescription: flag('onlyDescription').default(false),
  })
  .meta({ id: 'HideRequest' })

function targetOf({ updateId, photoId, onlyDescription }: z.output<typeof HideRequest>): HideTarget {
  if (photoId) return { photo: photoId }
  if (updateId) return { update: updateId }
  return { text: onlyDescription ? 'description' : 'all' }
}

const common = { method: 'post', throttle: 'writes', answer: IncidentDetailJson } as const

/** Hiding and restoring content, and dismissing what is not a report (decision 7.14). */
export const protectionRoutes = [
  route({
    ...common,
    paths: both('/incidents/:id/hide'),
    group: 'incidents',
    summary: 'Hides a text or a photo from everyone except staff.',
    permission: 'incident.hide',
    body: HideRequest,
    handle: async ({ params, body, actor, viewer }) => {
      await hideContent(actor, params.id, targetOf(body), (await propertyText()).protection.hidden)
      return await answerWith(params.id, viewer, 'hidden')
    },
  }),

  route({
    ...common,
    paths: both('/incidents/:id/restore'),
    group: 'incidents',
    summary: 'Unhides a text or a photo.',
    permission: 'incident.hide',
    body: HideRequest,
    handle: async ({ params, body, actor, viewer }) => {
      await hideContent(actor, params.id, targetOf(body), null)
      return await answerWith(params.id, viewer, 'shownAgain')
    },
  }),

  route({
    ...common,
    paths: both('/incidents/:id/dismiss'),
    group: 'incidents',
    summary: 'Closes an incident as not a report. Residents no longer see it and it doesn’t affect uptime.',
    permission: 'incident.dismiss',
    body: z.object({}),
    handle: async ({ params, actor, viewer }) => {
      await dismissIncident(actor, params.id, (await propertyText()).protection.dismissedEntry)
      return await answerWith(params.id, viewer, 'dismissed')
    },
  }),

  route({
    ...common,
    paths: both('/incidents/:id/reinstate'),
    group: 'incidents',
    summary: 'Reopens a dismissed incident as a report, with its earlier status.',
    permission: 'incident.dismiss',
    body: z.object({}),
    handle: async ({ params, actor, viewer }) => {
      await reinstateIncident(actor, params.id, (await propertyText()).protection.reinstatedEntry)
      return await answerWith(params.id, viewer, 'reinstated')
    },
  }),
]

/** The incident, and for forms the page that shows it: of a merged duplicate its survivor's. */
async function answerWith(
  incidentId: number,
  viewer: Viewer,
  notice: 'hidden' | 'shownAgain' | 'dismissed' | 'reinstated',
) {
  const { mergedIntoId } = orNotFound(await findListedIncident(incidentId))
  return {
    data: () => detailOf(incidentId, viewer),
    location: `/incidents/${mergedIntoId ?? incidentId}`,
    notice,
  }
}
