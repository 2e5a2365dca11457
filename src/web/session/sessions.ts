import { createHash, randomBytes } from 'node:crypto'
import type Koa from 'koa'
import createSession from 'koa-session'
import { config } from '../../config.js'
import { absoluteDays, liveSession, saveSession, touchSession } from '../../models/accounts/session.js'
import type { CurrentUser } from '../../models/accounts/user.js'
import type { Context, Middleware } from '../context.js'
import { asUser } from './authenticate.js'

/** How sessions begin and end: acts with an audit entry, so they come from outside this room. */
export type SessionActs = {
  begin(ctx: Context, idHash: Buffer, user: CurrentUser, data: SessionData): Promise<void>
  /** Returns the time it is authenticated at from now on. */
  renew(ctx: Context, idHash: Buffer, renewed: Buffer): Promise<Date>
  end(ctx: Context, idHash: Buffer): Promise<void>
}

/** What a session row holds: the secret its form tokens are made of. */
type SessionData = { form: string }

const day = 86_400_000
/** The `__Host-` prefix binds the cookie to this very host, and browsers accept it over https only. */
export const cookieName = config.https ? '__Host-caretaker' : 'caretaker'
const cookieSettings = {
  sameSite: 'lax',
  httpOnly: true,
  signed: true,
  overwrite: true,
  secure: config.https,
} as const
const hashOf = (id: string) => createHash('sha256').update(id).digest()
const touchAfter = 5 * 60_000

/** koa-session over the sessions table: only the hash of an id is stored, only a sign-in makes a row (decision 1.2). */
export function sessions(app: Koa, acts: SessionActs): Middleware {
  app.keys = [config.sessionSecret]
  const session = createSession(
    {
      ...cookieSettings,
      key: cookieName,
      maxAge: absoluteDays * day,
      genid: () => randomBytes(24).toString('base64url'),
      ContextStore: storeWith(acts),
    },
    app,
  )
  return async (ctx, next) => {
    // The cookie library throws on a secure cookie over plain HTTP, which is what a proxy speaks to us.
    ctx.cookies.secure = config.https
    await session(ctx, next)
    sessionFirst(ctx)
  }
}

/** Plain clients keep the first cookie they are given: that is the session's, whatever else was set on the way. */
function sessionFirst(ctx: Context): void {
  const set = ctx.res.getHeader('Set-Cookie')
  if (!Array.isArray(set)) return
  const isSession = (cookie: string) =>
    cookie.startsWith(`${cookieName}=`) || cookie.startsWith(`${cookieName}.`)
  ctx.set('Set-Cookie', [...set.filter(isSession), ...set.filter((cookie) => !isSession(cookie))])
}

/** One store per request, as koa-session wants it: it finds the user together with the session. */
function storeWith(acts: SessionActs) {
  return class Store {
    #begun: string | null = null
    constructor(readonly ctx: Context) {}

    async get(id: string): Promise<SessionData | null> {
      const live = await liveSession(hashOf(id))
      if (!live) return null
      this.ctx.state.user = live.user
      this.ctx.state.sessionHash = hashOf(id)
      this.ctx.state.authenticatedAt = live.authenticatedAt
      if (Date.now() - live.lastSeenAt.getTime() > touchAfter) await touchSession(hashOf(id))
      return live.data as SessionData
    }

    async set(id: string, data: SessionData): Promise<void> {
      const { user, renewing, sessionHash } = this.ctx.state
      if (renewing && sessionHash) {
        this.ctx.state.authenticatedAt = await acts.renew(this.ctx, sessionHash, hashOf(id))
        this.ctx.state.sessionHash = hashOf(id)
        return
      }
      if (!this.ctx.state.signingIn || !user) return saveSession(hashOf(id), { form: data.form })
      if (this.#begun === id) return
      this.#begun = id
      await acts.begin(this.ctx, hashOf(id), user, { form: data.form })
    }

    async destroy(id: string): Promise<void> {
      if (this.ctx.state.renewing) return
      await acts.end(this.ctx, hashOf(id))
    }
  }
}

/** Signs a user in on a new session id: the one the browser came with, if any, is dead before the answer is sent. */
export async function signIn(ctx: Context, user: CurrentUser): Promise<void> {
  if (ctx.state.sessionHash) forgetKept(ctx)
  ctx.state.user = user
  ctx.state.signingIn = true
  ctx.session = { form: randomBytes(24).toString('base64url') }
  await ctx.session.regenerate()
}

/** Gives the session of this request a new id, in the browser and in the table, after its owner signed in again. */
export async function renewSession(ctx: Context): Promise<void> {
  ctx.state.renewing = true
  await ctx.session!.regenerate()
  ctx.state.renewing = false
  asUser(ctx.state, ctx.state.user)
}

/** Ends the session of this request, when it has one; the row goes when the answer does. */
export function signOut(ctx: Context): void {
  forgetKept(ctx)
  ctx.session = null
}

/** Whether this browser brought a session cookie that opens nothing, or no longer. A bearer's cookie is not looked at. */
export function cameWithEnded(ctx: Context): boolean {
  return (
    !ctx.state.sessionHash &&
    !ctx.get('Authorization') &&
    Boolean(ctx.cookies.get(cookieName, { signed: false }))
  )
}

/** Takes the cookie of a session that is over from the browser, with all that it kept of it. */
export function dropEnded(ctx: Context): void {
  forgetKept(ctx)
  ctx.cookies.set(cookieName, '', { ...cookieSettings, expires: new Date(0) })
}

/** Tells the browser to forget the pages, photos and stored data of a session that ends (ASVS 14.3.1). */
function forgetKept(ctx: Context): void {
  ctx.set('Clear-Site-Data', '"cache", "storage"')
}

/** The hash of the session id this browser's cookie carries, live or not; null without one of ours. */
export function sessionId(ctx: Context): Buffer | null {
  const id = ctx.cookies.get(cookieName, { signed: true })
  return id ? hashOf(id) : null
}

/** The secret behind this browser's form tokens; null for a guest. */
export function sessionFormSecret(ctx: Context): string | null {
  return ctx.state.user && typeof ctx.session?.form === 'string' ? ctx.session.form : null
}
