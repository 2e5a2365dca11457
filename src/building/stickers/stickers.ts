import { type QrCode, qrCode } from '../../platform/http/qr.js'
import { Asset } from '../building.js'

/** What a sticker prints of its asset, with the QR code of its report form. */
export type Sticker = {
  assetId: number
  name: string
  towerName: string
  /** The office's own label; null when it has none. */
  code: string | null
  link: string
  qr: QrCode
}

/**
 * A sticker for each asset in use, of one tower or of all, in display order. `origin`: our public
 * address.
 */
export async function stickers(origin: string, towerId?: number): Promise<Sticker[]> {
  const assets = await Asset.inUse()
  return assets
    .filter((asset) => towerId === undefined || asset.towerId === towerId)
    .map(({ id, name, towerName, code }) => {
      const link = `${origin}/r/${id}`
      return { assetId: id, name, towerName: towerName ?? '', code, link, qr: qrCode(link) }
    })
}

/** The QR code of the report form without an asset. `origin`: our public address. */
export function reportCode(origin: string): QrCode {
  return qrCode(`${origin}/report`)
}
