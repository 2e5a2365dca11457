import { type Change, change } from '../../platform/db/change.js'
import { trashPhotos } from '../../platform/photos/removal.js'
import { type Actor, demand } from '../../vocabulary/people/actor.js'
import { erasedAddress, erasedName } from '../../vocabulary/people/erasure.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { endSessions, lockedAccount, requireAdmin, requirePerson } from './accounts.js'

/**
 * Erases a person, also what their address did without an account (decision 7.31); a second time is
 * harmless. Throws Forbidden, NotFound, SignInAgain; Conflict for the last active admin and the
 * app's account.
 */
export async function erasePerson(actor: Actor, id: number): Promise<void> {
  if (actor.id !== id) demand(actor, 'user.manage')
  const dropped = await change(actor, async (c) => {
    const { account, otherAdmins } = await lockedAccount(c, id)
    if (account === null) {
      orNotFound((await c.query('select from users where id = $1', [id]))[0])
      c.noop()
      return []
    }
    requirePerson(account)
    requireAdmin(account, null, otherAdmins)
    c.audit('user.erased', id)
    await endSessions(c, id)
    for (const sql of ofAccount) await c.query(sql, [id])
    for (const sql of ofAddress) await c.query(sql, [account.email])
    const photos = await c.query<{ path: string }>(
      'delete from staged_photos where user_id = $1 returning path',
      [id],
    )
    await forget(c, id)
    return photos
  })
  await trashPhotos(dropped)
}

/** Rows that say something of the account `$1`, or let it in. */
const ofAccount = [
  'delete from sessions where user_id = $1',
  'delete from email_links where user_id = $1',
  'delete from account_tokens where user_id = $1',
  'delete from pending_sign_ins where user_id = $1',
  'delete from identities where user_id = $1',
  'delete from second_factors where user_id = $1',
  'delete from known_devices where user_id = $1',
  'delete from devices where user_id = $1',
  'delete from followers where user_id = $1',
  'delete from unfollows where user_id = $1',
  'delete from mail_follows where user_id = $1',
  'delete from guest_reports where user_id = $1',
  'delete from outbox where recipient_id = $1',
  `delete from idempotency_keys where caller = 'user:' || $1::integer`,
  'update held_mails set user_id = null where user_id = $1',
  'update incidents set assignee_id = null where assignee_id = $1',
]

/**
 * Rows that name the address `$1`, by which the person also wrote or followed without the account.
 */
const ofAddress = [
  'delete from mail_followers where lower(address) = lower($1)',
  'delete from sign_in_links where lower(address) = lower($1)',
  'delete from inbound_messages where lower(sender) = lower($1)',
  'update held_mails set sender_name = null, sender_address = null where lower(sender_address) = lower($1)',
  'update incidents set reporter_email = null where lower(reporter_email) = lower($1)',
  'update incident_updates set author_email = null where lower(author_email) = lower($1)',
  `update internal_notes set author_email = '' where lower(author_email) = lower($1)`,
]

/** The row itself stays: incidents, words and the audit log refer to it. */
async function forget(c: Change, id: number): Promise<void> {
  await c.query(
    `update users set name = $2, email = $3, role = 'resident', active = false, password_hash = null, unit_id = null,
       locale = 'en', notifications = '{}', password_open_until = null, erased_at = $4
     where id = $1`,
    [id, erasedName, erasedAddress(id), c.now],
  )
}
