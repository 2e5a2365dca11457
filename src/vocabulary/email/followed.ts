import { parseId } from '../limits.js'

/** What people follow by email: one incident, an asset, a tower, or the whole building. */
export type Followed = `${'incident' | 'asset' | 'tower'}:${number}` | 'building'

/** The columns that name it; all are null for the whole building. */
export type FollowedColumns = { incidentId: number | null; assetId: number | null; towerId: number | null }

/** Reads `asset:5`; null when the text is no such thing. */
export function readFollowed(text: string): FollowedColumns | null {
  const [, kind, number] = /^(incident|asset|tower):(\d+)$/.exec(text) ?? []
  const id = parseId(number)
  if (id === null && text !== 'building') return null
  const idOf = (name: string) => (kind === name ? id : null)
  return { incidentId: idOf('incident'), assetId: idOf('asset'), towerId: idOf('tower') }
}

/** Writes what is followed as text, such as `asset:5`. */
export function followedText({ incidentId, assetId, towerId }: FollowedColumns): Followed {
  if (incidentId !== null) return `incident:${incidentId}`
  if (assetId !== null) return `asset:${assetId}`
  return towerId === null ? 'building' : `tower:${towerId}`
}
