import { z } from 'zod'
import { instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { UnitJson } from '../contacts/json.js'
import type { OfficeAsset, OfficeUnit } from './queries.js'

/** An asset for the office. */
export const OfficeAssetJson = shape('OfficeAsset', {
  id: rowId,
  towerId: rowId,
  towerName: z.string(),
  name: z.string(),
  category: z.string(),
  code: z.string().nullable(),
  description: z.string(),
  sortOrder: z.int(),
  contactId: rowId.nullable(),
  contactName: z.string().nullable(),
  archivedAt: instantText.nullable(),
})

export function presentOfficeAsset(asset: OfficeAsset): z.output<typeof OfficeAssetJson> {
  const { id, towerId, towerName, name, category, code, description, sortOrder, archivedAt } = asset
  const { contactId, contactName } = asset
  return {
    id,
    towerId,
    towerName,
    name,
    category,
    code,
    description,
    sortOrder,
    contactId,
    contactName,
    archivedAt: archivedAt?.toISOString() ?? null,
  }
}

/** A unit (spec §2) for the office; `people`: how many active users live there. */
export const OfficeUnitJson = shape('OfficeUnit', {
  ...UnitJson.shape,
  towerName: z.string(),
  people: wholeNumber,
  archivedAt: instantText.nullable(),
})

export function presentOfficeUnit(unit: OfficeUnit): z.output<typeof OfficeUnitJson> {
  const { id, towerId, towerName, number, floor, people, archivedAt } = unit
  return { id, towerId, number, floor, towerName, people, archivedAt: archivedAt?.toISOString() ?? null }
}
