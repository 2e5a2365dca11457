import { type Change, change } from '../../platform/db/change.js'
import { trashPhotos } from '../../platform/photos/photoFiles.js'
import { type Actor, demand } from '../../vocabulary/people/actor.js'
import { erasedAddress, erasedName } from '../../vocabulary/people/personName.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { endSessionsOf } from '../users/endAccess.js'
import { lockedUser, requireAdmin, requirePerson } from '../users/lockedUser.js'
import { User } from '../users/user.js'

/**
 * Erases a person's account and data, also of what their address did without an account (decision
 * 7.31). Erasing an account that is gone already changes nothing. Throws Forbidden, NotFound,
 * SignInAgain; Conflict for the last active admin and the app's account.
 */
export async function erasePerson(actor: Actor, id: number): Promise<void> {
  if (actor.id !== id) demand(actor, 'user.manage')
  const droppedPhotos = await change(actor, async (c) => {
    const { user, otherAdmins } = await lockedUser(c, id)
    if (user === null) {
      orNotFound(await User.query(c.trx).findById(id))
      c.noop()
      return []
    }
    requirePerson(user)
    requireAdmin(user, null, otherAdmins)
    c.audit('user.erased', id)
    await endSessionsOf(c, id)
    await eraseUser(c, id)
    await eraseAddress(c, user.email)
    const photos: { path: string }[] = await c
      .trx('staged_photos')
      .where({ userId: id })
      .delete()
      .returning('path')
    await anonymizeUser(c, id)
    return photos
  })
  await trashPhotos(droppedPhotos)
}

/** Tables of what is stored about a user or signs them in, and the column that names the user. */
const rowsOfUser: [table: string, column: 'userId' | 'recipientId'][] = [
  ['sessions', 'userId'],
  ['email_links', 'userId'],
  ['pending_sign_ins', 'userId'],
  ['identities', 'userId'],
  ['second_factors', 'userId'],
  ['known_devices', 'userId'],
  ['devices', 'userId'],
  ['followers', 'userId'],
  ['unfollows', 'userId'],
  ['email_follows', 'userId'],
  ['guest_reports', 'userId'],
  ['outbox', 'recipientId'],
]

/** What an email to sort loses of its sender, who may have written from an earlier address. */
const erasedHeldEmail = {
  senderName: null,
  senderAddress: null,
  wholeSubject: null,
  wholeText: null,
  mark: null,
}

/** Erases what is stored of the user, and what signs them in. */
async function eraseUser(c: Change, id: number): Promise<void> {
  for (const [table, column] of rowsOfUser) await c.trx(table).where(column, id).delete()
  await c
    .trx('idempotency_keys')
    .where({ caller: `user:${id}` })
    .delete()
  await c.query(
    'delete from whole_emails where id in (select id from whole_email_authors where author_id = $1)',
    [id],
  )
  await c
    .trx('held_emails')
    .where({ userId: id })
    .update({ userId: null, ...erasedHeldEmail })
  await c.trx('incidents').where({ assigneeId: id }).update({ assigneeId: null })
}

/**
 * Erases the address, with which the person may also have written or followed without the account.
 */
async function eraseAddress(c: Change, address: string): Promise<void> {
  const rowsOf = (table: string, column: string) =>
    c.trx(table).whereRaw(`lower(${column}) = lower(?)`, address)
  await rowsOf('email_followers', 'address').delete()
  await rowsOf('inbound_emails', 'sender').delete()
  // The signatures and quoted history in whole emails name people, and staff cannot hide them. What
  // the email became on the report's page stays.
  await c.query(
    `delete from whole_emails where id in (
       select id from whole_email_authors where lower(author_email) = lower($1))`,
    [address],
  )
  await rowsOf('held_emails', 'sender_address').update(erasedHeldEmail)
  await rowsOf('incidents', 'reporter_email').update({ reporterEmail: null })
  await rowsOf('incident_updates', 'author_email').update({ authorEmail: null })
  await rowsOf('internal_notes', 'author_email').update({ authorEmail: '' })
}

/** Empties the row of the user, which stays: incidents, updates and the audit log refer to it. */
async function anonymizeUser(c: Change, id: number): Promise<void> {
  await c
    .trx('users')
    .where({ id })
    .update({
      name: erasedName,
      email: erasedAddress(id),
      role: 'resident',
      active: false,
      passwordHash: null,
      unitId: null,
      locale: 'en',
      notifications: {},
      passwordOpenUntil: null,
      erasedAt: c.now,
    })
}
