import { z } from 'zod'
import {
  type Correction as CorrectionOfIncident,
  correctionOf,
  editIncident,
} from '../../actions/incidents/editIncident.js'
import { severities } from '../../domain/incidents/severity.js'
import { found, Invalid } from '../../domain/system/invalid.js'
import { limits } from '../../domain/system/limits.js'
import { Incident } from '../../models/incidents/incident.js'
import { statusRows } from '../../models/status/status.js'
import { detailOf, incidentPage } from '../../pages/incidents/incidentPage.js'
import { consequences } from '../../presenters/incidents/consequence.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import {
  clearable,
  flag,
  id,
  input,
  line,
  moment,
  oneLine,
  oneOf,
  optionalLine,
  pathId,
  typedIn,
} from '../../web/request/input.js'

/** What staff may put right; everything optional (decision 2.1). Local times of forms are in the property's zone. */
const Correction = (zone: string) =>
  z.object({
    title: oneLine('title', limits.title).optional(),
    severity: oneOf('severity', severities).optional(),
    assetId: id('asset').nullish(),
    unitId: id('unit').nullish(),
    isDowntime: flag('downtime').optional(),
    downtimeStartedAt: clearable(moment('downtimeStart', zone)),
    expectedBackAt: clearable(moment('expectedBack', zone)),
    statusReason: clearable(line('statusReason', limits.reason)),
    otherReason: optionalLine('statusReason', limits.reason),
  })

/** The correction a request asks for; a form says `other` and the words beside it where none of ours fit. */
function correctionIn(ctx: Context, zone: string): CorrectionOfIncident {
  const { otherReason, ...given } = input(ctx, Correction(zone))
  if (given.statusReason !== 'other') return given
  if (otherReason === '') throw new Invalid({ otherReason: ['statusReason_required'] })
  return { ...given, statusReason: otherReason }
}

/** PATCH /api/incidents/:id, and the same as a form of the incident page. */
export function correctionRoutes(router: AppRouter): void {
  const shown = form({ view: 'incidents/show', load: incidentPage })
  router.patch('/api/incidents/:id', allow('incident.edit'), body(), shown, correct)
  router.post(both('/incidents/:id/edit/preview'), allow('incident.edit'), body(), shown, preview)
  router.post('/incidents/:id/edit', allow('incident.edit'), body(), shown, correct)
}

/** What the correction would do to the asset's uptime, on the same form, before anything is stored. */
async function preview(ctx: Context): Promise<void> {
  const incidentId = pathId(ctx)
  const { property } = await ctx.state.building()
  const incident = found(await Incident.query().findById(incidentId))
  const given = correctionIn(ctx, property.timezone)
  const { assetId, severity, isDowntime, downtimeStartedAt } = correctionOf(incident, given)
  const downAt = (downtimeStartedAt ?? incident.createdAt).getTime()
  const corrected = assetId === null ? null : { assetId, severity, isDowntime, downAt }
  const data = consequences(await statusRows(), incidentId, corrected)
  await respond(ctx, {
    data,
    view: 'incidents/show',
    extras: { ...(await incidentPage(ctx)), values: typedIn(ctx), consequences: data },
  })
}

async function correct(ctx: Context): Promise<void> {
  const incidentId = pathId(ctx)
  const { property } = await ctx.state.building()
  await editIncident(ctx.state.actor, incidentId, correctionIn(ctx, property.timezone))
  await respond(ctx, {
    data: await detailOf(incidentId, ctx.state.viewer),
    location: `/incidents/${incidentId}`,
    notice: 'edited',
  })
}
