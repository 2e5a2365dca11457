import { found, NotFound } from '../../domain/system/invalid.js'
import { limits } from '../../domain/system/limits.js'
import { assetYear } from '../../models/building/assetYear.js'
import { Asset } from '../../models/building/building.js'
import { Incident } from '../../models/incidents/incident.js'
import { latestStaffWord } from '../../models/incidents/staffWord.js'
import { rollupRows } from '../../models/status/rollup.js'
import { currentState } from '../../pages/status/statusFastPath.js'
import { presentAssetDetail } from '../../presenters/building/asset.js'
import { presentAlternatives, presentStaffWord } from '../../presenters/building/assetAnswer.js'
import { costChart } from '../../presenters/building/assetYear.js'
import { reportedByStaff } from '../../presenters/incidents/incident.js'
import { presentAssetRow } from '../../presenters/status/statusPage.js'
import { representationOf, respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { addressFor, both } from '../../web/request/both.js'
import { pathId } from '../../web/request/input.js'

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
      view: 'building/asset',
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
