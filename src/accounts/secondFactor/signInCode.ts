import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { insertRow } from '../../platform/db/insertRow.js'
import type { Bind } from '../../platform/db/statement.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import type { ProviderProof } from '../../vocabulary/people/identity.js'
import { enqueueNotice } from '../users/notices.js'
import { hashCode } from '../users/passwords.js'
import { unseal } from '../users/sealedForUser.js'
import { readCode } from './recoveryCodes.js'
import { type SecondFactor, secondFactorOf } from './secondFactor.js'
import { stepOf } from './totp.js'

/**
 * Minutes a pending sign-in waits for its code, and the number of wrong codes that end it (decision
 * 7.12).
 */
export const pendingMinutes = 10
const pendingFailures = 5

/**
 * A sign-in with a right password or identity, waiting for its code; `waits`: whether it is still
 * valid, `next`: where to go then, `proof`: of the identity, null without one, `byPassword`: not by
 * an identity or an email.
 */
export type PendingSignIn = {
  user: CurrentUser
  next: string | null
  carriedForm: string | null
  waits: boolean
  proof: ProviderProof | null
  byPassword: boolean
}

/** The pending sign-in with this hashed id, valid or not; null when there is none. */
export async function pendingSignIn(idHash: Buffer): Promise<PendingSignIn | null> {
  type Proven = { identityId: number | null; idToken: Buffer | null; authenticatedAt: Date | null }
  const [row] = await query<CurrentUser & Proven & Omit<PendingSignIn, 'user' | 'proof'>>(
    `select u.*, p.next, p.typed as carried_form, p.by_password, p.identity_id, p.id_token, p.authenticated_at,
       p.expires_at > now() and p.failures < $2 and p.epoch = u.epoch and u.active as waits
     from pending_sign_ins p join current_users u on u.id = p.user_id where p.id_hash = $1`,
    [idHash, pendingFailures],
  )
  if (!row) return null
  const { next, carriedForm, waits, byPassword, identityId, idToken, authenticatedAt, ...user } = row
  // A code is asked for only where the provider proved no second factor.
  const proof = identityId === null ? null : { identityId, idToken, authenticatedAt, secondFactor: false }
  return { user, next, carriedForm, waits, proof, byPassword }
}

/** A code is still needed: stores the pending sign-in of this browser. It is not a session. */
export async function beginPending(
  actor: Actor,
  pending: Omit<PendingSignIn, 'user' | 'waits'> & { idHash: Buffer; epoch: number },
): Promise<void> {
  const { idHash, epoch, next, carriedForm, proof, byPassword } = pending
  await change(actor, async (c) => {
    await insertRow(c, 'pending_sign_ins', {
      idHash,
      userId: actor.id,
      epoch,
      next,
      typed: carriedForm,
      byPassword,
      expiresAt: (bind: Bind) =>
        `${bind(c.now)}::timestamptz + make_interval(mins => ${bind(pendingMinutes)})`,
      identityId: proof?.identityId ?? null,
      idToken: proof?.idToken ?? null,
      authenticatedAt: proof?.authenticatedAt ?? null,
    })
    c.audit('user.code_asked', actor.id)
  })
}

/** Records a right password without the needed code: the sender knows the password. */
export async function noteCodeMissing(actor: Actor): Promise<void> {
  await change(actor, async (c) => c.audit('user.code_asked', actor.id))
}

/**
 * Accepts an app or recovery code, each once, also under concurrent requests. `pending`: the
 * sign-in it completes, which also ends after too many wrong codes. False, and recorded, for a
 * wrong code.
 */
export async function acceptCode(actor: Actor, text: string, pending?: Buffer): Promise<boolean> {
  const userId = actor.id!
  const code = readCode(text)
  const factor = await secondFactorOf(userId)
  // Hashing is slow and must not run inside the transaction.
  const printed = code && 'printed' in code && factor ? await hashCode(code.printed, factor.salt) : null
  return change(actor, async (c) => {
    if (pending && !(await stillWaits(c, pending))) return recordRefusal(c, pending)
    const used = printed
      ? await usePrinted(c, userId, printed)
      : code && 'digits' in code && factor && (await useDigits(c, userId, factor, code.digits))
    if (!used) return recordRefusal(c, pending)
    if (pending) await c.trx('pending_sign_ins').where({ idHash: pending }).delete()
    if (printed) await enqueueNotice(c, userId, 'recovery_code_used')
    c.audit(printed ? 'user.recovery_code_used' : 'user.code_accepted', userId)
    return true
  })
}

async function stillWaits(c: Change, pending: Buffer): Promise<boolean> {
  const rows = await c.query(
    `select from pending_sign_ins p join users u on u.id = p.user_id
     where p.id_hash = $1 and p.expires_at > now() and p.failures < $2 and p.epoch = u.session_epoch and u.active
     for update of p`,
    [pending, pendingFailures],
  )
  return rows.length > 0
}

async function recordRefusal(c: Change, pending: Buffer | undefined): Promise<false> {
  if (pending)
    await c
      .trx('pending_sign_ins')
      .where({ idHash: pending })
      .update({ failures: c.trx.raw('least(failures + 1, ?)', pendingFailures) })
  c.audit('user.code_refused', c.actor.id)
  return false
}

/** The UPDATE's own condition decides between concurrent requests with the same code. */
async function useDigits(c: Change, userId: number, factor: SecondFactor, code: string): Promise<boolean> {
  const secret = unseal(factor.secret, userId)
  const step = secret && stepOf(secret, code, c.now)
  if (step === null) return false
  const used = await c
    .trx('second_factors')
    .where({ userId, secret: factor.secret })
    .where('lastStep', '<', step)
    .whereNotNull('confirmedAt')
    .update({ lastStep: step })
  return used > 0
}

async function usePrinted(c: Change, userId: number, hash: Buffer): Promise<boolean> {
  const used = await c.query(
    `update recovery_codes r set used_at = $3
     where r.user_id = $1 and r.code_hash = $2 and r.used_at is null
       and exists (select from second_factors f where f.user_id = r.user_id and f.confirmed_at is not null)
     returning 1`,
    [userId, hash, c.now],
  )
  return used.length > 0
}
