import { countsOf } from '../platform/db/dependents.js'
import { idColumn, instantColumn, orNull, textColumn, wholeColumn } from '../platform/db/kinds.js'
import { requireContact } from '../platform/http/records/archive.js'
import { entity, resourceOf } from '../platform/http/records/entity.js'
import { place } from '../platform/http/records/fields.js'
import type { RecordKind } from '../platform/http/records/records.js'
import { resourceRoutes } from '../platform/http/records/resource.js'
import { clearable, clearableId, id, line, optionalLine } from '../platform/http/request/input.js'
import { limits } from '../vocabulary/limits.js'
import {
  archivedColumn,
  archivedFilter,
  archiveRoutes,
  chooseTower,
  inTower,
  placeFilters,
} from './archiveRoutes.js'
import { Asset, Contact } from './building.js'

const lengths = { category: 100, code: 50 }

/** SQL: a display order as text of fixed length, so that it sorts as a number. */
const padded = (column: string) => `lpad((${column} + 100000)::text, 6, '0')`
/** By tower, as on the status page. */
const displayOrder = `${padded('t.sort_order')} || t.id || ' ' || ${padded('r.sort_order')}`

/** Assets (spec §2). Their live status does not depend on these fields. */
export const assetEntity = entity({
  name: 'asset',
  json: { office: 'OfficeAsset' },
  from: 'assets r join towers t on t.id = r.tower_id left join contacts k on k.id = r.contact_id',
  search: `concat_ws(' ', r.name, r.category, r.code, t.name, r.description, k.name)`,
  filters: { towerId: 'r.tower_id = $', archived: archivedFilter },
  fields: {
    id: { kind: idColumn },
    name: {
      kind: textColumn,
      input: line('name', limits.name),
      form: { kind: 'line', maxlength: limits.name },
      sort: { name: 'name', by: 'lower(r.name)', type: 'text' },
      list: true,
    },
    towerId: { kind: idColumn, input: id('tower'), form: chooseTower },
    towerName: {
      kind: textColumn,
      sql: 't.name',
      sort: { name: 'tower', by: 'lower(t.name)', type: 'text' },
      list: true,
    },
    category: {
      kind: textColumn,
      input: line('category', lengths.category),
      form: { kind: 'line', maxlength: lengths.category },
      sort: { name: 'category', by: 'lower(r.category)', type: 'text' },
      list: true,
    },
    code: {
      kind: orNull(textColumn),
      input: clearable(line('code', lengths.code, 0).transform((code) => code || null)),
      form: { kind: 'line', maxlength: lengths.code },
      sort: { name: 'code', by: `lower(coalesce(r.code, ''))`, type: 'text' },
      list: true,
    },
    description: { kind: textColumn, input: optionalLine('description'), form: { kind: 'text' } },
    contactId: {
      kind: orNull(idColumn),
      input: clearableId('contact'),
      form: {
        kind: 'select',
        options: async ({ state }) => [
          { value: '', label: state.text.upkeep.nobody },
          ...(await contactOptions()),
        ],
      },
    },
    contactName: { kind: orNull(textColumn), sql: 'k.name', list: true },
    sortOrder: {
      kind: wholeColumn,
      input: place.default(0),
      form: { kind: 'number', maxlength: 6 },
      sort: { name: 'order', by: displayOrder, type: 'text' },
      list: true,
    },
    archivedAt: { kind: orNull(instantColumn), list: archivedColumn },
  },
})

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

/** The contacts as options, in their order; what they are for tells those of one name apart. */
async function contactOptions() {
  const contacts = await Contact.all()
  return contacts.map(({ id, name, label }) => ({
    value: String(id),
    label: label ? `${name}, ${label}` : name,
  }))
}
