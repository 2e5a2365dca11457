import { type Contact, unitName } from '../../building/building.js'
import type { Query } from '../../platform/db/database.js'
import { grouped } from '../../vocabulary/collections.js'
import { nameProblem } from '../../vocabulary/people/personName.js'
import type { User } from '../users/user.js'
import {
  asRecordset,
  type Importer,
  idsOf,
  type PlannedRow,
  planEach,
  planned,
  RowRefused,
} from './importPlan.js'
import type { SheetRow } from './sheetColumns.js'

/** Existing rows, which an import compares its rows with. */
type TowerThere = { id: number; name: string }
type UnitThere = {
  id: number
  towerId: number
  towerName: string
  number: string
  floor: number
  archivedAt: Date | null
}
type ContactThere = Pick<Contact, 'id' | 'name' | 'label' | 'phone' | 'email' | 'notes'>
type AccountThere = Pick<User, 'id' | 'name' | 'role' | 'active' | 'unitId' | 'isMobileReporter'>

/** Towers by lower-case name. */
async function towersThere(run: Query): Promise<Map<string, TowerThere>> {
  const towers = await run<TowerThere>('select id, name from towers order by id')
  return new Map(towers.map((tower) => [tower.name.toLowerCase(), tower]))
}

/** All units, archived ones included. */
async function unitsThere(run: Query): Promise<UnitThere[]> {
  return run(
    `select u.id, u.tower_id, t.name as tower_name, u.number, u.floor, u.archived_at
     from units u join towers t on t.id = u.tower_id order by u.id`,
  )
}

/** These addresses as the database folds them, each with the account it belongs to. */
async function accountsThere(
  run: Query,
  emails: string[],
): Promise<Map<string, { folded: string; account: AccountThere | null }>> {
  const rows = await run<AccountThere & { sheetEmail: string; folded: string }>(
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

const nothing = { label: '', phone: '', email: '', notes: '' }

/**
 * Matches contacts by name, and by label where the sheet has one. New ones go to the end of the
 * directory.
 */
export const contactImporter: Importer = {
  entity: 'contact',

  async plan(rows, run) {
    const contacts = await run<ContactThere>(
      'select id, name, label, phone, email, notes from contacts order by sort_order, id',
    )
    const there = grouped(contacts, ({ name }) => name.toLowerCase())
    const of = ({ cells }: SheetRow) => contactKey(cells)
    return planEach(rows, { column: 'name', of }, (row) => plannedContact(row, there))
  },

  async create(c, rows) {
    const made = await c.query<{ id: number; name: string; label: string }>(
      `insert into contacts (name, label, phone, email, notes, sort_order, created_at)
       select name, label, phone, email, notes, (select coalesce(max(sort_order), 0) from contacts) + place, $2
       from rows from (
         json_to_recordset($1) as (name text, label text, phone text, email text, notes text)
       ) with ordinality as r (name, label, phone, email, notes, place)
       order by place returning id, name, label`,
      [asRecordset(rows), c.now],
    )
    return idsOf(rows, made, contactKey)
  },

  async update(c, rows) {
    await c.query(
      `update contacts t set name = r.name, label = r.label, phone = r.phone, email = r.email, notes = r.notes
       from json_to_recordset($1) as r (id integer, name text, label text, phone text, email text, notes text)
       where t.id = r.id`,
      [asRecordset(rows)],
    )
  },
}

function plannedContact(row: SheetRow, there: Map<string, ContactThere[]>): PlannedRow {
  const { name = '', label } = row.cells
  const known = (there.get(name.toLowerCase()) ?? []).filter(
    (contact) => label === undefined || contact.label.toLowerCase() === label.toLowerCase(),
  )
  if (known.length > 1) throw new RowRefused('contact_ambiguous', 'name', name)
  const [contact] = known
  if (!contact) return planned(row, name, { fields: { ...nothing, ...row.cells } }, null)
  const { id, ...fields } = contact
  return planned(row, contact.name, { fields: { ...fields, ...row.cells } }, { id, fields })
}

function contactKey({ name, label = '' }: Record<string, unknown>): string {
  return `${name}\n${label}`.toLowerCase()
}

/** Tower names listed in the problem of a misspelt one. */
const namedTowers = 8

/** Matches units by tower and number. An archived unit is restored. */
export const unitImporter: Importer = {
  entity: 'unit',

  async plan(rows, run) {
    const towers = await towersThere(run)
    const there = new Map((await unitsThere(run)).map((unit) => [unitKey(unit), unit]))
    const of = ({ cells: { tower = '', number = '' } }: SheetRow) => unitName(tower, number).toLowerCase()
    return planEach(rows, { column: 'number', of }, (row) => plannedUnit(row, towers, there))
  },

  async create(c, rows) {
    const made = await c.query<{ id: number; towerId: number; number: string }>(
      `insert into units (tower_id, number, floor, created_at)
       select "towerId", number, floor, $2 from json_to_recordset($1) as r ("towerId" integer, number text, floor integer)
       returning id, tower_id, number`,
      [asRecordset(rows), c.now],
    )
    return idsOf(rows, made, (unit) => unitKey(unit as UnitThere))
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
function unitKey({ towerId, number }: Pick<UnitThere, 'towerId' | 'number'>): string {
  return `${towerId} ${number.toLowerCase()}`
}

/** The tower of this name, ignoring case. Throws RowRefused with the existing names. */
function towerNamed(towers: Map<string, TowerThere>, name: string): TowerThere {
  const tower = towers.get(name.toLowerCase())
  if (tower) return tower
  const known = [...towers.values()].slice(0, namedTowers).map((each) => each.name)
  throw new RowRefused('tower_unknown', 'tower', known.join(', '))
}

type House = {
  towers: Map<string, TowerThere>
  units: UnitThere[]
  byKey: Map<string, UnitThere>
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
    const there = await accountsThere(run, emails)
    const behind = ({ cells }: SheetRow) => there.get(cells.email ?? '')!
    const units = (await unitsThere(run)).filter(({ archivedAt }) => archivedAt === null)
    const [property] = await run<{ locale: string; name: string }>('select locale, name from properties')
    const house: House = {
      towers: await towersThere(run),
      units,
      byKey: new Map(units.map((unit) => [unitKey(unit), unit])),
      locale: property?.locale ?? 'en',
      name: property?.name ?? '',
    }
    return planEach(rows, { column: 'email', of: (row) => behind(row).folded }, (row) =>
      plannedResident(row, house, behind(row).account),
    )
  },

  async create(c, rows) {
    const made = await c.query<{ id: number; email: string }>(
      `insert into users (name, email, role, active, unit_id, locale, created_at)
       select name, email, 'resident', true, "unitId", locale, $2
       from json_to_recordset($1) as r (name text, email text, "unitId" integer, locale text) returning id, email`,
      [asRecordset(rows), c.now],
    )
    return idsOf(rows, made, ({ email }) => String(email))
  },

  async update(c, rows) {
    await c.query(
      `update users u set name = r.name, unit_id = r."unitId"
       from json_to_recordset($1) as r (id integer, name text, "unitId" integer) where u.id = r.id`,
      [asRecordset(rows)],
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
  const before = there && house.units.find(({ id }) => id === there.unitId)
  const unitId = unit === undefined ? (there?.unitId ?? null) : (unit?.id ?? null)
  const display = { unitId: nameOf(unit === undefined ? before : unit) }
  if (!there) {
    const fields = { name, email, role: 'resident', active: true, unitId, locale: house.locale }
    return planned(row, name, { fields, display }, null)
  }
  return planned(
    row,
    name,
    { fields: { name, unitId }, display },
    { id: there.id, fields: { name: there.name, unitId: there.unitId }, display: { unitId: nameOf(before) } },
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
  const match =
    tower === ''
      ? onlyUnit(unit, house)
      : house.byKey.get(unitKey({ towerId: towerNamed(house.towers, tower).id, number: unit }))
  if (!match) throw new RowRefused('unit_unknown', 'unit', unit)
  return match
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
