import { z } from 'zod'
import { rowId, shape } from '../../platform/http/json.js'
import { queryId } from '../../platform/http/request/input.js'
import { route } from '../../platform/http/route/route.js'
import { config, publicAddress } from '../../platform/ops/config.js'
import { locales, texts } from '../../text/index.js'
import { Tower } from '../building.js'
import { type Sticker, stickers } from './stickers.js'

const sizes = ['a4', 'letter'] as const
/** Stickers that fit on a sheet of either size: two across, four down. */
const perSheet = 8

const PosterQuery = z.object({
  size: z.enum(sizes, 'not_acceptable').default('a4'),
  tower: queryId.optional(),
})

/** A sticker as JSON: its texts, and the address in its QR code. */
const StickerJson = shape('Sticker', {
  assetId: rowId,
  name: z.string(),
  towerName: z.string(),
  code: z.string().nullable(),
  link: z.string(),
})

export const posterRoutes = [
  route({
    method: 'get',
    paths: '/admin/assets/posters',
    summary: 'Printable stickers with QR codes that open the report form (spec §4, decision 4.12).',
    permission: 'poster.print',
    query: PosterQuery,
    answer: z.array(StickerJson),
    handle: async ({ query: { size, tower } }) => {
      const origin = publicAddress()
      const all = await stickers(origin, tower)
      return {
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
            emergency: texts[lang].frame.emergency,
          })),
        },
      }
    },
  }),
]

function sheetsOf(all: Sticker[]): Sticker[][] {
  return Array.from({ length: Math.ceil(all.length / perSheet) }, (_, sheet) =>
    all.slice(sheet * perSheet, (sheet + 1) * perSheet),
  )
}
