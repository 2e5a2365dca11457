import { z } from 'zod'
import {
  acknowledgeIncidents,
  assignIncidents,
  type ManyResult,
  mostAtOnce,
} from '../../actions/incidents/manyIncidents.js'
import { config } from '../../config.js'
import { Asset, Unit } from '../../models/building/building.js'
import {
  failedDeliveries,
  unacknowledged,
  unconfirmed,
  untriaged,
  windowsAhead,
} from '../../models/incidents/desk.js'
import { mailsToSort } from '../../models/mail/heldMail.js'
import { presentDeskList, presentFailed, startingToday } from '../../presenters/incidents/desk.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { id, input } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

/** Ids as JSON numbers, or as the ticked boxes of a form. `only`: the button on one row, which means that row. */
const chosen = {
  ids: z
    .array(z.coerce.number('incident_unknown').pipe(id('incident')), {
      error: ({ input: given }) => (given === undefined ? 'ids_required' : 'incident_unknown'),
    })
    .max(mostAtOnce, 'ids_too_many')
    .default([]),
  only: id('incident').optional(),
}
const needsOne = { path: ['ids'], message: 'ids_required', when: () => true }
const some = ({ ids, only }: { ids?: unknown[]; only?: unknown }) =>
  only !== undefined || (ids ?? []).length > 0

const AcknowledgeRequest = z.object(chosen).refine(some, needsOne)
const AssignRequest = z
  .object({ ...chosen, assetId: id('asset').nullish(), unitId: id('unit').nullish() })
  .refine(some, needsOne)
  .refine(({ assetId, unitId }) => Boolean(assetId) !== Boolean(unitId), {
    path: ['assetId'],
    message: 'place_exactly_one',
    when: () => true,
  })

/** The desk: what needs a person now, with the next action on each row. */
export function deskRoutes(router: AppRouter): void {
  const writes = [
    allow('incident.edit'),
    throttle('writes'),
    body(),
    form({ view: 'incidents/desk', load: deskPage }),
  ] as const

  router.get(both('/admin'), allow('office.read'), async (ctx) => {
    await respond(ctx, { data: await desk(ctx), view: 'incidents/desk', extras: choices })
  })

  router.post(both('/admin/acknowledge'), ...writes, async (ctx) => {
    const { ids, only } = input(ctx, AcknowledgeRequest)
    const { actor, text } = ctx.state
    await answer(ctx, await acknowledgeIncidents(actor, only ? [only] : ids, text.desk.acknowledgedEntry))
  })

  router.post(both('/admin/assign'), ...writes, async (ctx) => {
    const { ids, only, assetId, unitId } = input(ctx, AssignRequest)
    const place = assetId ? { assetId } : { unitId: unitId! }
    await answer(ctx, await assignIncidents(ctx.state.actor, only ? [only] : ids, place))
  })
}

async function answer(ctx: Context, result: ManyResult): Promise<void> {
  const notice = result.skipped.length > 0 ? 'someDone' : 'done'
  await respond(ctx, { data: result, location: '/admin', notice })
}

async function desk(ctx: Context) {
  const { viewer } = ctx.state
  const { property } = await ctx.state.building()
  const [mails, waiting, sorting, confirming, failed, windows] = await Promise.all([
    mailsToSort(),
    unacknowledged(config.slaTargets),
    untriaged(),
    unconfirmed(),
    failedDeliveries(),
    windowsAhead(),
  ])
  return {
    mailsToSort: mails,
    untriaged: presentDeskList(sorting, config.slaTargets, viewer),
    unacknowledged: presentDeskList(waiting, config.slaTargets, viewer),
    unconfirmed: presentDeskList(confirming, config.slaTargets, viewer),
    failed: presentFailed(failed),
    startingToday: startingToday(windows, property.timezone, Date.now()),
  }
}

/** The whole page, for a form that was refused. */
async function deskPage(ctx: Context): Promise<Record<string, unknown>> {
  const [data, chosenFrom] = await Promise.all([desk(ctx), choices()])
  return { data, ...chosenFrom }
}

async function choices(): Promise<Record<string, unknown>> {
  const [assets, units] = await Promise.all([Asset.inUse(), Unit.all()])
  return { assets, units, now: Date.now() }
}
