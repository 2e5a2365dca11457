import { found } from '../domain/invalid.js'
import { limits } from '../domain/limits.js'
import { Asset } from '../models/building.js'
import { Incident } from '../models/incident.js'
import { rollupRows } from '../models/rollup.js'
import { presentAssetDetail } from '../presenters/asset.js'
import { presentAssetRow } from '../presenters/statusPage.js'
import { allow } from '../web/allow.js'
import { addressFor, both } from '../web/both.js'
import type { AppRouter } from '../web/context.js'
import { pathId } from '../web/input.js'
import { respond } from '../web/respond.js'
import { currentState } from './status.js'

/** GET /assets/:id (spec §4): one asset with its days, its incidents and, for staff, its year. */
export function assetRoutes(router: AppRouter): void {
  router.get(both('/assets/:id'), allow('asset.read'), async (ctx) => {
    const assetId = pathId(ctx)
    const { viewer } = ctx.state
    const { assets, dates } = await currentState()
    const asset = found(assets.find(({ id }) => id === assetId))
    const [{ description }, incidents, rollup] = await Promise.all([
      Asset.query().findById(assetId).throwIfNotFound(),
      Incident.list({ assetId, limit: limits.assetIncidents }),
      viewer.staff ? rollupRows(assetId) : null,
    ])
    const more = addressFor(ctx, `/incidents?assetId=${assetId}`)
    ctx.set('Link', `<${more}>; rel="next"`)
    await respond(ctx, {
      data: presentAssetDetail(asset, dates, { description, incidents, rollup }, viewer),
      view: 'assets/show',
      extras: { row: presentAssetRow(asset, dates), more: incidents.length === limits.assetIncidents },
    })
  })
}
