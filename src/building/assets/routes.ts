import { z } from 'zod'
import { countsOf } from '../../platform/db/dependents.js'
import type { Resource } from '../../platform/http/records/description.js'
import { place } from '../../platform/http/records/fields.js'
import { resourceRoutes } from '../../platform/http/records/resource.js'
import { clearable, clearableId, id, line, optionalLine } from '../../platform/http/request/input.js'
import { limits } from '../../vocabulary/limits.js'
import { archiveRoutes, placeFilters, towerOptions } from '../archiveRoutes.js'
import { Contact } from '../building.js'
import { OfficeAssetJson, presentOfficeAsset } from '../places/json.js'
import { assetKind } from '../places/places.js'
import { assetListing, findAsset, type OfficeAsset } from '../places/queries.js'

const lengths = { category: 100, code: 50 }

const schema = z.object({
  towerId: id('tower'),
  name: line('name', limits.name),
  category: line('category', lengths.category),
  code: clearable(line('code', lengths.code, 0).transform((code) => code || null)),
  description: optionalLine('description'),
  sortOrder: place.default(0),
  contactId: clearableId('contact'),
})

const assets: Resource<OfficeAsset, typeof OfficeAssetJson> = {
  path: 'assets',
  permission: 'asset.manage',
  kind: assetKind,
  listing: assetListing,
  order: 'order',
  filters: placeFilters,
  find: findAsset,
  present: presentOfficeAsset,
  json: OfficeAssetJson,
  nameOf: ({ name }) => name,
  schema,
  elsewhere: { status: 'POST /api/incidents', archived: 'POST /api/admin/assets/:id/archive' },
  words: (t) => t.upkeep.assets,
  archives: true,
  columns: [
    { name: 'name', sort: 'name', cell: ({ name }) => name },
    { name: 'towerName', sort: 'tower', cell: ({ towerName }) => towerName },
    { name: 'category', sort: 'category', cell: ({ category }) => category },
    { name: 'code', sort: 'code', cell: ({ code }) => code },
    { name: 'contactName', cell: ({ contactName }) => contactName },
    { name: 'sortOrder', sort: 'order', cell: ({ sortOrder }) => sortOrder },
    {
      name: 'archivedAt',
      cell: ({ archivedAt }, { t, h }) => archivedAt && t.upkeep.archivedOn(h.date(archivedAt.toISOString())),
    },
  ],
  fields: async ({ state: { text } }) => [
    {
      name: 'towerId',
      kind: 'select',
      options: [{ value: '', label: text.upkeep.choose }, ...(await towerOptions())],
    },
    { name: 'name', kind: 'line', maxlength: limits.name },
    { name: 'category', kind: 'line', maxlength: lengths.category },
    { name: 'code', kind: 'line', maxlength: lengths.code },
    { name: 'description', kind: 'text' },
    {
      name: 'contactId',
      kind: 'select',
      options: [{ value: '', label: text.upkeep.nobody }, ...(await contactOptions())],
    },
    { name: 'sortOrder', kind: 'number', maxlength: 6 },
  ],
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
}

/**
 * Assets for the office: created, changed, archived; deleted only without incidents and
 * maintenance.
 */
export const officeAssetRoutes = [...resourceRoutes(assets), ...archiveRoutes(assets)]

/** The contacts as options, in their order; what they are for tells those of one name apart. */
async function contactOptions() {
  const contacts = await Contact.all()
  return contacts.map(({ id, name, label }) => ({
    value: String(id),
    label: label ? `${name}, ${label}` : name,
  }))
}
