import { z } from 'zod'
import { countsOf } from '../../platform/db/dependents.js'
import type { Resource } from '../../platform/http/records/description.js'
import { resourceRoutes } from '../../platform/http/records/resource.js'
import { id, line } from '../../platform/http/request/input.js'
import { archiveRoutes, placeFilters, towerOptions } from '../archiveRoutes.js'
import { unitName } from '../unitName.js'
import { OfficeUnitJson, presentOfficeUnit } from './json.js'
import { unitKind } from './places.js'
import { findUnit, type OfficeUnit, unitListing } from './queries.js'

const longestNumber = 50

const schema = z.object({
  towerId: id('tower'),
  number: line('number', longestNumber),
  floor: z
    .number({ error: ({ input }) => (input === undefined ? 'floor_required' : 'floor_unknown') })
    .int('floor_unknown')
    .min(-20, 'floor_unknown')
    .max(300, 'floor_unknown'),
})

const units: Resource<OfficeUnit, typeof OfficeUnitJson> = {
  path: 'units',
  permission: 'unit.manage',
  kind: unitKind,
  listing: unitListing,
  order: 'number',
  filters: placeFilters,
  find: findUnit,
  present: presentOfficeUnit,
  json: OfficeUnitJson,
  // The same name as in incidents (decision 2.15).
  nameOf: ({ towerName, number }) => unitName(towerName, number),
  schema,
  elsewhere: { archived: 'POST /api/admin/units/:id/archive' },
  words: (t) => t.upkeep.units,
  archives: true,
  columns: [
    { name: 'number', sort: 'number', cell: ({ number }) => number },
    { name: 'towerName', sort: 'tower', cell: ({ towerName }) => towerName },
    { name: 'floor', sort: 'floor', cell: ({ floor }) => floor },
    { name: 'people', cell: ({ people }) => people },
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
    { name: 'number', kind: 'line', maxlength: longestNumber },
    { name: 'floor', kind: 'number', maxlength: 3 },
  ],
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
}

/**
 * Units, the flats of the building: created, changed, archived; deleted only without people and
 * incidents.
 */
export const unitRoutes = [...resourceRoutes(units), ...archiveRoutes(units)]
