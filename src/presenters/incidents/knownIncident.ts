import type { KnownIncident } from '../../models/incidents/affected.js'
import type { AssetState } from '../status/assetState.js'
import { presentAssetRow } from '../status/statusPage.js'

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
