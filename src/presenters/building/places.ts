import type { OfficeAsset, OfficeUnit } from '../../models/building/places.js'

/** An asset as the office keeps it. */
export function presentOfficeAsset(asset: OfficeAsset) {
  const { id, towerId, towerName, name, category, code, description, sortOrder, archivedAt } = asset
  return {
    id,
    towerId,
    towerName,
    name,
    category,
    code,
    description,
    sortOrder,
    archivedAt: archivedAt?.toISOString() ?? null,
  }
}

/** A unit (spec §2) as the office keeps it; `people`: how many who can sign in live there. */
export function presentOfficeUnit({ id, towerId, towerName, number, floor, people, archivedAt }: OfficeUnit) {
  return { id, towerId, number, floor, towerName, people, archivedAt: archivedAt?.toISOString() ?? null }
}
