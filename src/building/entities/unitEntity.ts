import { z } from 'zod'
import { countColumn, idColumn, textColumn, wholeColumn } from '../../platform/db/columnKinds.js'
import { entity } from '../../platform/http/records/entity.js'
import { id, singleLine } from '../../vocabulary/inputRules.js'
import { lengths } from './fieldKinds.js'
import { archivedAtField, archivedFilters, chooseTower, towerNameField } from './placeFields.js'

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
  filters: { towerId: 'r.tower_id = $', ...archivedFilters },
  fields: {
    id: { column: idColumn, reader: 'everyone' },
    towerId: { column: idColumn, reader: 'everyone', input: id('tower'), form: chooseTower },
    number: {
      column: textColumn,
      reader: 'everyone',
      input: singleLine('number', lengths.unitNumber),
      form: { control: 'line', maxlength: lengths.unitNumber },
      sort: { name: 'number', by: `lpad(lower(r.number), 50, '0')`, type: 'text' },
      list: true,
    },
    towerName: towerNameField,
    floor: {
      column: wholeColumn,
      reader: 'everyone',
      input: floor,
      form: { control: 'number', maxlength: 3 },
      sort: { name: 'floor', by: 'r.floor', type: 'integer' },
      list: true,
    },
    /** How many people who can sign in live there. */
    people: { column: countColumn, sql: 'coalesce(p.people, 0)', list: true },
    archivedAt: archivedAtField,
  },
})
