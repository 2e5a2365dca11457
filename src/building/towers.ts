import { countsOf } from '../platform/db/dependents.js'
import { resourceOf } from '../platform/http/records/entity.js'
import { resourceRoutes } from '../platform/http/records/resource.js'
import { Tower } from './building.js'
import { towerEntity } from './entities.js'

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
