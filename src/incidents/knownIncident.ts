import type { AssetState } from '../status/json/assetState.js'
import { presentAssetRow } from '../status/json/statusPage.js'
import type { KnownIncident } from './affected.js'

/** An asset with its open incidents, for a reporter about to report on it. */
export function presentKnown(
  asset: AssetState,
  dates: readonly string[],
  incidents: readonly KnownIncident[],
) {
  return {
    asset: { ...presentAssetRow(asset, dates), towerName: asset.towerName },
    incidents: incidents.map(({ id, title, severity, status, createdAt, affected, following }) => ({
      id,
      title,
      severity,
      status,
      createdAt: createdAt.toISOString(),
      affected,
      following,
    })),
  }
}
