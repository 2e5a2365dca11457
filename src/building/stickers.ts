import { z } from 'zod'
import { redirect } from '../platform/http/answer/redirect.js'
import { type QrCode, qrCode } from '../platform/http/format/qr.js'
import { rowId, shape } from '../platform/http/json.js'
import { Problem } from '../platform/http/problem.js'
import { queryId } from '../platform/http/request/query.js'
import { answeredByHandler, page } from '../platform/http/route/answerContent.js'
import { route } from '../platform/http/route/route.js'
import { config, publicAddress } from '../platform/process/config.js'
import { locales, texts } from '../text/index.js'
import { parseId } from '../vocabulary/limits.js'
import { Asset, printedEmergency, Tower } from './building.js'

/** A sticker as JSON: its texts, and the address in its QR code. `code`: the office's own label. */
const StickerJson = shape('Sticker', {
  assetId: rowId,
  name: z.string(),
  towerName: z.string(),
  code: z.string().nullable(),
  link: z.string(),
})

/** What a sticker prints of its asset, with the QR code of its report form. */
type Sticker = z.output<typeof StickerJson> & { qr: QrCode }

/** A sticker for each asset in use, of one tower or of all. `origin`: our public address. */
async function stickers(origin: string, towerId?: number): Promise<Sticker[]> {
  const assets = (await Asset.inUse()).filter((asset) => towerId === undefined || asset.towerId === towerId)
  return Promise.all(
    assets.map(async ({ id, name, towerName, code }) => {
      const link = `${origin}/r/${id}`
      return { assetId: id, name, towerName: towerName ?? '', code, link, qr: await qrCode(link) }
    }),
  )
}

/** The QR code of the report form without an asset. `origin`: our public address. */
export function reportCode(origin: string): Promise<QrCode> {
  return qrCode(`${origin}/report`)
}

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

const sizes = ['a4', 'letter'] as const
/** Stickers that fit on a sheet of either size: two across, four down. */
const perSheet = 8

const PosterQuery = z.object({
  size: z.enum(sizes, 'not_acceptable').default('a4'),
  tower: queryId.optional(),
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
        view: 'building/posters',
        extras: {
          sheets: sheetsOf(all),
          size,
          sizes,
          tower,
          towers: await Tower.all(),
          origin,
          onlyHere: config.publicUrl === null,
          emergency: await printedEmergency(),
          sentences: locales.map((lang) => ({
            lang,
            dir: texts[lang].dir,
            text: texts[lang].posters.scan,
            emergency: texts[lang].emergency,
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
