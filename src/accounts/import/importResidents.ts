import { unitName } from '../../building/unitName.js'
import type { SheetRow } from '../../platform/http/request/importSheet.js'
import { nameProblem } from '../../vocabulary/people/personName.js'
import { type Importer, idsOf, records } from './importer.js'
import { type PlannedRow, planEach, planned, RowRefused } from './importPlan.js'
import {
  type AccountThere,
  accountsThere,
  foldedAddresses,
  type TowerThere,
  towersThere,
  type UnitThere,
  unitsThere,
} from './importTargets.js'
import { towerNamed, towersByName, unitKey } from './importUnits.js'

type House = {
  towers: Map<string, TowerThere>
  units: UnitThere[]
  byKey: Map<string, UnitThere>
  locale: string
  name: string
}

/**
 * Matches residents by mail address. New ones are active without a password; staff and inactive
 * accounts are left as they are.
 */
export const residentImporter: Importer = {
  entity: 'user',

  async plan(rows, run) {
    const folded = await foldedAddresses(
      run,
      rows.map(({ cells }) => cells.email ?? ''),
    )
    const of = ({ cells }: SheetRow) => folded.get(cells.email ?? '')!
    const there = await accountsThere(run, folded.values())
    const units = (await unitsThere(run)).filter(({ archivedAt }) => archivedAt === null)
    const [property] = await run<{ locale: string; name: string }>('select locale, name from properties')
    const house: House = {
      towers: towersByName(await towersThere(run)),
      units,
      byKey: new Map(units.map((unit) => [unitKey(unit), unit])),
      locale: property?.locale ?? 'en',
      name: property?.name ?? '',
    }
    return planEach(rows, { column: 'email', of }, (row) =>
      plannedResident(row, house, there.get(of(row)) ?? null),
    )
  },

  async create(c, rows) {
    const made = await c.query<{ id: number; email: string }>(
      `insert into users (name, email, role, active, unit_id, locale, created_at)
       select name, email, 'resident', true, "unitId", locale, $2
       from json_to_recordset($1) as r (name text, email text, "unitId" integer, locale text) returning id, email`,
      [records(rows), c.now],
    )
    return idsOf(rows, made, ({ email }) => String(email))
  },

  async update(c, rows) {
    await c.query(
      `update users u set name = r.name, unit_id = r."unitId"
       from json_to_recordset($1) as r (id integer, name text, "unitId" integer) where u.id = r.id`,
      [records(rows)],
    )
  },
}

function plannedResident(row: SheetRow, house: House, there: AccountThere | null): PlannedRow {
  const { name = '', email = '' } = row.cells
  if (there && (there.role !== 'resident' || there.isMobileReporter))
    throw new RowRefused('not_a_resident', 'email', email)
  if (there && !there.active) throw new RowRefused('resident_inactive', 'email', email)
  const problem = there?.name === name ? null : nameProblem(name, house.name)
  if (problem) throw new RowRefused(problem, 'name', name)
  const unit = unitOf(row, house)
  if (!there) {
    const fields = {
      name,
      email,
      role: 'resident',
      active: true,
      unitId: unit?.id ?? null,
      locale: house.locale,
    }
    return planned(row, name, { fields, shown: { unitId: nameOf(unit) } }, null)
  }
  const before = house.units.find(({ id }) => id === there.unitId)
  const after = unit === undefined ? before : unit
  return planned(
    row,
    name,
    {
      fields: { name, unitId: unit === undefined ? there.unitId : (unit?.id ?? null) },
      shown: { unitId: nameOf(after) },
    },
    { id: there.id, fields: { name: there.name, unitId: there.unitId }, shown: { unitId: nameOf(before) } },
  )
}

/**
 * Undefined when the sheet has no unit column (units stay as they are); null when the cells are
 * empty.
 */
function unitOf({ cells: { tower = '', unit } }: SheetRow, house: House): UnitThere | null | undefined {
  if (unit === undefined && tower === '') return undefined
  if (unit === undefined || unit === '') {
    if (tower !== '') throw new RowRefused('unit_without_number', 'tower', tower)
    return null
  }
  const found =
    tower === ''
      ? onlyUnit(unit, house)
      : house.byKey.get(unitKey({ towerId: towerNamed(house.towers, tower).id, number: unit }))
  if (!found) throw new RowRefused('unit_unknown', 'unit', unit)
  return found
}

/** A number without a tower is enough when only one tower has it. */
function onlyUnit(number: string, { units }: House): UnitThere | undefined {
  const same = units.filter((unit) => unit.number.toLowerCase() === number.toLowerCase())
  if (same.length > 1) throw new RowRefused('unit_ambiguous', 'unit', number)
  return same[0]
}

/** The unit's public name (decision 2.15). */
function nameOf(unit: UnitThere | null | undefined): string | null {
  return unit ? unitName(unit.towerName, unit.number) : null
}
