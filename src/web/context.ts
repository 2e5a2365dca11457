import type { Router, RouterContext } from '@koa/router'
import type { Actor, Viewer } from '../domain/accounts/actor.js'
import type { Permission, Principal } from '../domain/accounts/permissions.js'
import type { CurrentUser } from '../models/accounts/user.js'
import type { Locale, Text } from '../text/index.js'

/** What the middleware in `app.ts` has found out about a request by the time a handler runs. */
export type State = {
  requestId: string
  /** The address that asks, as it may be written down. */
  client: string
  /** What the client calls the request, when that is safe to write down: for its own logs to be found from ours. */
  clientRequestId?: string
  /** Who asks; 'unknown' is a bearer value that is nobody's. */
  principal: Principal | 'unknown'
  user: CurrentUser | null
  actor: Actor
  viewer: Viewer
  /** The property and what every page shows of it; read when a page is made. */
  building: () => Promise<Building>
  locale: Locale
  text: Text
  /** Set by `allow`: the permission the route names. */
  permission?: Permission
  /** The page a refused form is shown on again (decision 6.17). */
  form?: FormPage | undefined
  /** The hash of this browser's live session, and when its owner last gave password and code in it. */
  sessionHash?: Buffer
  authenticatedAt?: Date
  /** Whose secret this request guesses at, for the log of defenders. */
  guessed?: Guessed
  /** Password and code again, in the session there is; throws Problem where they are wrong (decision 7.12). */
  signInAgain: (given: { password: string; code: string }) => Promise<void>
  /** Where a sign-in that has to begin anew goes on, and the form typed before it. */
  goesOn?: { next: string | null; typed: string | null }
  /** The session about to be saved is the one there was, under a new id. */
  renewing?: boolean
  /** A sign-in is under way: the session about to be saved is a new one. */
  signingIn?: boolean
  /** The cookie a guest's form tokens are bound to, once asked for. */
  guestForm?: string | undefined
  /** What a form brought that came without a session: the sign-in page carries it. */
  typed?: { at: string; fields: Record<string, string | string[]>; photosKept: boolean }
  /** Photos a refused form brought, kept for its next try. */
  staged?: { id: string; path: string }[]
  /** The answer is byte for byte what everybody gets: a signed-in person's browser may keep it, too. */
  forEverybody?: boolean
  /** Files of a multipart body, still in the upload folder. */
  uploads: UploadedFile[]
}

/** Whose secret is guessed: a person's, or that of an address nobody has, as the database folds it. */
export type Guessed = { userId: number } | { address: string }

/** What the frame of every page needs of the building. `emergency`: the number to call when somebody is in danger. */
export type Building = {
  property: { name: string; address: string; timezone: string; currency: string; locale: string }
  emergency: { name: string; phone: string } | null
}

/**
 * A page that holds a form: its view, and what that view needs besides the typed values. `name`: which of the view's forms
 * it is, where people type into more than one. `conflicts`: it is shown again for a 409, too, because what was typed can
 * be sent once more.
 */
export type FormPage = {
  view: string
  name?: string | ((ctx: Context) => string)
  load: (ctx: Context) => Promise<Record<string, unknown>>
  conflicts?: boolean
}

export type UploadedFile = { path: string; size: number; field: string; name: string }

export type Context = RouterContext<State>
export type Middleware = (ctx: Context, next: () => Promise<unknown>) => Promise<unknown> | unknown
export type AppRouter = Router<State>
