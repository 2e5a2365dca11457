import { randomBytes } from 'node:crypto'
import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { type QrCode, qrCode } from '../../platform/http/format/qr.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { type Actor, freshMinutes } from '../../vocabulary/people/actor.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { endSessionsOf } from '../users/endAccess.js'
import { lockedPerson, lockedSelf } from '../users/lockedUser.js'
import { enqueueNotice } from '../users/notices.js'
import { requireProviderSession } from '../users/providerSession.js'
import { seal, unseal } from '../users/sealedForUser.js'
import { hashedRecoveryCodes, readCode, replaceRecoveryCodes } from './recoveryCodes.js'
import { newSecret, setupOf, stepOf } from './totp.js'

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
  const codes = await hashedRecoveryCodes(salt)
  await change(actor, async (c) => {
    await requireProviderSession(c)
    const step = secret && code && 'digits' in code ? stepOf(secret, code.digits, c.now) : null
    if (step === null) throw new ValidationFailed({ code: ['code_wrong'] })
    const confirmed = await c
      .trx('second_factors')
      .where({ userId, confirmedAt: null, secret: factor.secret })
      .update({ confirmedAt: c.now, lastStep: step })
    if (confirmed === 0) throw new Conflict('second_factor_is_on')
    await replaceRecoveryCodes(c, userId, codes.hashes)
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
  const codes = await hashedRecoveryCodes(factor.salt)
  await change(actor, async (c) => {
    const [same] = await c.query(
      'select from second_factors where user_id = $1 and salt = $2 and confirmed_at is not null for update',
      [userId, factor.salt],
    )
    if (!same) throw new Conflict('second_factor_is_off')
    await replaceRecoveryCodes(c, userId, codes.hashes)
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
    await deleteSecondFactor(c, actor.id!, 'second_factor_off')
  })
}

/**
 * Removes the second factor of a user who lost the app and the codes, and ends their sessions.
 * Throws NotFound.
 */
export async function resetSecondFactor(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    await lockedPerson(c, id)
    await deleteSecondFactor(c, id, 'second_factor_reset')
  })
}

/** Deletes the second factor; the end of one that was on ends sessions and sends a notice. */
async function deleteSecondFactor(
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
