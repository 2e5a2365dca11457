import { countColumn, idColumn } from '../../platform/db/columnKinds.js'
import { entity } from '../../platform/http/records/entity.js'
import { nameField } from '../../platform/http/records/sharedFields.js'
import { inUse, orderField } from './placeFields.js'

/** Towers, the parts of the building (spec §2; decision 2.1). */
export const towerEntity = entity({
  name: 'tower',
  json: { everyone: 'Tower', office: 'OfficeTower' },
  from: 'towers r',
  search: 'r.name',
  fields: {
    id: { column: idColumn, reader: 'everyone' },
    name: { ...nameField, reader: 'everyone' },
    assets: { column: countColumn, sql: inUse('assets'), reader: 'none', list: true },
    units: { column: countColumn, sql: inUse('units'), reader: 'none', list: true },
    sortOrder: { ...orderField, sort: { name: 'order', by: 'r.sort_order', type: 'integer' } },
  },
})
