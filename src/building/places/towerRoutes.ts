import { z } from 'zod'
import { countsOf } from '../../platform/db/dependents.js'
import type { Resource } from '../../platform/http/records/description.js'
import { place } from '../../platform/http/records/fields.js'
import type { RecordKind } from '../../platform/http/records/records.js'
import { resourceRoutes } from '../../platform/http/records/resource.js'
import { line } from '../../platform/http/request/input.js'
import { limits } from '../../vocabulary/limits.js'
import { Tower } from '../building.js'
import { OfficeTowerJson, presentOfficeTower } from '../contacts/json.js'

const kind: RecordKind = {
  entity: 'tower',
  model: Tower,
  fields: ['name', 'sortOrder'],
  unique: { towers_name_key: { name: ['name_taken'] } },
}

const listing = {
  columns: `r.id, r.name, r.sort_order as "sortOrder",
    (select count(*) from assets a where a.tower_id = r.id and a.archived_at is null) as assets,
    (select count(*) from units u where u.tower_id = r.id and u.archived_at is null) as units`,
  from: 'towers r',
  search: 'r.name',
  sorts: {
    name: { by: 'lower(r.name)', type: 'text' },
    order: { by: 'r.sort_order', type: 'integer' },
  },
} as const

type ListedTower = Tower & { assets: number; units: number }

/** Towers, the parts of the building (spec §2; decision 2.1). */
const towers: Resource<Tower, typeof OfficeTowerJson> = {
  path: 'towers',
  permission: 'tower.manage',
  kind,
  listing,
  order: 'order',
  find: async (id) => (await Tower.query().findById(id)) ?? null,
  present: presentOfficeTower,
  json: OfficeTowerJson,
  nameOf: ({ name }) => name,
  schema: z.object({ name: line('name', limits.name), sortOrder: place.default(0) }),
  words: (t) => t.office.towers,
  columns: [
    { name: 'name', sort: 'name', cell: ({ name }) => name },
    { name: 'assets', cell: (row) => (row as ListedTower).assets },
    { name: 'units', cell: (row) => (row as ListedTower).units },
    { name: 'sortOrder', sort: 'order', cell: ({ sortOrder }) => sortOrder },
  ],
  fields: async () => [
    { name: 'name', kind: 'line', maxlength: limits.name },
    { name: 'sortOrder', kind: 'number', maxlength: 6 },
  ],
  dependents: async ({ id }, { office }) => {
    const { assets, units } = await countsOf({
      assets: ['select count(*) from assets where tower_id = $1', id],
      units: ['select count(*) from units where tower_id = $1', id],
    })
    return [
      { count: assets, text: office.dependents.assets(assets), blocks: true },
      { count: units, text: office.dependents.units(units), blocks: true },
    ]
  },
}

export const towerRoutes = resourceRoutes(towers)
