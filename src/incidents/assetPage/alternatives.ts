import type { AssetState } from '../../status/json/assetState.js'
import type { StaffWord } from '../../status/queries/latestStaffUpdate.js'

/** Characters of the office's update on the asset's page; the incident's page has all of it. */
const room = 280

/** The latest update by staff on the incident that affects an asset. */
export function presentStaffWord({ incidentId, body, createdAt }: StaffWord) {
  const characters = [...body]
  return {
    incidentId,
    body: characters.length > room ? `${characters.slice(0, room).join('').trimEnd()}…` : body,
    createdAt: createdAt.toISOString(),
  }
}

/**
 * Assets of the same kind in the same tower, as alternatives: how many work, and the others by name. Null
 * when there is no other.
 */
export function presentAlternatives(asset: AssetState, assets: readonly AssetState[]) {
  const alike = assets.filter(
    ({ category, towerId }) => category === asset.category && towerId === asset.towerId,
  )
  if (alike.length < 2) return null
  return {
    category: asset.category,
    towerName: asset.towerName,
    working: alike.filter(({ status }) => status === 'operational').length,
    total: alike.length,
    others: alike.filter(({ id }) => id !== asset.id).map(({ id, name, status }) => ({ id, name, status })),
  }
}
