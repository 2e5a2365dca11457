import { z } from 'zod'
import { editIncident } from '../actions/editIncident.js'
import { limits } from '../domain/limits.js'
import { severities } from '../domain/severity.js'
import { allow } from '../web/allow.js'
import { body } from '../web/body.js'
import type { AppRouter, Context } from '../web/context.js'
import { form } from '../web/form.js'
import { clearable, flag, id, input, line, moment, oneOf, pathId } from '../web/input.js'
import { respond } from '../web/respond.js'
import { detailOf, incidentPage } from './incidentPage.js'

/** What staff may put right; everything optional (decision 2.1). Local times of forms are in the property's zone. */
const Correction = (zone: string) =>
  z.object({
    title: line('title', limits.title).optional(),
    severity: oneOf('severity', severities).optional(),
    assetId: id('asset').nullish(),
    unitId: id('unit').nullish(),
    isDowntime: flag('downtime').optional(),
    downtimeStartedAt: clearable(moment('downtimeStart', zone)),
  })

/** PATCH /api/incidents/:id, and the same as a form of the incident page. */
export function correctionRoutes(router: AppRouter): void {
  const shown = form({ view: 'incidents/show', load: incidentPage })
  router.patch('/api/incidents/:id', allow('incident.edit'), body(), shown, correct)
  router.post('/incidents/:id/edit', allow('incident.edit'), body(), shown, correct)
}

async function correct(ctx: Context): Promise<void> {
  const incidentId = pathId(ctx)
  const { property } = await ctx.state.building()
  await editIncident(ctx.state.actor, incidentId, input(ctx, Correction(property.timezone)))
  await respond(ctx, {
    data: await detailOf(incidentId, ctx.state.viewer),
    location: `/incidents/${incidentId}`,
    notice: 'edited',
  })
}
