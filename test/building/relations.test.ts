import { beforeAll, expect, it } from 'vitest'
import { User } from '../../src/accounts/users/user.js'
import { Asset, Unit } from '../../src/building/building.js'
import { Incident } from '../../src/incidents/model/incident.js'
import { query } from '../../src/platform/db/database.js'
import type { Row } from '../../src/platform/db/row.js'
import { useHouse } from '../support/house/house.js'

useHouse()

const relations: [model: typeof Row, relation: string, field: string, table: string][] = [
  [Asset, 'tower', 'towerId', 'towers'],
  [Asset, 'contact', 'contactId', 'contacts'],
  [Unit, 'tower', 'towerId', 'towers'],
  [User, 'unit', 'unitId', 'units'],
  [Incident, 'asset', 'assetId', 'assets'],
  [Incident, 'unit', 'unitId', 'units'],
  [Incident, 'assignee', 'assigneeId', 'users'],
]

beforeAll(() =>
  query(`update incidents set assignee_id = (select min(id) from users where role = 'manager') where id = 1`),
)

it.each(relations.map((each) => [each[0].name, ...each] as const))(
  '%s has a relation',
  async (_name, model, relation, field, table) => {
    type Found = { id: number }
    const [row] = (await model.query().whereNotNull(field).limit(1)) as unknown as Record<string, number>[]
    const found = (await model.relatedQuery(relation).for(row!.id!)) as unknown as Found[]
    const expected = await query<Found>(`select id from ${table} where id = $1`, [row![field]])
    expect(found.map(({ id }) => ({ id }))).toEqual(expected)
  },
)
