import { unitName } from '../../building/building.js'
import type { Query } from '../../platform/db/database.js'
import {
  asRecordset,
  type Importer,
  idsOf,
  type PlannedRow,
  planEach,
  planRow,
  RowRefused,
} from './importPlan.js'
import type { SheetRow } from './sheetColumns.js'

/** Rows there are, which an import compares its own with, archived units included. */
export type StoredTower = { id: number; name: string }
export type StoredUnit = {
  id: number
  towerId: number
  towerName: string
  number: string
  floor: number
  archivedAt: Date | null
}

/** Towers by lower-case name. */
export async function storedTowers(run: Query): Promise<Map<string, StoredTower>> {
  const towers = await run<StoredTower>('select id, name from towers order by id')
  return new Map(towers.map((tower) => [tower.name.toLowerCase(), tower]))
}

/** All units, archived ones included. */
export async function storedUnits(run: Query): Promise<StoredUnit[]> {
  return run(
    `select u.id, u.tower_id, t.name as tower_name, u.number, u.floor, u.archived_at
     from units u join towers t on t.id = u.tower_id order by u.id`,
  )
}

/** Tower names listed in the problem of a misspelt one. */
const mostTowersListed = 8

/** Matches units by tower and number. An archived unit is restored. */
export const unitImporter: Importer = {
  entity: 'unit',

  async plan(rows, run) {
    const towers = await storedTowers(run)
    const stored = new Map((await storedUnits(run)).map((unit) => [unitKey(unit), unit]))
    const key = ({ cells: { tower = '', number = '' } }: SheetRow) => unitName(tower, number).toLowerCase()
    return planEach(rows, { column: 'number', of: key }, (row) => plannedUnit(row, towers, stored))
  },

  async create(c, rows) {
    const inserted = await c.query<{ id: number; towerId: number; number: string }>(
      `insert into units (tower_id, number, floor, created_at)
       select "towerId", number, floor, $2 from json_to_recordset($1) as r ("towerId" integer, number text, floor integer)
       returning id, tower_id, number`,
      [asRecordset(rows), c.now],
    )
    return idsOf(rows, inserted, (unit) => unitKey(unit as StoredUnit))
  },

  async update(c, rows) {
    await c.query(
      `update units u set floor = r.floor, archived_at = null
       from json_to_recordset($1) as r (id integer, floor integer) where u.id = r.id`,
      [asRecordset(rows)],
    )
  },
}

function plannedUnit(
  row: SheetRow,
  towers: Map<string, StoredTower>,
  units: Map<string, StoredUnit>,
): PlannedRow {
  const { tower = '', number = '', floor } = row.cells
  const { id: towerId, name } = towerNamed(towers, tower)
  const stored = units.get(unitKey({ towerId, number }))
  const storedNumber = stored?.number ?? number
  const fields = { towerId, number: storedNumber, floor: Number(floor), archivedAt: null }
  const before = stored && {
    towerId,
    number: storedNumber,
    floor: stored.floor,
    archivedAt: stored.archivedAt,
  }
  return planRow(
    row,
    unitName(name, storedNumber),
    { fields },
    before ? { id: stored!.id, fields: before } : null,
  )
}

/** Numbers in one tower that differ only in case are the same unit. */
export function unitKey({ towerId, number }: Pick<StoredUnit, 'towerId' | 'number'>): string {
  return `${towerId} ${number.toLowerCase()}`
}

/** The tower of this name, ignoring case. Throws RowRefused with the existing names. */
export function towerNamed(towers: Map<string, StoredTower>, name: string): StoredTower {
  const tower = towers.get(name.toLowerCase())
  if (tower) return tower
  const names = [...towers.values()].slice(0, mostTowersListed).map((each) => each.name)
  throw new RowRefused('tower_unknown', 'tower', names.join(', '))
}
