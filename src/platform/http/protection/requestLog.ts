import { randomUUID } from 'node:crypto'
import { linkPurposes } from '../../../vocabulary/email/linkPurposes.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import { config } from '../../process/config.js'
import { countRequest } from '../../process/counters.js'
import { log, logSecurity, type SecurityEvent } from '../../process/log.js'
import { beginSpan } from '../../process/tracing.js'
import type { AttemptedUser, Context, Middleware } from '../context.js'
import { enteredFields } from '../enteredFields.js'
import type { Problem } from '../problem.js'
import { sessionIdHash } from '../session/sessionCookie.js'

/** The path segment after one of these is a secret: it opens an account or acts for a person. */
const beforeSecrets = new Set(Object.values(linkPurposes).map(({ page }) => page.split('/').at(-1)))
/** As long as a one-time token, of the same characters; longer than any segment people read. */
const likeSecret = /^[\w-]{40,}$/

/**
 * A path for logs, with one-time tokens masked however they are written: routers and proxies accept
 * either case, doubled slashes and percent-encoding for the same address.
 */
export function loggable(path: string): string {
  let secretNext = false
  const parts = path.slice(0, 4000).split(/((?:\/|\\|%(?:25)*(?:2f|5c))+)/i)
  const masked = parts.map((part, i) => {
    if (i % 2 === 1 || part === '') return part
    const isSecret = secretNext || likeSecret.test(part)
    secretNext = beforeSecrets.has(decoded(part).toLowerCase())
    return isSecret ? '…' : part
  })
  return masked.join('').slice(0, 200)
}

/** A segment with all its percent-encoding undone, however often it was applied. */
function decoded(segment: string): string {
  const next = segment.replace(/%([2-7][\da-f])/gi, (_match, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return next === segment ? next.trim() : decoded(next)
}

const acceptable = /^[\w.-]{8,64}$/

/**
 * Gives the request an id for its response, log lines and audit entries. The id is always ours,
 * because a client could choose another request's; the client's own is only logged beside it.
 */
export function requestId(): Middleware {
  return (ctx, next) => {
    const clientRequestId = ctx.get('X-Request-Id')
    if (acceptable.test(clientRequestId)) ctx.state.clientRequestId = clientRequestId
    ctx.state.requestId = randomUUID()
    ctx.state.client = ctx.ip.replace(/[^\w.:%[\]]/g, '?').slice(0, 64)
    ctx.set('X-Request-Id', ctx.state.requestId)
    return next()
  }
}

/** Text of the client's for a log line. */
const withoutControlCharacters = (text: string) => text.replace(/\p{C}/gu, '').slice(0, 200)

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']

/**
 * Counts each request, and logs one line of it unless ACCESS_LOG is off; when all is sent, or the
 * client left. Never a query, a header but the browser's name, or a body.
 */
export function requestLog(): Middleware {
  return (ctx, next) => {
    const started = performance.now()
    const sent = ctx.socket.bytesWritten
    ctx.res.once('close', () => {
      const ms = performance.now() - started
      const { status } = ctx
      countRequest({ method: methodOf(ctx) ?? 'other', route: routeOf(ctx), status, seconds: ms / 1_000 })
      if (config.accessLog && !isProbe(ctx)) logRequest(ctx, ms, ctx.socket.bytesWritten - sent)
    })
    return next()
  }
}

/** Asked every few seconds for ever: what such an answer tells is logged where it happens. */
const isProbe = ({ state, status }: Context) =>
  state.response.isProbe === true && (status === 200 || status === 503)

/** Its method, null for one that clients make up. */
function methodOf({ method }: Context): string | null {
  return methods.includes(method) ? method : null
}

/** The pattern of its route, `none` without one: there are endlessly many paths. */
export function routeOf(ctx: Context): string {
  const { _matchedRoute: pattern } = ctx as { _matchedRoute?: unknown }
  return typeof pattern === 'string' && ctx.state.permission !== undefined ? pattern : 'none'
}

/** What every log line of a request begins with; the log leaves out what is undefined. */
function requestFacts({ state, method, path }: Context) {
  const { requestId, clientRequestId, client } = state
  return { requestId, clientRequestId, client, method, path: loggable(path) }
}

const browserName = (ctx: Context) => withoutControlCharacters(ctx.get('User-Agent'))

function logRequest(ctx: Context, ms: number, bytes: number): void {
  log.info(
    {
      ...requestFacts(ctx),
      status: ctx.status,
      ms: Math.round(ms),
      bytes,
      unfinished: ctx.res.writableFinished ? undefined : true,
      as: ctx.state.principal,
      userId: ctx.state.user?.id,
      userAgent: browserName(ctx),
    },
    'request',
  )
}

/** Logs a security event with the caller, the request and the client's address. */
export function security(ctx: Context, event: SecurityEvent, facts: Record<string, unknown> = {}): void {
  const { principal, user } = ctx.state
  const { attemptedUser } = ctx.state.signIn
  logSecurity(event, {
    ...requestFacts(ctx),
    userAgent: browserName(ctx),
    as: principal,
    userId: user?.id,
    account: attemptedUser && nameOf(attemptedUser),
    ...facts,
  })
}

/** Logs a refusal, when it is a security event. */
export function securityOfRefusal(ctx: Context, problem: Problem, error: unknown): void {
  const event = eventOf(ctx, problem, error)
  if (!event) return
  const host = event === 'webhook_address.refused' ? { host: hostOf(enteredFields(ctx).url) } : {}
  security(ctx, event, { code: problem.code, ...host })
}

function eventOf(ctx: Context, { status, code, members }: Problem, error: unknown): SecurityEvent | null {
  if (code === 'wrong_credentials' || notSignedIn.has(code)) return 'sign_in.failed'
  if (linksOver.has(code)) return 'link.wrong'
  if (code === 'foreign_origin' || code === 'form_expired') return 'csrf.refused'
  if (status === 429) return 'throttled'
  if (code === 'wrong_code' || code === 'code_too_late') return 'code.wrong'
  if (code === 'sign_in_again') return wrongAgain(members)
  if (status === 403) return 'permission.refused'
  if (status === 401 && ctx.state.permission === 'email.receive') return 'email_secret.wrong'
  if (status === 401 && (ctx.get('Authorization') !== '' || sessionIdHash(ctx))) return 'credential.refused'
  if (!(error instanceof ValidationFailed)) return null
  const problems = Object.values(error.fields).flat()
  if (problems.includes('password_wrong')) return 'password.wrong'
  return problems.some((each) => refusedAddresses.has(each)) ? 'webhook_address.refused' : null
}

/** Sign-ins that failed although no password was wrong. */
const notSignedIn = new Set([
  'sign_in_over',
  'provider_denied',
  'provider_refused',
  'provider_not_asked',
  'provider_away',
  'identity_unknown',
  'identity_unverified',
  'identity_other',
  'password_closed',
])

const linksOver = new Set<string>(Object.values(linkPurposes).map(({ over }) => over))

/** Being asked to sign in again is no event; giving a wrong password or code is. */
function wrongAgain({ errors = {} }: { errors?: object }): SecurityEvent | null {
  if ('againPassword' in errors) return 'password.wrong'
  return 'againCode' in errors ? 'code.wrong' : null
}

const refusedAddresses = new Set(['url_blocked', 'url_port', 'url_credentials', 'url_scheme'])

/** The account for the log. A password typed into the address field must not end up there. */
function nameOf(account: AttemptedUser): string {
  if ('userId' in account) return `user:${account.userId}`
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(account.address)
    ? withoutControlCharacters(account.address)
    : '(no address)'
}

function hostOf(url: unknown): string | null {
  return typeof url === 'string' && URL.canParse(url) ? withoutControlCharacters(new URL(url).host) : null
}

/** A span for each request to the end of its answer, named by the pattern of its route. */
export function requestSpan(): Middleware {
  return (ctx, next) => {
    // The standard's word for the others.
    const method = methodOf(ctx) ?? '_OTHER'
    const span = beginSpan({
      name: method,
      kind: 'server',
      headers: ctx.headers,
      attributes: { 'http.request.method': method, 'caretaker.request_id': ctx.state.requestId },
    })
    if (!span) return next()
    ctx.res.once('close', () => {
      const { status } = ctx
      const route = routeOf(ctx)
      const known = route === 'none' ? undefined : route
      span.end({
        name: [method === '_OTHER' ? 'HTTP' : method, known].filter(Boolean).join(' '),
        attributes: { 'http.route': known, 'http.response.status_code': status },
        error: status >= 500 ? String(status) : undefined,
      })
    })
    return span.within(next)
  }
}
