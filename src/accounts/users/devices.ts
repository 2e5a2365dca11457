import { oneAtATime } from '../../platform/db/advisoryLocks.js'
import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { columnOf } from '../../platform/db/fieldNames.js'
import { insertRow } from '../../platform/db/insertRow.js'
import { Row } from '../../platform/db/row.js'
import { statement } from '../../platform/db/statement.js'
import { publicOnly } from '../../platform/net/addressPolicy.js'
import { urlProblem } from '../../platform/net/receiverUrl.js'
import { hashOf } from '../../platform/process/hashing.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { bounds } from '../../vocabulary/limits.js'
import { type Actor, systemActor } from '../../vocabulary/people/actor.js'
import { NotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { lockedSelf } from './lockedUser.js'

type Registered = Pick<Device, 'id' | 'token' | 'platform' | 'createdAt' | 'updatedAt'>

/**
 * Columns that only a browser has: the keys of its subscription, our key it subscribed with, its
 * user agent, and the hash of its cookie.
 */
type BrowserColumns = {
  p256dh: string
  auth: string
  serverKey: string
  userAgent: string
  browserHash: Buffer
}
type NewBrowser = Omit<BrowserColumns, 'browserHash'> & { endpoint: string; device: string }

/**
 * Registers a phone for push (spec §4 rule 4), keyed on its token, which moves from another user
 * (decision 4.10). A repetition writes nothing. Beyond the limit the oldest devices are deleted.
 */
export async function registerDevice(
  actor: Actor,
  device: { token: string; platform: Platform },
): Promise<Registered> {
  return change(actor, (c) => register(c, device, null))
}

/**
 * Registers a browser for push in the same way, with the session of this request: it goes when that
 * is ended. Throws ValidationFailed for an address that is not on the public internet or not https.
 */
export async function registerBrowser(actor: Actor, browser: NewBrowser): Promise<Registered> {
  const { endpoint, device, ...columns } = browser
  if (!endpoint.startsWith('https://') || (await urlProblem(endpoint, publicOnly)))
    throw new ValidationFailed({ endpoint: ['endpoint_refused'] })
  const browserHash = hashOf(device)
  const token = new URL(endpoint).href
  return change(actor, (c) => register(c, { token, platform: 'browser' }, { ...columns, browserHash }))
}

async function register(
  c: Change,
  device: { token: string; platform: Platform },
  browser: BrowserColumns | null,
): Promise<Registered> {
  const { token, platform } = device
  const { id: userId } = await lockedSelf(c)
  const registration = {
    token,
    platform,
    userId,
    p256dh: browser?.p256dh ?? null,
    auth: browser?.auth ?? null,
    serverKey: browser?.serverKey ?? null,
    userAgent: browser?.userAgent?.slice(0, 300) ?? null,
    browserHash: browser?.browserHash ?? null,
    sessionHash: browser ? (c.actor.sessionHash ?? null) : null,
  }
  const { text, values } = statement((bind) => {
    const isSame = Object.entries(registration).map(
      ([name, value]) => `${columnOf(name)} is not distinct from ${bind(value)}`,
    )
    return `select id, token, platform, user_id, created_at, updated_at,
        (${isSame.join(' and ')}) as same
      from devices where token = ${bind(token)} for update`
  })
  const [before] = await c.query<Registered & { userId: number; same: boolean }>(text, values)
  if (before?.same) {
    c.noop()
    return before
  }
  // A browser has one subscription: another address of it is one it has given up.
  if (browser) await c.trx('devices').where({ browserHash: browser.browserHash }).whereNot({ token }).delete()
  const [row] = await insertRow<{ id: number; createdAt: Date }>(
    c,
    'devices',
    { ...registration, createdAt: c.now, updatedAt: c.now },
    `on conflict (token) do update set platform = excluded.platform, user_id = excluded.user_id,
       p256dh = excluded.p256dh, auth = excluded.auth, server_key = excluded.server_key,
       user_agent = excluded.user_agent, browser_hash = excluded.browser_hash, session_hash = excluded.session_hash,
       updated_at = excluded.updated_at,
       created_at = case when devices.user_id = excluded.user_id then devices.created_at else excluded.created_at end
     returning id, created_at`,
  )
  const registeredBefore = before && { token, platform: before.platform, userId: before.userId }
  c.audit('device.registered', row!.id, changesBetween(registeredBefore ?? null, { token, platform, userId }))
  await forgetOldest(c, row!.id)
  return { ...device, ...row!, updatedAt: c.now }
}

async function forgetOldest(c: Change, registered: number): Promise<void> {
  const most = c.actor.via === 'mobile' ? bounds.devicesOfPhones : bounds.devices
  await oneAtATime(c, `devices:${c.actor.id}`)
  const forgotten = await c.query(
    `delete from devices where id in (
       select id from devices where user_id = $1 and id <> $2 order by updated_at desc, id desc offset $3
     ) returning 1`,
    [c.actor.id, registered, most - 1],
  )
  if (forgotten.length > 0)
    c.audit('device.removed', null, changesBetween({ devices: most + forgotten.length }, { devices: most }))
}

/** Deletes a device the push service no longer knows; no effect when it is deleted. */
export async function forgetDevice(id: number): Promise<void> {
  await change(systemActor('scheduler'), async (c) => {
    if (!(await remove(c, id))) c.noop()
  })
}

/** Ends push messages in one of the user's own browsers. Throws NotFound. */
export async function removeBrowser(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    if (!(await remove(c, id, { userId: actor.id!, platform: 'browser' }))) throw new NotFound()
  })
}

/** Deletes the device, provided that it has the values of `only`. False when there is none. */
async function remove(
  c: Change,
  id: number,
  only: Partial<Pick<Device, 'userId' | 'platform'>> = {},
): Promise<boolean> {
  const [deleted]: Pick<Device, 'token' | 'platform' | 'userId'>[] = await c
    .trx('devices')
    .where({ id, ...only })
    .delete()
    .returning(['token', 'platform', 'userId'])
  if (deleted) c.audit('device.removed', id, changesBetween(deleted, null))
  return deleted !== undefined
}

/**
 * A browser that signs in belongs to one person from now on: push messages for another user
 * end, those for this one end with the new session.
 */
export async function takeOverBrowser(
  c: Change,
  { device, idHash }: { device: string; idHash: Buffer },
): Promise<void> {
  const browserHash = hashOf(device)
  const userId = c.actor.id!
  await c.trx('devices').where({ browserHash }).whereNot({ userId }).delete()
  await c.trx('devices').where({ browserHash, userId }).update({ sessionHash: idHash })
}

export const phonePlatforms = ['ios', 'android'] as const
type Platform = (typeof phonePlatforms)[number] | 'browser'

/**
 * A row of `devices`: a phone (spec §2) or a browser that registered for push notifications
 * (decision 4.10).
 */
export class Device extends Row {
  static override tableName = 'devices'

  /** Of a browser: the address its push service gave it. */
  declare token: string
  declare platform: Platform
  declare userId: number
  /** The browser's keys, and our public key it subscribed with; null for phones. */
  declare p256dh: string | null
  declare auth: string | null
  declare serverKey: string | null
  declare createdAt: Date
  declare updatedAt: Date

  /** This user's device with that id; null when it is deleted or belongs to another user by now. */
  static async of(userId: number, id: unknown): Promise<Device | null> {
    if (typeof id !== 'number') return null
    return (await Device.query().findOne({ id, userId })) ?? null
  }
}

/** A browser as its owner sees it. */
export type ListedBrowser = { id: number; userAgent: string; createdAt: Date; current: boolean }

/** A user's browsers that get push messages, the one of this session first, then the latest. */
export async function browsersOf(userId: number, session: Buffer | null): Promise<ListedBrowser[]> {
  return query(
    `select id, user_agent, created_at, coalesce(session_hash = $2, false) as current
     from devices where user_id = $1 and platform = 'browser' order by current desc, created_at desc, id desc`,
    [userId, session],
  )
}
