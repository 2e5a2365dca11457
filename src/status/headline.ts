import type { Text } from '../text/index.js'
import { type AssetStatus, overallStatus } from '../vocabulary/assetStatus.js'

type Overview = {
  summary: Record<AssetStatus | 'total', number>
  assets: readonly { name: string; status: AssetStatus }[]
}

/** The state of the building in one sentence, which names the asset when it is only one. */
export function headline(text: Text, { summary, assets }: Overview): string {
  if (summary.total === 0) return text.statusPage.empty
  const overall = overallStatus(summary)
  const name = assets.find(({ status }) => status === overall)?.name ?? ''
  return text.statusPage.headline[overall](summary[overall], name)
}
