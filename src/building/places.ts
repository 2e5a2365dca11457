import { z } from 'zod'
import { countsOf } from '../platform/db/listing.js'
import type { Context } from '../platform/http/context.js'
import { resourceFrom } from '../platform/http/records/entity.js'
import type { RecordKind } from '../platform/http/records/recordActs.js'
import type { Field } from '../platform/http/records/resource.js'
import { resourceRoutes } from '../platform/http/records/resourceRoutes.js'
import { options } from '../platform/http/records/sharedFields.js'
import { queryId } from '../platform/http/request/query.js'
import { archiveRoutes } from './archive.js'
import { Asset, Tower, Unit, unitName } from './building.js'
import { assetEntity } from './entities/assetEntity.js'
import { towerOptions } from './entities/placeFields.js'
import { towerEntity } from './entities/towerEntity.js'
import { unitEntity } from './entities/unitEntity.js'
import { requireContact, requireTower } from './requireExisting.js'

const states = ['false', 'true', 'all'] as const

/** Filters of records that are in a tower and can be archived; by default, those in use. */
const placeFilters = {
  schema: {
    towerId: queryId.optional(),
    archived: z.enum(states, 'not_acceptable').default('false'),
  },
  fields: async ({ state: { text } }: Context): Promise<Field[]> => [
    { name: 'towerId', control: 'select', options: await towerOptions() },
    {
      name: 'archived',
      control: 'select',
      whole: true,
      options: options(states, (s) => text.records.states[s]),
    },
  ],
}

/** Throws when a record is put into a tower that is not there. */
const inTower: NonNullable<RecordKind['check']> = async (c, after, before) => {
  if (after.towerId !== before?.towerId) await requireTower(c, after.towerId as number)
}

const towers = resourceFrom(towerEntity, {
  path: 'towers',
  group: 'building',
  permission: 'tower.manage',
  kind: {
    model: Tower,
    displayOrder: {},
    unique: { towers_name_key: { name: ['name_taken'] } },
    references: [{ table: 'email_follows', column: 'tower_id', deleted: true }],
  },
  order: 'order',
  nameOf: ({ name }) => name,
  words: (t) => t.towers,
  dependents: async ({ id }, { records }) => {
    const { assets, units } = await countsOf({
      assets: ['select count(*) from assets where tower_id = $1', id],
      units: ['select count(*) from units where tower_id = $1', id],
    })
    return [
      { count: assets, text: records.dependents.assets(assets), blocks: true },
      { count: units, text: records.dependents.units(units), blocks: true },
    ]
  },
})

export const towerRoutes = resourceRoutes(towers)

const units = resourceFrom(unitEntity, {
  path: 'units',
  group: 'building',
  permission: 'unit.manage',
  kind: {
    model: Unit,
    unique: { units_tower_id_number_key: { number: ['number_taken'] } },
    check: inTower,
  },
  order: 'number',
  links: [
    { href: '/admin/import?kind=units', permission: 'import.run', label: (text) => text.imports.title },
  ],
  filters: placeFilters,
  // The same name as in incidents (decision 2.15).
  nameOf: ({ towerName, number }) => unitName(towerName, number),
  movedFields: { archived: 'POST /api/admin/units/:id/archive' },
  words: (t) => t.units,
  archives: true,
  dependents: async (unit, { records }) => {
    const { people, incidents } = await countsOf({
      people: ['select count(*) from users where unit_id = $1', unit.id],
      incidents: ['select count(*) from incidents where unit_id = $1', unit.id],
    })
    return [
      { count: people, text: records.dependents.people(people), blocks: true },
      { count: incidents, text: records.dependents.incidents(incidents), blocks: true },
    ]
  },
})

/** Deleted only without people and incidents. */
export const unitRoutes = [...resourceRoutes(units), ...archiveRoutes(units)]

const lookedAfter: NonNullable<RecordKind['check']> = async (c, after, before) => {
  await inTower(c, after, before)
  const { contactId = null } = after
  if (contactId !== null && contactId !== before?.contactId) await requireContact(c, contactId as number)
}

const assets = resourceFrom(assetEntity, {
  path: 'assets',
  group: 'assets',
  permission: 'asset.manage',
  kind: {
    model: Asset,
    displayOrder: { within: 'towerId' },
    unique: { assets_tower_id_name_key: { name: ['asset_name_taken'] } },
    check: lookedAfter,
    references: [
      { table: 'email_follows', column: 'asset_id', deleted: true },
      { table: 'asset_notifications', column: 'asset_id', deleted: true },
    ],
  },
  order: 'order',
  links: [{ href: '/admin/assets/posters', permission: 'poster.print', label: (text) => text.posters.title }],
  filters: placeFilters,
  nameOf: ({ name }) => name,
  movedFields: { status: 'POST /api/incidents', archived: 'POST /api/admin/assets/:id/archive' },
  words: (t) => t.assets,
  archives: true,
  dependents: async (asset, { records }) => {
    const { incidents, windows } = await countsOf({
      incidents: ['select count(*) from incidents where asset_id = $1', asset.id],
      windows: ['select count(*) from maintenance_windows where asset_id = $1', asset.id],
    })
    return [
      { count: incidents, text: records.dependents.incidents(incidents), blocks: true },
      { count: windows, text: records.dependents.windows(windows), blocks: true },
    ]
  },
})

/** Deleted only without incidents and maintenance. */
export const officeAssetRoutes = [...resourceRoutes(assets), ...archiveRoutes(assets)]
