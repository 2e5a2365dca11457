import type { KnownIncident } from '../../models/incidents/affected.js'
import type { AssetState } from '../status/assetState.js'
import { presentAssetRow } from '../status/statusPage.js'

/** An asset with what is known to be wrong with it, for somebody about to report something about it. */
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
