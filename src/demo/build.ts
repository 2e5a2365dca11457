import { mailFollowerAt } from '../accounts/people/emailAddress.js'
import { hashPassword } from '../accounts/signIn/passwords.js'
import { Property } from '../building/building.js'
import { followByMail } from '../notifications/follow/followers.js'
import { type Change, change } from '../platform/db/change.js'
import { changesBetween } from '../vocabulary/audit.js'
import type { Status } from '../vocabulary/lifecycle.js'
import { type Actor, systemActor } from '../vocabulary/people/actor.js'
import { demoEmails, demoPassword } from '../vocabulary/people/demo.js'
import type { StatusReason } from '../vocabulary/statusReason.js'
import type { WindowException } from '../vocabulary/time/recurrence.js'
import { contacts, keepers } from './contacts.js'
import { plannedWork } from './maintenance.js'
import { people, type UnitKey } from './people.js'
import { type AssetCode, assets, property, type TowerKey, towerOf, towers, unitOf, units } from './places.js'

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
 * Builds the demo except its history in one change, an audit entry for each row (decision 5.4): set up at
 * `past`, planned work as of `now`.
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
  await Property.query(c.trx).findById(id).patch(property)
  c.audit('property.updated', id, changesBetween({ name, address, timezone, currency, locale }, property))
}

async function insertTowers(c: Change): Promise<Map<TowerKey, number>> {
  const keys = Object.keys(towers) as TowerKey[]
  return idsBy(
    keys,
    await insert(
      c,
      'towers',
      'tower',
      keys.map((key, i) => ({ name: towers[key], sortOrder: i + 1 })),
    ),
  )
}

async function insertUnits(c: Change, towerIds: Map<TowerKey, number>): Promise<Map<UnitKey, number>> {
  const rows = units.map((key) => ({ towerId: towerIds.get(towerOf(key))!, ...unitOf(key) }))
  return idsBy(units, await insert(c, 'units', 'unit', rows))
}

async function insertUsers(c: Change, unitIds: Map<UnitKey, number>, passwordHash: string): Promise<void> {
  const rows = Object.values(people).map(({ name, email, role, unit }) => ({
    name,
    email,
    role,
    unitId: unit === null ? null : unitIds.get(unit)!,
    passwordHash: demoEmails.includes(email) ? passwordHash : null,
  }))
  await insert(c, 'users', 'user', rows)
}

async function insertContacts(c: Change): Promise<Map<string, number>> {
  const rows = contacts.map((contact, i) => ({ ...contact, sortOrder: i + 1 }))
  return idsBy(
    contacts.map(({ name }) => name),
    await insert(c, 'contacts', 'contact', rows),
  )
}

async function insertAssets(
  c: Change,
  towerIds: Map<TowerKey, number>,
  contactIds: Map<string, number>,
): Promise<Map<AssetCode, number>> {
  const codes = Object.keys(assets) as AssetCode[]
  const rows = codes.map((code, i) => ({
    code,
    ...assets[code],
    towerId: towerIds.get(towerOf(code))!,
    sortOrder: i + 1,
    contactId: contactIds.get(keepers[code] ?? '') ?? null,
    announcedAt: c.now,
  }))
  return idsBy(codes, await insert(c, 'assets', 'asset', rows))
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

/** Somebody who rents a parking space, has no account, and hears of the gate by mail. */
async function insertFollower(c: Change, assetIds: Map<AssetCode, number>): Promise<void> {
  const id = await mailFollowerAt(c, { address: 'b.kowalczyk@parking.example', locale: 'en' })
  await c.query('update mail_followers set clicked_at = $2 where id = $1', [id, c.now])
  const gate = { incidentId: null, assetId: assetIds.get('S-G1')!, towerId: null }
  await followByMail(c, { mailFollowerId: id }, gate)
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

function idsBy<Key>(keys: readonly Key[], ids: readonly number[]): Map<Key, number> {
  return new Map(keys.map((key, i) => [key, ids[i]!]))
}
