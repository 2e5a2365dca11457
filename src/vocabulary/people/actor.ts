import type { Changes } from '../audit.js'
import { freshRules, neededFor } from '../auditActions.js'
import { own } from '../collections.js'
import { may, type Permission, type Principal, type Role } from './permissions.js'

/** The channel a write came through, as audit entries name it (decision 4.14). */
export type Via = 'web' | 'mobile' | 'cron' | 'email' | 'cli' | 'scheduler'

/**
 * The key of a create and a digest of its request. `form`: a digest of what a person typed into a
 * form; `sentBefore`: when they had sent the same, whose result the create has returned then.
 */
export type Idempotency = { key: string; digest: string; form?: string | undefined; sentBefore?: Date }

/** Who acts. System actors have no id. Every action takes its actor; none is implied. */
export type Actor = {
  type: 'user' | 'system'
  id: number | null
  name: string
  role: Role | null
  via: Via
  requestId?: string
  /** The client's network address, for the security log; not stored with the audit entry. */
  client?: string
  /** The caller's Idempotency-Key and a digest of its request (decisions 2.14, 6.13). */
  idempotency?: Idempotency
  /** Set only for the demo's history: when the act happened. No one is notified of it. */
  past?: Date
  /** One request acts on many incidents: what people are told of them becomes one message. */
  inBulk?: true
  /** Hash of the current session, which survives when their others end (decision 1.2). */
  sessionHash?: Buffer
  /** Called when a change is stored: what fails after that must not say that nothing was. */
  onStored?: () => void
  /** When that session last gave password and code, by the database's clock (decision 7.12). */
  authenticatedAt?: Date
}

/** The reader: what presenters need in order to hide what is not public (decision 2.9). */
export type Viewer = {
  staff: boolean
  userId: number | null
  /** Whether a person is signed in; the mobile key, which every copy of the app has, is none. */
  isSignedIn: boolean
}

/** What a guest sees; webhook bodies carry the same. */
export const publicViewer: Viewer = { staff: false, userId: null, isSignedIn: false }

/** A system actor for machine-authenticated and scheduled work (spec §5 rule 9). */
export function systemActor(via: Via): Actor {
  return { type: 'system', id: null, name: 'System', role: null, via }
}

/** The actor lacks the permission: 403 on every route. `field`: the one they may not change. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden'

  constructor(
    permission: Permission,
    readonly field?: string,
  ) {
    super(permission)
  }
}

/** Throws Forbidden without the permission. Command line and scheduler may do everything. */
export function demand(actor: Actor, permission: Permission, field?: string): void {
  const isInside = actor.type === 'system' && (actor.via === 'cli' || actor.via === 'scheduler')
  if (!isInside && !may(principalOf(actor), permission)) throw new Forbidden(permission, field)
}

/** Throws Forbidden unless the actor may do this act; everyone may change their own account. */
export function demandAct(actor: Actor, action: string, entityId: number | null): void {
  const permission = neededFor(action)
  const isOwnAccount = action === 'user.updated' && actor.type === 'user' && entityId === actor.id
  if (permission && !isOwnAccount) demand(actor, permission)
}

/** The channel decides first: emails and the app's key carry no powers of an account. */
function principalOf({ type, role, via }: Actor): Principal {
  if (via === 'email') return 'inbound'
  if (via === 'mobile' || via === 'cron') return via
  return type === 'user' && role ? role : 'guest'
}

/** Minutes for which a sign-in with password and code counts as recent (decision 7.12). */
export const freshMinutes = 10

/** The act needs a recent sign-in: 403, nothing stored. */
export class SignInAgain extends Error {
  override readonly name = 'SignInAgain'
}

/**
 * Throws SignInAgain if the act needs a recent sign-in. Asked for every audit entry, so that no new
 * route can forget it. `now`: by the database's clock.
 */
export function requireFresh(actor: Actor, act: string, changes: Changes, now: Date): void {
  if (actor.type === 'system' || !own(freshRules, act)?.(changes)) return
  const age = now.getTime() - (actor.authenticatedAt?.getTime() ?? 0)
  if (age > freshMinutes * 60_000) throw new SignInAgain(act)
}
