import { idColumn, orNull, textColumn } from '../../platform/db/columnKinds.js'
import { query } from '../../platform/db/database.js'
import { entity } from '../../platform/http/records/entity.js'
import { nameField } from '../../platform/http/records/sharedFields.js'
import {
  clearable,
  clearableId,
  id,
  optionalText,
  singleLine,
  trimmedText,
} from '../../vocabulary/inputRules.js'
import { lengths } from './fieldKinds.js'
import { archivedAtField, archivedFilters, chooseTower, orderField, towerNameField } from './placeFields.js'

/** SQL: a display order as text of fixed length, so that it sorts as a number. */
const padded = (column: string) => `lpad((${column} + 100000)::text, 6, '0')`

/** By tower, as on the status page; towers with the same order are in that of their ids. */
const displayOrder = `${padded('t.sort_order')} || lpad(t.id::text, 10, '0') || ${padded('r.sort_order')}`

/** Assets (spec §2). Their live status does not depend on these fields. */
export const assetEntity = entity({
  name: 'asset',
  json: { office: 'OfficeAsset' },
  from: 'assets r join towers t on t.id = r.tower_id left join contacts k on k.id = r.contact_id',
  search: `concat_ws(' ', r.name, r.category, r.code, t.name, r.description, k.name)`,
  filters: { towerId: 'r.tower_id = $', ...archivedFilters },
  fields: {
    id: { column: idColumn },
    name: nameField,
    towerId: { column: idColumn, input: id('tower'), form: chooseTower },
    towerName: towerNameField,
    category: {
      column: textColumn,
      input: singleLine('category', lengths.category),
      form: { control: 'line', maxlength: lengths.category },
      sort: { name: 'category', by: 'lower(r.category)', type: 'text' },
      list: true,
    },
    code: {
      column: orNull(textColumn),
      input: clearable(trimmedText('code', lengths.code, 0).transform((code) => code || null)),
      form: { control: 'line', maxlength: lengths.code },
      sort: { name: 'code', by: `lower(coalesce(r.code, ''))`, type: 'text' },
      list: true,
    },
    description: { column: textColumn, input: optionalText('description'), form: { control: 'text' } },
    contactId: {
      column: orNull(idColumn),
      input: clearableId('contact'),
      form: {
        control: 'select',
        options: async ({ state }) => [
          { value: '', label: state.text.records.noOne },
          ...(await contactOptions()),
        ],
      },
    },
    contactName: { column: orNull(textColumn), sql: 'k.name', list: true },
    sortOrder: { ...orderField, sort: { name: 'order', by: displayOrder, type: 'text' } },
    archivedAt: archivedAtField,
  },
})

/** The contacts as options, in their order; what they are for tells those of one name apart. */
function contactOptions(): Promise<{ value: string; label: string }[]> {
  return query(
    `select id::text as value, concat_ws(', ', name, nullif(label, '')) as label from contacts order by sort_order, id`,
  )
}
