import { createHmac, randomBytes } from 'node:crypto'
import type Koa from 'koa'
import createSession from 'koa-session'
import type { Actor } from '../../../vocabulary/people/actor.js'
import type { ProviderProof } from '../../../vocabulary/people/identity.js'
import { config } from '../../process/config.js'
import { equalTexts, hashOf } from '../../process/hashing.js'
import type { Context, Middleware } from '../context.js'
import type { CurrentUser } from '../currentUser.js'
import { asUser } from './authenticate.js'
import { cookieAttributes, cookieNamed } from './browserCookies.js'
import type { FormDraft } from './formDraft.js'
import { absoluteDays, liveSession, saveSession, touchSession } from './sessionTable.js'

/** How sessions start and end. Each writes an audit entry, so the actions are passed in. */
type SessionActs = {
  begin(ctx: Context, idHash: Buffer, user: CurrentUser, data: SessionData): Promise<void>
  /** Returns the session's new time of authentication. */
  renew(actor: Actor, idHash: Buffer, renewed: Buffer): Promise<Date>
  end(actor: Actor, idHash: Buffer): Promise<void>
}

/** A session row: the secret of its form tokens, and a form that waits to be sent again. */
type SessionData = { form: string; draft?: FormDraft | undefined }

const day = 86_400_000
export const cookieName = cookieNamed('caretaker')
/** The value is signed itself, so that the cookie library adds no second cookie (decision 1.1). */
const cookieSettings = { ...cookieAttributes, signed: false, overwrite: true } as const
const touchAfter = 5 * 60_000

const signatureOf = (id: string) =>
  createHmac('sha256', config.sessionSecret).update(`session:${id}`).digest('base64url')

/** The session id in this browser's cookie; null without a valid signature. */
function signedId(ctx: Context): string | null {
  const [id = '', signature = ''] = (ctx.cookies.get(cookieName, { signed: false }) ?? '').split('.')
  return equalTexts(signature, signatureOf(id)) ? id : null
}

const externalKey = {
  get: (ctx: Context) => signedId(ctx) ?? '',
  set: (ctx: Context, id: string) =>
    void ctx.cookies.set(cookieName, `${id}.${signatureOf(id)}`, {
      ...cookieSettings,
      maxAge: absoluteDays * day,
    }),
}

/** koa-session over a table: ids are stored hashed, only a sign-in makes a row (decision 1.2). */
export function sessionMiddleware(app: Koa, acts: SessionActs): Middleware {
  app.keys = [config.sessionSecret]
  const session = createSession(
    {
      ...cookieSettings,
      key: cookieName,
      maxAge: absoluteDays * day,
      genid: () => randomBytes(24).toString('base64url'),
      ContextStore: storeWith(acts),
      externalKey: externalKey as never,
    },
    app,
  )
  return async (ctx, next) => {
    // The cookie library refuses secure cookies over plain HTTP, which a TLS proxy speaks to us.
    ctx.cookies.secure = config.https
    await session(ctx, next)
    sessionFirst(ctx)
  }
}

/** Plain clients keep only the first cookie of a response: make it the session's. */
function sessionFirst(ctx: Context): void {
  const set = ctx.res.getHeader('Set-Cookie')
  if (!Array.isArray(set)) return
  const isSession = (cookie: string) => cookie.startsWith(`${cookieName}=`)
  ctx.set('Set-Cookie', [...set.filter(isSession), ...set.filter((cookie) => !isSession(cookie))])
}

/** koa-session makes one store per request; it finds the user together with the session. */
function storeWith(acts: SessionActs) {
  return class Store {
    #begun: string | null = null
    constructor(readonly ctx: Context) {}

    async get(id: string): Promise<SessionData | null> {
      const live = await liveSession(hashOf(id))
      if (!live) return null
      this.ctx.state.user = live.user
      const { authenticatedAt, byIdentity } = live
      this.ctx.state.session = { hash: hashOf(id), authenticatedAt, byIdentity }
      if (Date.now() - live.lastSeenAt.getTime() > touchAfter) await touchSession(hashOf(id))
      return live.data as SessionData
    }

    async set(id: string, data: SessionData): Promise<void> {
      const { user, session } = this.ctx.state
      const { saving } = this.ctx.state.signIn
      if (saving === 'renewed' && session) {
        const authenticatedAt = await acts.renew(this.ctx.state.actor, session.hash, hashOf(id))
        this.ctx.state.session = { ...session, hash: hashOf(id), authenticatedAt }
        return
      }
      const { form, draft } = data
      const stored = draft ? { form, draft } : { form }
      if (typeof saving !== 'object' || !user) return saveSession(hashOf(id), stored)
      if (this.#begun === id) return draft && saveSession(hashOf(id), stored)
      this.#begun = id
      await acts.begin(this.ctx, hashOf(id), user, { form })
    }

    async destroy(id: string): Promise<void> {
      if (this.ctx.state.signIn.saving === 'renewed') return
      await acts.end(this.ctx.state.actor, hashOf(id))
    }
  }
}

/**
 * Starts a session of this user under a new id; the browser's former session ends before the
 * response is sent. `proof`: by an identity. The same person's open forms stay valid.
 */
export async function startSession(
  ctx: Context,
  user: CurrentUser,
  proof: ProviderProof | null,
): Promise<void> {
  const form = ctx.state.user?.id === user.id ? sessionFormSecret(ctx) : null
  if (ctx.state.session && form === null) clearBrowserCache(ctx)
  ctx.state.user = user
  ctx.state.signIn.saving = { proof }
  ctx.session = { form: form ?? randomBytes(24).toString('base64url') }
  await ctx.session.regenerate()
}

/** Gives this session a new id, in browser and table, after its owner signed in again. */
export async function renewSession(ctx: Context): Promise<void> {
  ctx.state.signIn.saving = 'renewed'
  await ctx.session!.regenerate()
  ctx.state.signIn.saving = undefined
  asUser(ctx.state, ctx.state.user)
}

/** Ends the session of this request, if any; its row is deleted with the response. */
export function signOut(ctx: Context): void {
  clearBrowserCache(ctx)
  ctx.session = null
}

/** Whether a browser's cookie opens no session. Ignored beside an Authorization header. */
export function hasEndedSession(ctx: Context): boolean {
  return (
    !ctx.state.session && !ctx.get('Authorization') && Boolean(ctx.cookies.get(cookieName, { signed: false }))
  )
}

/** Removes the cookie of an ended session from the browser, and what it cached. */
export function dropEndedSession(ctx: Context): void {
  clearBrowserCache(ctx)
  ctx.cookies.set(cookieName, '', { ...cookieSettings, expires: new Date(0) })
}

/**
 * Makes the browser drop the pages and photos of a session (ASVS 14.3.1). Its storage stays: there
 * is nothing of a session in it, and a report that waits for a connection outlives one (decision
 * 7.29).
 */
function clearBrowserCache(ctx: Context): void {
  ctx.set('Clear-Site-Data', '"cache"')
}

/** The hash of the session id in this browser's cookie, live or not; null without a signature. */
export function sessionIdHash(ctx: Context): Buffer | null {
  const id = signedId(ctx)
  return id ? hashOf(id) : null
}

/** The secret of this session's form tokens; null for a guest. */
export function sessionFormSecret(ctx: Context): string | null {
  return ctx.state.user && typeof ctx.session?.form === 'string' ? ctx.session.form : null
}
