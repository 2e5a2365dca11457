import { unitName } from '../../building/unitName.js'
import type { SheetRow } from '../../platform/http/request/importSheet.js'
import { type Importer, idsOf, records } from './importer.js'
import { type PlannedRow, planEach, planned, RowRefused } from './importPlan.js'
import { type TowerThere, towersThere, type UnitThere, unitsThere } from './importTargets.js'

/** Tower names listed in the problem of a misspelt one. */
const namedTowers = 8

/** Matches units by tower and number. An archived unit is restored. */
export const unitImporter: Importer = {
  entity: 'unit',

  async plan(rows, run) {
    const towers = towersByName(await towersThere(run))
    const there = new Map((await unitsThere(run)).map((unit) => [unitKey(unit), unit]))
    const of = ({ cells: { tower = '', number = '' } }: SheetRow) => unitName(tower, number).toLowerCase()
    return planEach(rows, { column: 'number', of }, (row) => plannedUnit(row, towers, there))
  },

  async create(c, rows) {
    const made = await c.query<{ id: number; towerId: number; number: string }>(
      `insert into units (tower_id, number, floor, created_at)
       select "towerId", number, floor, $2 from json_to_recordset($1) as r ("towerId" integer, number text, floor integer)
       returning id, tower_id as "towerId", number`,
      [records(rows), c.now],
    )
    return idsOf(rows, made, (unit) => unitKey(unit as UnitThere))
  },

  async update(c, rows) {
    await c.query(
      `update units u set floor = r.floor, archived_at = null
       from json_to_recordset($1) as r (id integer, floor integer) where u.id = r.id`,
      [records(rows)],
    )
  },
}

function plannedUnit(
  row: SheetRow,
  towers: Map<string, TowerThere>,
  units: Map<string, UnitThere>,
): PlannedRow {
  const { tower = '', number = '', floor } = row.cells
  const { id: towerId, name } = towerNamed(towers, tower)
  const there = units.get(unitKey({ towerId, number }))
  const spelt = there?.number ?? number
  const fields = { towerId, number: spelt, floor: Number(floor), archivedAt: null }
  const before = there && { towerId, number: spelt, floor: there.floor, archivedAt: there.archivedAt }
  return planned(row, unitName(name, spelt), { fields }, before ? { id: there!.id, fields: before } : null)
}

/** Numbers in one tower that differ only in case are the same unit. */
export function unitKey({ towerId, number }: Pick<UnitThere, 'towerId' | 'number'>): string {
  return `${towerId} ${number.toLowerCase()}`
}

/** Towers by lower-case name. */
export function towersByName(towers: TowerThere[]): Map<string, TowerThere> {
  return new Map(towers.map((tower) => [tower.name.toLowerCase(), tower]))
}

/** The tower of this name, ignoring case. Throws RowRefused with the existing names. */
export function towerNamed(towers: Map<string, TowerThere>, name: string): TowerThere {
  const tower = towers.get(name.toLowerCase())
  if (tower) return tower
  const known = [...towers.values()].slice(0, namedTowers).map((each) => each.name)
  throw new RowRefused('tower_unknown', 'tower', known.join(', '))
}
