import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { type QrCode, qrCode } from '../../platform/http/qr.js'
import { config } from '../../platform/process/config.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { type Actor, freshMinutes } from '../../vocabulary/people/actor.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { endSessionsOf } from '../users/endAccess.js'
import { lockedPerson, lockedSelf } from '../users/lockedUser.js'
import { enqueueNotice } from '../users/notices.js'
import { hashCode } from '../users/passwords.js'

/**
 * The parameters that every authenticator app supports: RFC 6238 with SHA-1, six digits, 30 s, one
 * step of clock drift.
 */
const kind = { algorithm: 'SHA1', digits: 6, period: 30 }
const window = 1

/**
 * Secrets are encrypted with a key derived from SESSION_SECRET. Danger: a new SESSION_SECRET makes
 * every app's codes wrong. Recovery codes still work, and an admin can reset a second factor.
 */
const key = Buffer.from(hkdfSync('sha256', config.sessionSecret, '', 'caretaker second factor', 32))
const lengths = { nonce: 12, tag: 16 }

/** A new secret: 160 bits, as RFC 4226 §4 recommends. */
export function newSecret(): Buffer {
  return randomBytes(20)
}

/** The secret encrypted with AES-256-GCM, bound to this account. */
export function seal(secret: Buffer, userId: number): Buffer {
  const nonce = randomBytes(lengths.nonce)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(ownerOf(userId))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/**
 * Decrypts a secret; null if sealed under another SESSION_SECRET or for another account, or
 * tampered with.
 */
export function unseal(sealed: Buffer, userId: number): Buffer | null {
  const rest = lengths.nonce + lengths.tag
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, lengths.nonce), {
    authTagLength: lengths.tag,
  })
  decipher.setAAD(ownerOf(userId)).setAuthTag(sealed.subarray(lengths.nonce, rest))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(rest)), decipher.final()])
  } catch {
    return null
  }
}

/**
 * The 30 s step since 1970 that the code belongs to: that of `at` or a neighbour; null for any
 * other text.
 */
export function stepOf(secret: Buffer, code: string, at: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = at.getTime()
  const delta = TOTP.validate({ ...kind, secret: read(secret), token: code, timestamp, window })
  return delta === null ? null : TOTP.counter({ period: kind.period, timestamp }) + delta
}

/** The secret for an authenticator app: as the text of a QR code, and for typing. */
export function setupOf(secret: Buffer, issuer: string, label: string): { uri: string; key: string } {
  const totp = new TOTP({ ...kind, secret: read(secret), issuer, label })
  return { uri: totp.toString(), key: totp.secret.base32.replace(/(.{4})(?=.)/g, '$1 ') }
}

/** Without letters and digits that are easily confused in print. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const half = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Ten codes to print, 49 bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: 10 }, () => `${half()}-${half()}`)
}

/** Tells an app's code from a printed recovery code; null when the text is neither. */
export function readCode(text: string): { digits: string } | { printed: string } | null {
  const bare = text.replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(bare)) return { digits: bare }
  return /^[a-z2-9]{10}$/.test(bare) ? { printed: bare } : null
}

function read(secret: Buffer): Secret {
  return new Secret({ buffer: Uint8Array.from(secret).buffer })
}

function ownerOf(userId: number): Buffer {
  return Buffer.from(`user ${userId}`)
}

/**
 * The user's own second factor. `setup` only while it waits for its first code, and only shortly
 * after it was started, so that a browser left open shows no secret.
 */
type OwnSecondFactor = {
  state: 'off' | 'started' | 'on'
  codesLeft: number
  setup: { qr: QrCode; key: string } | null
}

/** The user's own second factor; the authenticator app shows `issuer` and `label`. */
export async function ownSecondFactor(
  userId: number,
  issuer: string,
  label: string,
): Promise<OwnSecondFactor> {
  const factor = await secondFactorOf(userId)
  if (factor?.confirmedAt) return { state: 'on', codesLeft: factor.codesLeft, setup: null }
  const secret = factor?.isNew && unseal(factor.secret, userId)
  if (!secret) return { state: 'off', codesLeft: 0, setup: null }
  const { uri, key } = setupOf(secret, issuer, label)
  return { state: 'started', codesLeft: 0, setup: { qr: await qrCode(uri), key } }
}

/**
 * Creates a secret that its first code confirms. Throws Conflict when a second factor is on, or
 * only a session that began at the provider may.
 */
export async function startSecondFactor(actor: Actor): Promise<void> {
  const userId = actor.id!
  const secret = seal(newSecret(), userId)
  await change(actor, async (c) => {
    await lockedSelf(c)
    await requireProviderSession(c)
    const [started] = await c.query(
      `insert into second_factors (user_id, secret, salt, created_at) values ($1, $2, $3, $4)
       on conflict (user_id) do update set secret = excluded.secret, salt = excluded.salt, created_at = excluded.created_at
         where second_factors.confirmed_at is null
       returning 1`,
      [userId, secret, randomBytes(16), c.now],
    )
    if (!started) throw new Conflict('second_factor_is_on')
    c.audit('user.second_factor_started', userId)
  })
}

/**
 * Turns the second factor on with its first code; every other session ends. Returns the recovery
 * codes, which are shown only now. Throws ValidationFailed for a wrong code, NotFound when not
 * started, Conflict when on or as above.
 */
export async function confirmSecondFactor(actor: Actor, text: string): Promise<string[]> {
  const userId = actor.id!
  const { salt, ...factor } = orNotFound(await secondFactorOf(userId))
  if (factor.confirmedAt) throw new Conflict('second_factor_is_on')
  const secret = unseal(factor.secret, userId)
  const code = readCode(text)
  const codes = await newCodes(salt)
  await change(actor, async (c) => {
    await requireProviderSession(c)
    const step = secret && code && 'digits' in code ? stepOf(secret, code.digits, c.now) : null
    if (step === null) throw new ValidationFailed({ code: ['code_wrong'] })
    const confirmed = await c
      .trx('second_factors')
      .where({ userId, confirmedAt: null, secret: factor.secret })
      .update({ confirmedAt: c.now, lastStep: step })
    if (confirmed === 0) throw new Conflict('second_factor_is_on')
    await store(c, userId, codes.hashes)
    await endSessionsOf(c, userId)
    await enqueueNotice(c, userId, 'second_factor_on')
    c.audit('user.second_factor_on', userId)
  })
  return codes.texts
}

/**
 * Replaces the recovery codes with ten new ones. Throws Conflict while the second factor is off.
 */
export async function remakeRecoveryCodes(actor: Actor): Promise<string[]> {
  const userId = actor.id!
  const factor = await secondFactorOf(userId)
  if (!factor?.confirmedAt) throw new Conflict('second_factor_is_off')
  const codes = await newCodes(factor.salt)
  await change(actor, async (c) => {
    const [same] = await c.query(
      'select from second_factors where user_id = $1 and salt = $2 and confirmed_at is not null for update',
      [userId, factor.salt],
    )
    if (!same) throw new Conflict('second_factor_is_off')
    await store(c, userId, codes.hashes)
    await enqueueNotice(c, userId, 'recovery_codes_made')
    c.audit('user.recovery_codes_made', userId)
  })
  return codes.texts
}

/**
 * Turns the user's own second factor off; every other session ends. Throws Conflict when the
 * property demands one.
 */
export async function endSecondFactor(actor: Actor): Promise<void> {
  await change(actor, async (c) => {
    const [demanded] = await c.query(
      `select from users u, properties p
       where u.id = $1 and is_staff(u.role) and p.second_factor_required = 'staff'`,
      [actor.id],
    )
    if (demanded) throw new Conflict('second_factor_demanded')
    await remove(c, actor.id!, 'second_factor_off')
  })
}

/**
 * Removes the second factor of a user who lost the app and the codes, and ends their sessions.
 * Throws NotFound.
 */
export async function resetSecondFactor(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    await lockedPerson(c, id)
    await remove(c, id, 'second_factor_reset')
  })
}

/** Deletes the second factor; the end of one that was on ends sessions and is told of by email. */
async function remove(
  c: Change,
  userId: number,
  act: 'second_factor_off' | 'second_factor_reset',
): Promise<void> {
  const [removed]: { confirmedAt: Date | null }[] = await c
    .trx('second_factors')
    .where({ userId })
    .delete()
    .returning('confirmedAt')
  if (!removed) return c.noop()
  if (removed.confirmedAt) {
    await endSessionsOf(c, userId)
    await enqueueNotice(c, userId, act)
  }
  c.audit(`user.${act}`, userId)
}

async function newCodes(salt: Buffer): Promise<{ texts: string[]; hashes: Buffer[] }> {
  const texts = newRecoveryCodes()
  return { texts, hashes: await Promise.all(texts.map((code) => hashCode(code.replace('-', ''), salt))) }
}

async function store(c: Change, userId: number, hashes: Buffer[]): Promise<void> {
  await c.trx('recovery_codes').where({ userId }).delete()
  await c.query('insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])', [
    userId,
    hashes,
  ])
}

/**
 * Where the house demands a second factor, a linked member of the staff without one sets it up only
 * in a session started at the provider, or by a password of the command line (decision 7.20).
 * Throws Conflict.
 */
export async function requireProviderSession(c: Change): Promise<void> {
  const issuer = config.singleSignOn?.issuer
  if (!issuer) return
  const [closed] = await c.query(
    `select from users u
     join current_users c on c.id = u.id
     where u.id = $1 and c.lacks_second_factor
       and (u.password_open_until is null or u.password_open_until <= now())
       and exists (select from identities i where i.user_id = u.id and rtrim(i.issuer, '/') = rtrim($2, '/'))
       and not exists (select from sessions s where s.id_hash = $3 and s.identity_id is not null)`,
    [c.actor.id, issuer, c.actor.sessionHash ?? null],
  )
  if (closed) throw new Conflict('second_factor_elsewhere')
}

/**
 * A stored second factor: `secret` is encrypted; codes are asked for only after `confirmedAt`.
 * `isNew`: started so recently that its secret may be shown again.
 */
export type SecondFactor = {
  secret: Buffer
  salt: Buffer
  confirmedAt: Date | null
  isNew: boolean
  codesLeft: number
}

/** The second factor of an account, started or on; null when there is none. */
export async function secondFactorOf(userId: number): Promise<SecondFactor | null> {
  const [row] = await query<SecondFactor>(
    `select f.secret, f.salt, f.confirmed_at,
       f.created_at > now() - make_interval(mins => $2) as is_new,
       (select count(*) from recovery_codes r where r.user_id = f.user_id and r.used_at is null) as codes_left
     from second_factors f where f.user_id = $1`,
    [userId, freshMinutes],
  )
  return row ?? null
}
