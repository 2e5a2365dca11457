import { requireContact, requireTower } from '../../platform/http/records/archive.js'
import type { RecordKind } from '../../platform/http/records/records.js'
import { Asset, Unit } from '../building.js'

const inTower: NonNullable<RecordKind['check']> = async (c, after, before) => {
  if (after.towerId !== before?.towerId) await requireTower(c, after.towerId as number)
}

const lookedAfter: NonNullable<RecordKind['check']> = async (c, after, before) => {
  await inTower(c, after, before)
  const { contactId = null } = after
  if (contactId !== null && contactId !== before?.contactId) await requireContact(c, contactId as number)
}

/** Assets as records. Their live status does not depend on these fields. */
export const assetKind: RecordKind = {
  entity: 'asset',
  model: Asset,
  fields: ['towerId', 'name', 'category', 'code', 'description', 'sortOrder', 'contactId'],
  unique: { assets_tower_id_name_key: { name: ['asset_name_taken'] } },
  check: lookedAfter,
}

export const unitKind: RecordKind = {
  entity: 'unit',
  model: Unit,
  fields: ['towerId', 'number', 'floor'],
  unique: { units_tower_id_number_key: { number: ['number_taken'] } },
  check: inTower,
}
