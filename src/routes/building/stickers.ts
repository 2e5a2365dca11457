import { parseId } from '../../domain/system/limits.js'
import { Asset } from '../../models/building/building.js'
import { Problem } from '../../web/answer/problem.js'
import { redirect } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'

/** GET /r/:assetId, what a sticker's code opens: the report form with the asset chosen (spec §4, decision 4.12). */
export function stickerRoutes(router: AppRouter): void {
  router.get('/r/:assetId', allow('page.read'), async (ctx) => {
    const assets = await Asset.inUse()
    const asset = assets.find(({ id }) => id === parseId(ctx.params.assetId))
    if (!asset)
      throw new Problem(404, 'asset_not_found', {
        members: { assets: assets.map(({ id, name, towerName }) => ({ id, name, towerName })) },
      })
    redirect(ctx, `/report?assetId=${asset.id}`, 302)
  })
}
