import { unitName } from '../../building/building.js'
import type { Query } from '../../platform/db/database.js'
import { nameProblem } from '../../vocabulary/people/personName.js'
import type { User } from '../users/user.js'
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
import {
  type StoredTower,
  type StoredUnit,
  storedTowers,
  storedUnits,
  towerNamed,
  unitKey,
} from './unitImporter.js'

/** The account there is at an address. */
type StoredAccount = Pick<User, 'id' | 'name' | 'role' | 'active' | 'unitId' | 'isMobileReporter'>

/** These addresses as the database folds them, each with the account it belongs to. */
async function storedAccounts(
  run: Query,
  emails: string[],
): Promise<Map<string, { folded: string; account: StoredAccount | null }>> {
  const rows = await run<StoredAccount & { sheetEmail: string; folded: string }>(
    `select sheet_email, lower(sheet_email) as folded, id, name, role, active, unit_id, is_mobile_reporter
     from unnest($1::text[]) as sheet_email left join users on lower(email) = lower(sheet_email)`,
    [emails],
  )
  return new Map(
    rows.map(({ sheetEmail, folded, ...account }) => [
      sheetEmail,
      { folded, account: account.id === null ? null : account },
    ]),
  )
}

/** What the rows of residents are matched with. */
type ImportTargets = {
  towers: Map<string, StoredTower>
  units: StoredUnit[]
  byKey: Map<string, StoredUnit>
  locale: string
  name: string
}

/**
 * Matches residents by email address. New ones are active without a password; staff and inactive
 * accounts are left as they are.
 */
export const residentImporter: Importer = {
  entity: 'user',

  async plan(rows, run) {
    const emails = rows.map(({ cells }) => cells.email ?? '')
    const stored = await storedAccounts(run, emails)
    const accountOf = ({ cells }: SheetRow) => stored.get(cells.email ?? '')!
    const units = (await storedUnits(run)).filter(({ archivedAt }) => archivedAt === null)
    const [property] = await run<{ locale: string; name: string }>('select locale, name from properties')
    const targets: ImportTargets = {
      towers: await storedTowers(run),
      units,
      byKey: new Map(units.map((unit) => [unitKey(unit), unit])),
      locale: property?.locale ?? 'en',
      name: property?.name ?? '',
    }
    return planEach(rows, { column: 'email', of: (row) => accountOf(row).folded }, (row) =>
      plannedResident(row, targets, accountOf(row).account),
    )
  },

  async create(c, rows) {
    const inserted = await c.query<{ id: number; email: string }>(
      `insert into users (name, email, role, active, unit_id, locale, created_at)
       select name, email, 'resident', true, "unitId", locale, $2
       from json_to_recordset($1) as r (name text, email text, "unitId" integer, locale text) returning id, email`,
      [asRecordset(rows), c.now],
    )
    return idsOf(rows, inserted, ({ email }) => String(email))
  },

  async update(c, rows) {
    await c.query(
      `update users u set name = r.name, unit_id = r."unitId"
       from json_to_recordset($1) as r (id integer, name text, "unitId" integer) where u.id = r.id`,
      [asRecordset(rows)],
    )
  },
}

function plannedResident(row: SheetRow, targets: ImportTargets, stored: StoredAccount | null): PlannedRow {
  const { name = '', email = '' } = row.cells
  if (stored && (stored.role !== 'resident' || stored.isMobileReporter))
    throw new RowRefused('not_a_resident', 'email', email)
  if (stored && !stored.active) throw new RowRefused('resident_inactive', 'email', email)
  const problem = stored?.name === name ? null : nameProblem(name, targets.name)
  if (problem) throw new RowRefused(problem, 'name', name)
  const unit = unitOf(row, targets)
  const before = stored && targets.units.find(({ id }) => id === stored.unitId)
  const unitId = unit === undefined ? (stored?.unitId ?? null) : (unit?.id ?? null)
  const display = { unitId: nameOf(unit === undefined ? before : unit) }
  if (!stored) {
    const fields = { name, email, role: 'resident', active: true, unitId, locale: targets.locale }
    return planRow(row, name, { fields, display }, null)
  }
  return planRow(
    row,
    name,
    { fields: { name, unitId }, display },
    {
      id: stored.id,
      fields: { name: stored.name, unitId: stored.unitId },
      display: { unitId: nameOf(before) },
    },
  )
}

/**
 * Undefined when the sheet has no unit column (units stay as they are); null when the cells are
 * empty.
 */
function unitOf(
  { cells: { tower = '', unit } }: SheetRow,
  targets: ImportTargets,
): StoredUnit | null | undefined {
  if (unit === undefined && tower === '') return undefined
  if (unit === undefined || unit === '') {
    if (tower !== '') throw new RowRefused('unit_without_number', 'tower', tower)
    return null
  }
  const match =
    tower === ''
      ? onlyUnit(unit, targets)
      : targets.byKey.get(unitKey({ towerId: towerNamed(targets.towers, tower).id, number: unit }))
  if (!match) throw new RowRefused('unit_unknown', 'unit', unit)
  return match
}

/** A number without a tower is enough when only one tower has it. */
function onlyUnit(number: string, { units }: ImportTargets): StoredUnit | undefined {
  const same = units.filter((unit) => unit.number.toLowerCase() === number.toLowerCase())
  if (same.length > 1) throw new RowRefused('unit_ambiguous', 'unit', number)
  return same[0]
}

/** The unit's public name (decision 2.15). */
function nameOf(unit: StoredUnit | null | undefined): string | null {
  return unit ? unitName(unit.towerName, unit.number) : null
}
