import { synonymsOf } from '../../vocabulary/assetSynonyms.js'
import { grouped } from '../../vocabulary/collections.js'
import { limits } from '../../vocabulary/limits.js'
import type { AssetState } from './assetState.js'
import { presentAssetRow } from './statusPage.js'

/**
 * What assets are looked for by: words of their name, kind or tower, or other words for the kind; a
 * tower; or a problem.
 */
type Wanted = { q: string; towerId: number | null; troubled: boolean }

/** The assets that fit, in the order of the status page. */
export function assetsWith(assets: readonly AssetState[], { q, towerId, troubled }: Wanted): AssetState[] {
  const words = folded(q).split(/\s+/).filter(Boolean)
  return assets
    .filter((asset) => towerId === null || asset.towerId === towerId)
    .filter(({ status }) => !troubled || status === 'down' || status === 'degraded')
    .filter(({ name, category, towerName }) => {
      const text = folded(`${name} ${category} ${towerName}`)
      const ownWords = text.split(/[^\p{L}\p{N}]+/u)
      const isNamed = (word: string) => synonymsOf(word, true).some((synonym) => ownWords.includes(synonym))
      return words.every((word) => text.includes(word) || isNamed(word))
    })
}

/** Without accents and capitals, so that "porton" finds "Portón". */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** A page of the list by tower; `next`: how many rows come before the next page, if any. */
export function presentEquipment(matches: readonly AssetState[], dates: readonly string[], skip: number) {
  const end = skip + limits.equipmentRows
  const rows = matches.slice(skip, end)
  const towers = [...grouped(rows, ({ towerId }) => towerId)].map(([id, own]) => ({
    id,
    name: own[0]!.towerName,
    assets: own.map((asset) => presentAssetRow(asset, dates)),
  }))
  return { rows, towers, next: end < matches.length ? end : null }
}
