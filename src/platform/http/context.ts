import type { Router, RouterContext } from '@koa/router'
import type { Locale, Text } from '../../text/index.js'
import type { Actor, Viewer } from '../../vocabulary/people/actor.js'
import type { ProviderProof } from '../../vocabulary/people/identity.js'
import type { Permission, Principal } from '../../vocabulary/people/permissions.js'
import type { OpeningHours } from '../../vocabulary/time/openingHours.js'
import type { CurrentUser } from './currentUser.js'

/** What the middleware of `app.ts` has learned about a request by the time its handler runs. */
export type State = {
  requestId: string
  /** The client's address, cleaned for logs. */
  client: string
  /** The client's own X-Request-Id, when it is safe to log: a client finds our log lines by it. */
  clientRequestId?: string
  /** The caller; 'unknown' for a bearer value that matches no secret. */
  principal: Principal | 'unknown'
  user: CurrentUser | null
  /** This browser's live session. */
  session?: OwnSession
  actor: Actor
  viewer: Viewer
  /** Set by `allow`: the permission the route names. */
  permission?: Permission
  /** The property and the frame of every page; read only when a page is rendered. */
  building: () => Promise<Building>
  locale: Locale
  text: Text
  /** Files of a multipart body, still in the upload folder. */
  uploads: UploadedFile[]
  /** Photos of earlier tries of the form that is sent, and those kept for its next one. */
  staged?: { id: string; path: string }[]
  /** The request has stored something. */
  hasStored?: boolean
  refusal: RefusalState
  signIn: SignInState
  response: ResponseState
}

/** What is shown when the request is refused, as far as it is known. */
type RefusalState = {
  /** The page a refused form is shown on again (decision 6.17). */
  form?: FormPage | undefined
  /** The response is a refused form: the browser may keep it, so that "back" shows it again. */
  isRefusedForm?: boolean
  /** Photos came with the form and were not read. */
  hadPhotos?: boolean
  /** Where a refused form's words can go instead, by one press on the page of the problem. */
  sendInstead?: SendInstead
  /** What the page of a problem offers to do next, when the act knows it best. */
  nextLink?: { href: string; label: string }
}

/** A sign-in that this request is part of, or is led to. */
type SignInState = {
  /** The user whose secret this request tries, for the security log. */
  attemptedUser?: AttemptedUser
  /** When a sign-in must start over: the page to go to after it, and the form it carries. */
  returnTo?: { next: string | null; carriedForm: string | null } | undefined
  /** Fields of a form that came without a session: the sign-in page carries them. */
  carriedForm?: CarriedForm
  /** The guest's report that a sign-in carries, null when it waits no more; else not looked at. */
  waitingReport?: { title: string; keptUntil: string } | null
  /**
   * The session about to be saved: the current one under a new id, or that of a sign-in, and how a
   * provider proved its user (null: by a password).
   */
  saving?: 'renewed' | { proof: ProviderProof | null } | undefined
}

/** What routes say of their responses, whatever these are. */
type ResponseState = {
  /** A monitor asks for it every few seconds, so that its answer is not logged. */
  isProbe?: boolean
  /** Search engines may list the response, unless it is a refusal. */
  isIndexed?: boolean
  /** Phones of residents may keep its page for times without a connection. */
  isKeptOffline?: boolean
  /** The same bytes for everyone: a signed-in person's browser may cache it, too. */
  isSameForEveryone?: boolean
  /** The address pages name as theirs, where their own holds a secret. */
  displayedUrl?: string
}

/**
 * `hash`: of its id. `authenticatedAt`: when its owner last gave password and code. `byIdentity`:
 * an identity of a provider started it.
 */
type OwnSession = { hash: Buffer; authenticatedAt: Date; byIdentity: boolean }

/** Whose secret is tried: a user's, or that of an unused address, as the database folds it. */
export type AttemptedUser = { userId: number } | { address: string }

/**
 * A browser's form sent after its session had ended: address and fields. It travels in a hidden
 * field of the sign-in page and is not stored, except for ten minutes while the second factor's
 * code is asked for, and for an hour in the session that it ends in. `photosKept`: no photo of it
 * has to be added again.
 */
export type CarriedForm = { at: string; fields: Record<string, string | string[]>; photosKept: boolean }

/** The building, for the frame of every page. */
export type Building = {
  property: {
    name: string
    address: string
    timezone: string
    currency: string
    locale: string
    officePhone?: string
  }
  /** Whom to call in danger; null before the building has been read for the first time. */
  emergency: {
    publicNumber: string
    contact: (OpeningHours & { name: string; phone: string; label: string; notes: string }) | null
  } | null
}

/**
 * A page with a form. `name`: which form of the view; `wording`: by key of a field's problem, the
 * key of what this form says instead; `conflicts`: also shown again for a 409;
 * `secret`: the page shows a secret or its address is one, so no cache may keep it.
 */
export type FormPage = {
  view: string
  name?: string | ((ctx: Context) => string)
  wording?: Readonly<Record<string, string>>
  load: (ctx: Context) => Promise<Record<string, unknown>>
  conflicts?: boolean
  secret?: boolean
}

/** A form of one button: where it is sent, its fields, and what the button says. */
export type SendInstead = { action: string; fields: Record<string, string | string[]>; label: string }

/** `hash`: SHA-256 of the content. */
export type UploadedFile = { path: string; size: number; hash: string; field: string; name: string }

export type Context = RouterContext<State>
export type Middleware = (ctx: Context, next: () => Promise<unknown>) => Promise<unknown> | unknown
export type AppRouter = Router<State>
