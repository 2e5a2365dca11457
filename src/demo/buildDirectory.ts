import { emailFollowerAt } from '../accounts/users/emailFollower.js'
import { hashPassword } from '../accounts/users/passwords.js'
import { Property } from '../building/building.js'
import { followByEmail } from '../notifications/follow/followers.js'
import { type Change, change } from '../platform/db/change.js'
import { changesBetween } from '../vocabulary/audit.js'
import { type Actor, systemActor } from '../vocabulary/people/actor.js'
import { demoEmails, demoPassword } from '../vocabulary/people/demo.js'
import type { WindowException } from '../vocabulary/time/recurrence.js'
import {
  type AssetCode,
  contactOfAsset,
  demoAssets,
  demoContacts,
  demoPeople,
  demoProperty,
  demoTemplates,
  demoTowers,
  demoUnits,
  type TowerKey,
  towerOf,
  type UnitKey,
  unitOf,
} from './directory.js'
import { plannedWork } from './plannedWork.js'

/** The request id of these acts in the audit log. */
export const buildingRequest = 'demo/building'

/**
 * Builds the demo except its history in one change, an audit entry for each row (decision 5.4): set
 * up at `past`, planned work as of `now`.
 */
export async function buildDirectory(past: Date, now: Date): Promise<void> {
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
    await insertRows(c, 'reply_templates', 'reply_template', demoTemplates)
    await insertWindows(c, assetIds, now)
    await insertFollower(c, assetIds)
  })
}

async function nameProperty(c: Change): Promise<void> {
  const property = await Property.query(c.trx).findById(1).throwIfNotFound()
  await Property.query(c.trx).findById(property.id).patch(demoProperty)
  const names = Object.keys(demoProperty) as (keyof typeof demoProperty)[]
  const before = Object.fromEntries(names.map((name) => [name, property[name]]))
  c.audit('property.updated', property.id, changesBetween(before, demoProperty))
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
  await insertRows(c, 'users', 'user', rows)
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
    contactId: contactIds.get(contactOfAsset[code] ?? '') ?? null,
    announcedAt: c.now,
    createdAt: c.now,
  }))
}

async function insertWindows(c: Change, assetIds: Map<AssetCode, number>, now: Date): Promise<void> {
  const planned = plannedWork(now.getTime())
  const rows = planned.map(({ asset, exceptions: _exceptions, ...work }) => ({
    assetId: assetIds.get(asset)!,
    ...work,
  }))
  const ids = await insertRows(c, 'maintenance_windows', 'maintenance_window', rows)
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
async function insertRows(
  c: Change,
  table: string,
  entity: string,
  rows: Record<string, unknown>[],
): Promise<number[]> {
  const dated = rows.map((row) => ({ ...row, createdAt: c.now }))
  const inserted: { id: number }[] = await c.trx(table).insert(dated).returning('id')
  for (const [i, { id }] of inserted.entries())
    c.audit(`${entity}.created`, id, changesBetween(null, rows[i]!))
  return inserted.map(({ id }) => id)
}

/** Inserts a row for each key. Returns the ids by key. */
async function insertEach<Key>(
  c: Change,
  table: string,
  entity: string,
  keys: readonly Key[],
  rowOf: (key: Key, i: number) => Record<string, unknown>,
): Promise<Map<Key, number>> {
  const ids = await insertRows(c, table, entity, keys.map(rowOf))
  return new Map(keys.map((key, i) => [key, ids[i]!]))
}
