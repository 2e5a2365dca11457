import type { Text } from '../text/index.js'
import type { AssetStatus } from '../vocabulary/assetStatus.js'

type Overview = {
  overall: AssetStatus
  summary: Record<AssetStatus | 'total', number>
  towers: { assets: { name: string; status: AssetStatus }[] }[]
}

/** The state of the building in one sentence, which names the asset when it is only one. */
export function headline(text: Text, { overall, summary, towers }: Overview): string {
  if (summary.total === 0) return text.statusPage.empty
  const name = towers.flatMap(({ assets }) => assets).find(({ status }) => status === overall)?.name ?? ''
  return text.statusPage.headline[overall](summary[overall], name)
}
