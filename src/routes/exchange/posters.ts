import { z } from 'zod'
import { config, publicAddress } from '../../config.js'
import { Tower } from '../../models/building/building.js'
import { type Sticker, stickers } from '../../pages/exchange/stickers.js'
import { locales, texts } from '../../text/index.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { queryId, queryOf } from '../../web/request/input.js'

const sizes = ['a4', 'letter'] as const
/** What fits on a sheet of either size: two across, four down. */
const perSheet = 8

const PosterQuery = z.object({
  size: z.enum(sizes, 'not_acceptable').default('a4'),
  tower: queryId.optional(),
})

/** /admin/assets/posters: stickers to print, whose codes open /r/:assetId (spec §4, decision 4.12). */
export function posterRoutes(router: AppRouter): void {
  router.get('/admin/assets/posters', allow('poster.print'), async (ctx) => {
    const { size, tower } = queryOf(ctx, PosterQuery)
    const origin = publicAddress()
    const all = await stickers(origin, tower)
    await respond(ctx, {
      data: all.map(({ qr, ...sticker }) => sticker),
      view: 'exchange/posters',
      extras: {
        sheets: sheetsOf(all),
        size,
        sizes,
        tower,
        towers: await Tower.all(),
        origin,
        onlyHere: config.publicUrl === null,
        sentences: locales.map((lang) => ({
          lang,
          dir: texts[lang].dir,
          text: texts[lang].exchange.posters.scan,
        })),
      },
    })
  })
}

function sheetsOf(all: Sticker[]): Sticker[][] {
  return Array.from({ length: Math.ceil(all.length / perSheet) }, (_, sheet) =>
    all.slice(sheet * perSheet, (sheet + 1) * perSheet),
  )
}
