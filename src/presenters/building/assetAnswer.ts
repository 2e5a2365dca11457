import type { StaffWord } from '../../models/incidents/latestStaffUpdate.js'
import type { AssetState } from '../status/assetState.js'

/** Characters of the office's words that fit beside the answer; the incident has the rest. */
const room = 280

/** The office's last words on what keeps an asset from working. */
export function presentStaffWord({ incidentId, body, createdAt }: StaffWord) {
  const characters = [...body]
  return {
    incidentId,
    body: characters.length > room ? `${characters.slice(0, room).join('').trimEnd()}…` : body,
    createdAt: createdAt.toISOString(),
  }
}

/**
 * How many of a kind work in an asset's tower, with the others by name: what to take instead. Null for the only one of
 * its kind there.
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
