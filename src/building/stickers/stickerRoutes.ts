import { z } from 'zod'
import { Problem } from '../../platform/http/answer/problem.js'
import { redirect } from '../../platform/http/answer/respond.js'
import { answeredByHandler, page } from '../../platform/http/route/answer.js'
import { route } from '../../platform/http/route/route.js'
import { parseId } from '../../vocabulary/limits.js'
import { Asset } from '../building.js'

export const stickerRoutes = [
  route({
    method: 'get',
    paths: '/r/:assetId',
    summary: 'Opens the report form for the asset on a sticker.',
    permission: 'page.read',
    // Any text, because the 404 for an unknown asset lists the known ones (spec §4, decision 4.12).
    params: { assetId: z.string() },
    answer: page,
    handle: async ({ ctx, params }) => {
      const assets = await Asset.inUse()
      const asset = assets.find(({ id }) => id === parseId(params.assetId))
      if (!asset)
        throw new Problem(404, 'asset_not_found', {
          members: { assets: assets.map(({ id, name, towerName }) => ({ id, name, towerName })) },
        })
      redirect(ctx, `/report?assetId=${asset.id}`, 302)
      return answeredByHandler
    },
  }),
]
