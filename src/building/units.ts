import { countsOf } from '../platform/db/dependents.js'
import { resourceOf } from '../platform/http/records/entity.js'
import { resourceRoutes } from '../platform/http/records/resource.js'
import { archiveRoutes, inTower, placeFilters } from './archiveRoutes.js'
import { Unit } from './building.js'
import { unitEntity } from './entities.js'
import { unitName } from './unitName.js'

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
