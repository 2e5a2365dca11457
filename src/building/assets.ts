import { countsOf } from '../platform/db/dependents.js'
import { requireContact } from '../platform/http/records/archive.js'
import { resourceOf } from '../platform/http/records/entity.js'
import type { RecordKind } from '../platform/http/records/records.js'
import { resourceRoutes } from '../platform/http/records/resource.js'
import { archiveRoutes, inTower, placeFilters } from './archiveRoutes.js'
import { Asset } from './building.js'
import { assetEntity } from './entities.js'

const lookedAfter: NonNullable<RecordKind['check']> = async (c, after, before) => {
  await inTower(c, after, before)
  const { contactId = null } = after
  if (contactId !== null && contactId !== before?.contactId) await requireContact(c, contactId as number)
}

const assets = resourceOf(assetEntity, {
  path: 'assets',
  permission: 'asset.manage',
  kind: {
    model: Asset,
    unique: { assets_tower_id_name_key: { name: ['asset_name_taken'] } },
    check: lookedAfter,
  },
  order: 'order',
  filters: placeFilters,
  nameOf: ({ name }) => name,
  elsewhere: { status: 'POST /api/incidents', archived: 'POST /api/admin/assets/:id/archive' },
  words: (t) => t.upkeep.assets,
  archives: true,
  defaults: { sortOrder: 0 },
  dependents: async (asset, { office }) => {
    const { incidents, windows } = await countsOf({
      incidents: ['select count(*) from incidents where asset_id = $1', asset.id],
      windows: ['select count(*) from maintenance_windows where asset_id = $1', asset.id],
    })
    return [
      { count: incidents, text: office.dependents.incidents(incidents), blocks: true },
      { count: windows, text: office.dependents.windows(windows), blocks: true },
    ]
  },
})

/** Deleted only without incidents and maintenance. */
export const officeAssetRoutes = [...resourceRoutes(assets), ...archiveRoutes(assets)]
