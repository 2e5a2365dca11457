import { beforeAll, expect, it } from 'vitest'
import { User } from '../../src/accounts/users/user.js'
import { Asset, Unit } from '../../src/building/building.js'
import { Incident } from '../../src/incidents/model/incident.js'
import { query } from '../../src/platform/db/database.js'
import type { Row } from '../../src/platform/db/row.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()

beforeAll(async () => {
  await house.report({ assignee: 'manager' })
})

type Relation = { model: typeof Row; relation: string; field: string; table: string }

it.each([
  { model: Asset, relation: 'tower', field: 'towerId', table: 'towers' },
  { model: Asset, relation: 'contact', field: 'contactId', table: 'contacts' },
  { model: Unit, relation: 'tower', field: 'towerId', table: 'towers' },
  { model: User, relation: 'unit', field: 'unitId', table: 'units' },
  { model: Incident, relation: 'asset', field: 'assetId', table: 'assets' },
  { model: Incident, relation: 'unit', field: 'unitId', table: 'units' },
  { model: Incident, relation: 'assignee', field: 'assigneeId', table: 'users' },
] as Relation[])('$model.name has the relation $relation', async ({ model, relation, field, table }) => {
  const [row] = (await model.query().whereNotNull(field).limit(1)) as unknown as Record<string, number>[]
  const related = (await model.relatedQuery(relation).for(row!.id!)) as unknown as { id: number }[]
  const expected = await query(`select id from ${table} where id = $1`, [row![field]])
  expect(related.map(({ id }) => ({ id }))).toEqual(expected)
})
