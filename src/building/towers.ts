import { countsOf } from '../platform/db/dependents.js'
import { countColumn, idColumn, textColumn, wholeColumn } from '../platform/db/kinds.js'
import { entity, resourceOf } from '../platform/http/records/entity.js'
import { place } from '../platform/http/records/fields.js'
import { resourceRoutes } from '../platform/http/records/resource.js'
import { line } from '../platform/http/request/input.js'
import { limits } from '../vocabulary/limits.js'
import { Tower } from './building.js'

const inUse = (table: string) =>
  `(select count(*) from ${table} p where p.tower_id = r.id and p.archived_at is null)`

/** Towers, the parts of the building (spec §2; decision 2.1). */
export const towerEntity = entity({
  name: 'tower',
  json: { everyone: 'Tower', office: 'OfficeTower' },
  from: 'towers r',
  search: 'r.name',
  fields: {
    id: { kind: idColumn, reader: 'everyone' },
    name: {
      kind: textColumn,
      reader: 'everyone',
      input: line('name', limits.name),
      form: { kind: 'line', maxlength: limits.name },
      sort: { name: 'name', by: 'lower(r.name)', type: 'text' },
      list: true,
    },
    assets: { kind: countColumn, sql: inUse('assets'), reader: 'nobody', list: true },
    units: { kind: countColumn, sql: inUse('units'), reader: 'nobody', list: true },
    sortOrder: {
      kind: wholeColumn,
      input: place.default(0),
      form: { kind: 'number', maxlength: 6 },
      sort: { name: 'order', by: 'r.sort_order', type: 'integer' },
      list: true,
    },
  },
})

const towers = resourceOf(towerEntity, {
  path: 'towers',
  permission: 'tower.manage',
  kind: { model: Tower, unique: { towers_name_key: { name: ['name_taken'] } } },
  order: 'order',
  nameOf: ({ name }) => name,
  words: (t) => t.office.towers,
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
})

export const towerRoutes = resourceRoutes(towers)
