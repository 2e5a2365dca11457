import { emailFollowerAt } from '../accounts/users/emailFollower.js'
import { hashPassword } from '../accounts/users/passwords.js'
import { Property } from '../building/building.js'
import { followByEmail } from '../notifications/follow/followers.js'
import { type Change, change } from '../platform/db/change.js'
import { changesBetween } from '../vocabulary/audit.js'
import type { Status, StatusReason } from '../vocabulary/lifecycle.js'
import { type Actor, systemActor } from '../vocabulary/people/actor.js'
import { demoEmails, demoPassword } from '../vocabulary/people/demo.js'
import { DAY, dateIn, wallClock } from '../vocabulary/time/calendar.js'
import type { Recurrence, WindowException } from '../vocabulary/time/recurrence.js'
import {
  type AssetCode,
  demoAssets,
  demoContacts,
  demoPeople,
  demoProperty,
  demoTowers,
  demoUnits,
  keepers,
  localTime,
  type TowerKey,
  towerOf,
  type UnitKey,
  unitOf,
} from './directory.js'

type PlannedWork = {
  asset: AssetCode
  title: string
  startsAt: Date
  endsAt: Date
  recurrence: Recurrence
  notes: string
  exceptions?: WindowException[]
}

/**
 * Windows at `now` (epoch ms): one in progress, one weekly, one monthly, one next week. The
 * repeating two colour no asset: the monthly one is days away, the weekly one's open fault takes
 * precedence (decision 3.1).
 */
export function plannedWork(now: number): PlannedWork[] {
  return [newMachines(now), boilerCheck(now), liftService(now), gateCheck(now)]
}

/** From yesterday to tomorrow evening, so in progress at any time of day. */
function newMachines(now: number): PlannedWork {
  return {
    asset: 'S-W1',
    title: 'New washing machines and dryers',
    startsAt: new Date(localTime(now, -1, '08:00')),
    endsAt: new Date(localTime(now, 1, '18:00')),
    recurrence: 'none',
    notes:
      'The room is closed while two machines and two dryers are exchanged. Laundry left inside is in the office.',
  }
}

/** Every Tuesday for 14 weeks and on; one to come is skipped, and one moved to Wednesday. */
function boilerCheck(now: number): PlannedWork {
  const { year, month, day } = wallClock(demoProperty.timezone, now)
  const sinceTuesday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 5) % 7
  return {
    asset: 'S-B1',
    title: 'Weekly boiler check',
    ...at(now, -sinceTuesday - 14 * 7, '06:00', '07:00'),
    recurrence: 'weekly',
    notes: 'Hot water may be cooler for half an hour.',
    exceptions: [
      { date: dateOf(now, 14 - sinceTuesday), startsAt: null, endsAt: null },
      { date: dateOf(now, 21 - sinceTuesday), ...inMs(at(now, 22 - sinceTuesday, '07:00', '08:00')) },
    ],
  }
}

const dateOf = (now: number, days: number) => dateIn(demoProperty.timezone, localTime(now, days, '12:00'))
const inMs = ({ startsAt, endsAt }: Record<'startsAt' | 'endsAt', Date>) => ({
  startsAt: startsAt.getTime(),
  endsAt: endsAt.getTime(),
})

/** Monthly, next in nine days; the 29th and later, missing in some months, become the 28th. */
function liftService(now: number): PlannedWork {
  const next = new Date(localTime(now, 9, '12:00'))
  const first = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() - 4, Math.min(next.getUTCDate(), 28))
  const { year, month, day } = wallClock(demoProperty.timezone, now)
  return {
    asset: 'S-L1',
    title: 'Monthly lift service',
    ...at(now, (first - Date.UTC(year, month - 1, day)) / DAY, '10:00', '12:00'),
    recurrence: 'monthly',
    notes: 'Please tell the concierge the day before if you cannot take the stairs at that time.',
  }
}

function gateCheck(now: number): PlannedWork {
  return {
    asset: 'S-G1',
    title: 'Safety check of the gate',
    ...at(now, 7, '09:00', '12:00'),
    recurrence: 'none',
    notes: 'The gate stays open and is watched. Cars can come and go.',
  }
}

const at = (now: number, days: number, from: string, to: string) => ({
  startsAt: new Date(localTime(now, days, from)),
  endsAt: new Date(localTime(now, days, to)),
})

/** What the demo's office writes often. */
const templates: {
  name: string
  wordsEn: string
  wordsEs: string
  status: Status
  statusReason: StatusReason | null
}[] = [
  {
    name: 'Engineer called',
    wordsEn:
      'Thank you for telling us. An engineer is on the way, and we write here as soon as we know more.',
    wordsEs:
      'Gracias por avisarnos. El servicio técnico está en camino y escribiremos aquí en cuanto sepamos más.',
    status: 'in_progress',
    statusReason: 'engineer_coming',
  },
  {
    name: 'Part ordered',
    wordsEn: 'A part is needed and has been ordered. It is out of use until the part is fitted.',
    wordsEs: 'Hace falta una pieza y ya está pedida. No se puede usar hasta que esté montada.',
    status: 'in_progress',
    statusReason: 'waiting_for_parts',
  },
  {
    name: 'Repaired',
    wordsEn: 'It has been repaired. Please say here whether it works for you.',
    wordsEs: 'Está reparado. Por favor, díganos aquí si le funciona.',
    status: 'resolved',
    statusReason: null,
  },
]

/** The request id of these acts in the audit log. */
export const buildingRequest = 'demo/building'

/**
 * Builds the demo except its history in one change, an audit entry for each row (decision 5.4): set
 * up at `past`, planned work as of `now`.
 */
export async function build(past: Date, now: Date): Promise<void> {
  // Outside the transaction, which would stay open for it.
  const passwordHash = await hashPassword(demoPassword)
  const actor: Actor = { ...systemActor('cli'), requestId: buildingRequest, past }
  await change(actor, async (c) => {
    await nameProperty(c)
    const towerIds = await insertTowers(c)
    const unitIds = await insertUnits(c, towerIds)
    await insertUsers(c, unitIds, passwordHash)
    const contactIds = await insertContacts(c)
    const assetIds = await insertAssets(c, towerIds, contactIds)
    await insert(c, 'reply_templates', 'reply_template', templates)
    await insertWindows(c, assetIds, now)
    await insertFollower(c, assetIds)
  })
}

async function nameProperty(c: Change): Promise<void> {
  const { id, name, address, timezone, currency, locale } = await Property.query(c.trx)
    .findById(1)
    .throwIfNotFound()
  await Property.query(c.trx).findById(id).patch(demoProperty)
  c.audit('property.updated', id, changesBetween({ name, address, timezone, currency, locale }, demoProperty))
}

async function insertTowers(c: Change): Promise<Map<TowerKey, number>> {
  const keys = Object.keys(demoTowers) as TowerKey[]
  return insertEach(c, 'towers', 'tower', keys, (key, i) => ({ name: demoTowers[key], sortOrder: i + 1 }))
}

async function insertUnits(c: Change, towerIds: Map<TowerKey, number>): Promise<Map<UnitKey, number>> {
  const rowOf = (key: UnitKey) => ({ towerId: towerIds.get(towerOf(key))!, ...unitOf(key) })
  return insertEach(c, 'units', 'unit', demoUnits, rowOf)
}

async function insertUsers(c: Change, unitIds: Map<UnitKey, number>, passwordHash: string): Promise<void> {
  const rows = Object.values(demoPeople).map(({ name, email, role, unit }) => ({
    name,
    email,
    role,
    unitId: unit === null ? null : unitIds.get(unit)!,
    passwordHash: demoEmails.includes(email) ? passwordHash : null,
  }))
  await insert(c, 'users', 'user', rows)
}

async function insertContacts(c: Change): Promise<Map<string, number>> {
  const names = demoContacts.map(({ name }) => name)
  return insertEach(c, 'contacts', 'contact', names, (_name, i) => ({ ...demoContacts[i], sortOrder: i + 1 }))
}

async function insertAssets(
  c: Change,
  towerIds: Map<TowerKey, number>,
  contactIds: Map<string, number>,
): Promise<Map<AssetCode, number>> {
  const codes = Object.keys(demoAssets) as AssetCode[]
  return insertEach(c, 'assets', 'asset', codes, (code, i) => ({
    code,
    ...demoAssets[code],
    towerId: towerIds.get(towerOf(code))!,
    sortOrder: i + 1,
    contactId: contactIds.get(keepers[code] ?? '') ?? null,
    announcedAt: c.now,
  }))
}

async function insertWindows(c: Change, assetIds: Map<AssetCode, number>, now: Date): Promise<void> {
  const planned = plannedWork(now.getTime())
  const rows = planned.map(({ asset, exceptions: _exceptions, ...work }) => ({
    assetId: assetIds.get(asset)!,
    ...work,
  }))
  const ids = await insert(c, 'maintenance_windows', 'maintenance_window', rows)
  for (const [i, { exceptions = [] }] of planned.entries())
    for (const exception of exceptions) await insertException(c, ids[i]!, exception)
}

async function insertException(c: Change, windowId: number, exception: WindowException): Promise<void> {
  const { date, startsAt, endsAt } = exception
  const times = startsAt === null ? null : { startsAt: new Date(startsAt), endsAt: new Date(endsAt) }
  await c.trx('maintenance_exceptions').insert({ windowId, date, ...times, createdAt: c.now })
  const act = times ? 'date_moved' : 'date_skipped'
  c.audit(`maintenance_window.${act}`, windowId, {
    date: { before: date, after: date },
    ...changesBetween({}, times ?? {}),
  })
}

/** Someone who rents a parking space, has no account, and hears of the gate by email. */
async function insertFollower(c: Change, assetIds: Map<AssetCode, number>): Promise<void> {
  const { id } = await emailFollowerAt(c, { address: 'b.kowalczyk@parking.example', locale: 'en' })
  await c.trx('email_followers').where({ id }).update({ clickedAt: c.now })
  const gate = { incidentId: null, assetId: assetIds.get('S-G1')!, towerId: null }
  await followByEmail(c, { emailFollowerId: id }, gate)
  c.audit('mail_follower.confirmed', id)
}

/** Inserts rows in order, each with its audit entry; returns their ids in the same order. */
async function insert(
  c: Change,
  table: string,
  entity: string,
  rows: Record<string, unknown>[],
): Promise<number[]> {
  const dated = rows.map((row) => ({ ...row, createdAt: c.now }))
  const made: { id: number }[] = await c.trx(table).insert(dated).returning('id')
  for (const [i, { id }] of made.entries()) c.audit(`${entity}.created`, id, changesBetween(null, rows[i]!))
  return made.map(({ id }) => id)
}

/** Inserts a row for each key. Returns the ids by key. */
async function insertEach<Key>(
  c: Change,
  table: string,
  entity: string,
  keys: readonly Key[],
  rowOf: (key: Key, i: number) => Record<string, unknown>,
): Promise<Map<Key, number>> {
  const ids = await insert(c, table, entity, keys.map(rowOf))
  return new Map(keys.map((key, i) => [key, ids[i]!]))
}
