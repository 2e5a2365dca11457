import { found, NotFound } from '../domain/invalid.js'
import { limits } from '../domain/limits.js'
import { assetYear } from '../models/assetYear.js'
import { Asset } from '../models/building.js'
import { Incident } from '../models/incident.js'
import { rollupRows } from '../models/rollup.js'
import { latestStaffWord } from '../models/staffWord.js'
import { presentAssetDetail } from '../presenters/asset.js'
import { presentAlternatives, presentStaffWord } from '../presenters/assetAnswer.js'
import { costChart } from '../presenters/assetYear.js'
import { reportedByStaff } from '../presenters/incident.js'
import { presentAssetRow } from '../presenters/statusPage.js'
import { allow } from '../web/allow.js'
import { addressFor, both } from '../web/both.js'
import type { AppRouter, Context } from '../web/context.js'
import { pathId } from '../web/input.js'
import { representationOf, respond } from '../web/respond.js'
import { currentState } from './status.js'

/** GET /assets/:id (spec §4): one asset with its days, its incidents and, for staff, its year. */
export function assetRoutes(router: AppRouter): void {
  router.get(both('/assets/:id'), allow('asset.read'), async (ctx) => {
    const assetId = pathId(ctx)
    const { viewer } = ctx.state
    const { assets, dates } = await currentState()
    const asset = assets.find(({ id }) => id === assetId)
    if (!asset) return toHistory(ctx, assetId)
    const [{ description }, incidents, word, rollup, year] = await Promise.all([
      Asset.query().findById(assetId).throwIfNotFound(),
      Incident.list({ assetId, limit: limits.assetIncidents }),
      asset.cause && latestStaffWord(asset.cause.id),
      viewer.staff ? rollupRows(assetId) : null,
      viewer.staff ? assetYear(assetId) : null,
    ])
    const more = addressFor(ctx, `/incidents?assetId=${assetId}`)
    ctx.set('Link', `<${more}>; rel="next"`)
    await respond(ctx, {
      data: presentAssetDetail(asset, dates, { description, incidents, rollup, year }, viewer),
      view: 'assets/show',
      extras: {
        row: presentAssetRow(asset, dates),
        cause: asset.cause && { id: asset.cause.id, title: asset.cause.title },
        word: word && presentStaffWord(word),
        alternatives: presentAlternatives(asset, assets),
        byStaff: reportedByStaff(incidents),
        more: incidents.length === limits.assetIncidents,
        chart: year && costChart(year.months),
      },
    })
  })
}

/** An archived asset has no state to show: its page leads to what was reported about it. Throws NotFound. */
async function toHistory(ctx: Context, assetId: number): Promise<void> {
  found(await Asset.query().findById(assetId))
  if (representationOf(ctx) === 'json') throw new NotFound()
  await respond(ctx, { location: `/incidents?assetId=${assetId}`, notice: 'assetArchived' })
}
