import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { rowOf } from '../../platform/db/row.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { type Actor, requireFresh } from '../../vocabulary/people/actor.js'
import {
  authenticatedAt,
  type Claims,
  claimedAddress,
  type ProviderProof,
  provesSecondFactor,
  roleByClaim,
  verifiedAddress,
} from '../../vocabulary/people/identity.js'
import type { Role } from '../../vocabulary/people/permissions.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { endSessionsOf } from '../users/endAccess.js'
import { isLastAdmin, type LockedUser, lockedPerson, lockedUser, requirePerson } from '../users/lockedUser.js'
import { enqueueNotice } from '../users/notices.js'
import { requireProviderSession } from '../users/providerSession.js'
import { seal } from '../users/sealedForUser.js'
import { User } from '../users/user.js'

/** An identity whose ID token was checked; `idToken` is null when it is too long to keep. */
type CheckedIdentity = { claims: Claims; idToken: string | null }

/** What an identity may decide here (decision 7.20). */
type IdentityRules = { linkByEmail: boolean; roleClaim: string | null }

/**
 * Why an identity cannot sign in to an account. `other`: the account is linked to another identity
 * of this issuer.
 */
export type IdentityRefusal = { refused: 'unknown' | 'unverified' | 'other' }

type Link = { id: number; isNew: boolean }

/** A row of `identities`: who an account is at a provider. */
class Identity extends rowOf<LinkedIdentity & { userId: number; subject: string }>() {
  static override tableName = 'identities'
}

/** Who someone is at a provider: the same for ever. */
type IdentityName = Pick<Identity, 'issuer' | 'subject'>

/** A row of `sessions`, of which other files read what a request needs. */
class Session extends rowOf<{ idHash: Buffer; idToken: Buffer | null }>() {
  static override tableName = 'sessions'
}

/** Whom an identity signs in. `unknownRoles`: values of its role claim that are no role. */
export type IdentitySignIn = {
  userId: number
  proof: ProviderProof
  unknownRoles: string[]
  keptAdmin: boolean
}

/**
 * The active account an identity is linked to or, by the rules, the one with its verified address,
 * which is linked now. Sets the role its claim names: another role ends the account's sessions
 * (decision 7.20).
 */
export async function signInByIdentity(
  actorOf: (person: KnownPerson) => Actor,
  { claims, idToken }: CheckedIdentity,
  { linkByEmail, roleClaim }: IdentityRules,
): Promise<IdentitySignIn | IdentityRefusal> {
  const address = linkByEmail ? verifiedAddress(claims) : null
  const person = await personBehind(claims, address)
  if (!person) return { refused: linkByEmail && address === null ? 'unverified' : 'unknown' }
  if (!person.active) return { refused: 'unknown' }
  return change(actorOf(person), async (c) => {
    const { user, otherAdmins } = await lockedUser(c, person.id)
    if (!user?.active) {
      c.noop()
      return { refused: 'unknown' }
    }
    const linked = await linkAtSignIn(c, user, person, claims, address)
    if ('refused' in linked) {
      c.noop()
      return linked
    }
    const claimed = roleClaim === null ? null : roleByClaim(claims, roleClaim)
    const mapped = await mapRole(c, user, otherAdmins, claimed)
    if (!linked.isNew && !mapped.changed) c.noop()
    const proof = {
      identityId: linked.id,
      idToken: idToken === null ? null : seal(Buffer.from(idToken), user.id),
      authenticatedAt: authenticatedAt(claims, c.now),
      secondFactor: provesSecondFactor(claims),
    }
    const { unknownRoles, keptAdmin } = mapped
    return { userId: user.id, proof, unknownRoles, keptAdmin }
  })
}

/**
 * The account has signed in again and wants to be linked: its next minutes may lead to
 * `linkIdentity`. Throws SignInAgain.
 */
export async function startLinking(actor: Actor): Promise<void> {
  await change(actor, async (c) => c.audit('user.identity_link_started', actor.id))
}

/**
 * Links an identity to one's own account, once its owner has confirmed who it is. Throws
 * SignInAgain, and Conflict when either is linked to another.
 */
export async function linkIdentity(actor: Actor, claims: Claims): Promise<void> {
  await change(actor, async (c) => {
    // Not left to the audit entry's own check: a link made at sign-in has the same action.
    requireFresh(actor, 'user.identity_link_started', {}, c.now)
    const user = orNotFound((await lockedUser(c, actor.id!)).user)
    const linked = await link(c, user, claims)
    if (!linked) throw new Conflict('identity_taken')
    if (!linked.isNew) c.noop()
  })
}

/**
 * Ends a link of one's own; every other session ends. `passwordClosed`: the account may not sign in
 * by password. Throws NotFound, and Conflict when nothing else would sign in to the account, or
 * this session may not decide that.
 */
export async function unlinkIdentity(
  actor: Actor,
  id: number,
  { passwordClosed }: { passwordClosed: boolean },
): Promise<void> {
  await change(actor, async (c) => {
    const user = orNotFound((await lockedUser(c, actor.id!)).user)
    await requireProviderSession(c)
    const [removed]: IdentityName[] = await c
      .trx('identities')
      .where({ id, userId: user.id })
      .delete()
      .returning(['issuer', 'subject'])
    const { issuer, subject } = orNotFound(removed)
    if (!user.passwordHash || passwordClosed) throw new Conflict('identity_needed')
    await endSessionsOf(c, user.id)
    await enqueueNotice(c, user.id, 'identity_unlinked')
    c.audit('user.identity_unlinked', user.id, changesBetween({ issuer, subject }, null))
  })
}

/**
 * Ends every link of a person to a provider, ends their sessions and emails them. Throws NotFound.
 */
export async function unlinkPerson(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    await lockedPerson(c, id)
    const identities: IdentityName[] = await c
      .trx('identities')
      .where({ userId: id })
      .delete()
      .returning(['issuer', 'subject'])
    if (identities.length === 0) return c.noop()
    await endSessionsOf(c, id)
    await enqueueNotice(c, id, 'identity_unlinked')
    c.audit('user.identities_removed', id, changesBetween({ identities }, null))
  })
}

/**
 * The link for this sign-in, read again under the lock: one that was removed meanwhile is not
 * restored, nor is one made by an address that the account no longer has.
 */
async function linkAtSignIn(
  c: Change,
  user: LockedUser,
  person: KnownPerson,
  claims: Claims,
  address: string | null,
): Promise<Link | IdentityRefusal> {
  const known = await linkTo(c, user, claims)
  if (known) return known
  if (person.linked || address === null) return { refused: 'unknown' }
  const theirs = await User.query(c.trx).findById(user.id).modify('atAddress', address)
  if (!theirs) return { refused: 'unknown' }
  return (await link(c, user, claims)) ?? { refused: 'other' }
}

async function linkTo(
  c: Change,
  user: LockedUser,
  { iss: issuer, sub: subject }: Claims,
): Promise<Link | null> {
  const known = await Identity.query(c.trx).findOne({ userId: user.id, issuer, subject })
  return known ? { id: known.id, isNew: false } : null
}

/**
 * Links the account to this identity, unless it is linked already. Returns the link, or null when
 * the account or the identity is linked to another.
 */
async function link(c: Change, user: LockedUser, claims: Claims): Promise<Link | null> {
  requirePerson(user)
  const { iss: issuer, sub: subject } = claims
  const email = claimedAddress(claims)
  const [made] = await c.query<{ id: number }>(
    `insert into identities (user_id, issuer, subject, email, created_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning id`,
    [user.id, issuer, subject, email, c.now],
  )
  if (made) {
    await enqueueNotice(c, user.id, 'identity_linked')
    c.audit('user.identity_linked', user.id, changesBetween(null, { issuer, subject }))
    return { id: made.id, isNew: true }
  }
  return linkTo(c, user, claims)
}

/**
 * Gives the account the role in the claim, even a lower one; but the last active admin stays an
 * admin.
 */
async function mapRole(
  c: Change,
  user: LockedUser,
  otherAdmins: number,
  mapped: ReturnType<typeof roleByClaim> | null,
): Promise<{ changed: boolean; unknownRoles: string[]; keptAdmin: boolean }> {
  const { role, unknownRoles } = mapped ?? { role: user.role, unknownRoles: [] }
  const keptAdmin = isLastAdmin(user, { ...user, role }, otherAdmins)
  const changed = role !== user.role && !keptAdmin
  if (changed) {
    await c.trx('users').where({ id: user.id }).update({ role })
    await endSessionsOf(c, user.id)
    c.audit('user.role_mapped', user.id, changesBetween({ role: user.role }, { role }))
  }
  return { changed, unknownRoles, keptAdmin }
}

/** An identity of a provider that signs in to an account, as its owner sees it. */
export type LinkedIdentity = {
  id: number
  issuer: string
  /** The address the provider named when it was linked. */
  email: string | null
  createdAt: Date
  lastUsedAt: Date | null
}

/** The identities linked to an account, oldest first. */
export async function identitiesOf(userId: number): Promise<LinkedIdentity[]> {
  return Identity.query()
    .where({ userId })
    .orderBy('id')
    .select('id', 'issuer', 'email', 'createdAt', 'lastUsedAt')
}

/** The sealed ID token of the session with this hashed id; null when it has none. */
export async function idTokenOf(idHash: Buffer): Promise<Buffer | null> {
  const session = await Session.query().findOne({ idHash }).select('idToken')
  return session?.idToken ?? null
}

/** The account behind an identity, or behind the address it proved. */
type KnownPerson = { id: number; name: string; role: Role; active: boolean; linked: boolean }

/**
 * The person this subject of an issuer is linked to or, without a link, who has `address`; null:
 * no one here.
 */
async function personBehind(
  { iss, sub }: { iss: string; sub: string },
  address: string | null,
): Promise<KnownPerson | null> {
  const [person] = await query<KnownPerson>(
    `select u.id, u.name, u.role, u.active, i.id is not null as linked
     from users u left join identities i on i.user_id = u.id and i.issuer = $1 and i.subject = $2
     where not u.is_mobile_reporter and (i.id is not null or lower(u.email) = lower($3::text))
     order by linked desc limit 1`,
    [iss, sub, address],
  )
  return person ?? null
}
