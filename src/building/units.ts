import { z } from 'zod'
import { countsOf } from '../platform/db/dependents.js'
import {
  countColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  wholeColumn,
} from '../platform/db/kinds.js'
import { entity, resourceOf } from '../platform/http/records/entity.js'
import { resourceRoutes } from '../platform/http/records/resource.js'
import { id, line } from '../platform/http/request/input.js'
import {
  archivedColumn,
  archivedFilter,
  archiveRoutes,
  chooseTower,
  inTower,
  placeFilters,
} from './archiveRoutes.js'
import { Unit } from './building.js'
import { unitName } from './unitName.js'

const longestNumber = 50

const floor = z
  .number({ error: ({ input }) => (input === undefined ? 'floor_required' : 'floor_unknown') })
  .int('floor_unknown')
  .min(-20, 'floor_unknown')
  .max(300, 'floor_unknown')

/** Units, the flats of the building (spec §2). Numeric numbers sort as numbers: 204 before 1204. */
export const unitEntity = entity({
  name: 'unit',
  json: { everyone: 'Unit', office: 'OfficeUnit' },
  from: `units r join towers t on t.id = r.tower_id
    left join (select unit_id, count(*) as people from users where unit_id is not null and active group by unit_id) p
      on p.unit_id = r.id`,
  search: `concat_ws(' ', t.name, r.number)`,
  filters: { towerId: 'r.tower_id = $', archived: archivedFilter },
  fields: {
    id: { kind: idColumn, reader: 'everyone' },
    towerId: { kind: idColumn, reader: 'everyone', input: id('tower'), form: chooseTower },
    number: {
      kind: textColumn,
      reader: 'everyone',
      input: line('number', longestNumber),
      form: { kind: 'line', maxlength: longestNumber },
      sort: { name: 'number', by: `lpad(lower(r.number), 50, '0')`, type: 'text' },
      list: true,
    },
    towerName: {
      kind: textColumn,
      sql: 't.name',
      sort: { name: 'tower', by: 'lower(t.name)', type: 'text' },
      list: true,
    },
    floor: {
      kind: wholeColumn,
      reader: 'everyone',
      input: floor,
      form: { kind: 'number', maxlength: 3 },
      sort: { name: 'floor', by: 'r.floor', type: 'integer' },
      list: true,
    },
    /** How many people who can sign in live there. */
    people: { kind: countColumn, sql: 'coalesce(p.people, 0)', list: true },
    archivedAt: { kind: orNull(instantColumn), list: archivedColumn },
  },
})

const units = resourceOf(unitEntity, {
  path: 'units',
  permission: 'unit.manage',
  kind: {
    model: Unit,
    unique: { units_tower_id_number_key: { number: ['number_taken'] } },
    check: inTower,
  },
  order: 'number',
  filters: placeFilters,
  // The same name as in incidents (decision 2.15).
  nameOf: ({ towerName, number }) => unitName(towerName, number),
  elsewhere: { archived: 'POST /api/admin/units/:id/archive' },
  words: (t) => t.upkeep.units,
  archives: true,
  dependents: async (unit, { office }) => {
    const { people, incidents } = await countsOf({
      people: ['select count(*) from users where unit_id = $1', unit.id],
      incidents: ['select count(*) from incidents where unit_id = $1', unit.id],
    })
    return [
      { count: people, text: office.dependents.people(people), blocks: true },
      { count: incidents, text: office.dependents.incidents(incidents), blocks: true },
    ]
  },
})

/** Deleted only without people and incidents. */
export const unitRoutes = [...resourceRoutes(units), ...archiveRoutes(units)]
