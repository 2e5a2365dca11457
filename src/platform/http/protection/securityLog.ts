import { ValidationFailed } from '../../../vocabulary/validation.js'
import { logSecurity, type SecurityEvent } from '../../ops/log/security.js'
import type { Problem } from '../answer/problem.js'
import type { Context, Guessed } from '../context.js'
import { typedIn } from '../request/input.js'
import { sessionId } from '../session/sessions.js'
import { loggable, withoutControlCharacters } from './observe.js'

/** Logs a security event with the caller, the request and the client's address. */
export function security(ctx: Context, event: SecurityEvent, facts: Record<string, unknown> = {}): void {
  const { requestId, client, clientRequestId, principal, user, guessed } = ctx.state
  logSecurity(event, {
    requestId,
    ...(clientRequestId === undefined ? {} : { clientRequestId }),
    client,
    method: ctx.method,
    path: loggable(ctx.path),
    userAgent: withoutControlCharacters(ctx.get('User-Agent')),
    as: principal,
    ...(user ? { userId: user.id } : {}),
    ...(guessed ? { account: nameOf(guessed) } : {}),
    ...facts,
  })
}

/** Logs a refusal, when it is a security event. */
export function securityOfRefusal(ctx: Context, problem: Problem, error: unknown): void {
  const event = eventOf(ctx, problem, error)
  if (!event) return
  const host = event === 'webhook_address.refused' ? { host: hostOf(typedIn(ctx).url) } : {}
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
  if (status === 401 && ctx.state.permission === 'mail.receive') return 'mail_secret.wrong'
  if (status === 401 && (ctx.get('Authorization') !== '' || sessionId(ctx))) return 'credential.refused'
  if (!(error instanceof ValidationFailed)) return null
  const problems = Object.values(error.fields).flat()
  if (problems.includes('password_wrong')) return 'password.wrong'
  return problems.some((each) => refusedAddresses.has(each)) ? 'webhook_address.refused' : null
}

/** Sign-ins that failed although no password was wrong. */
const notSignedIn = new Set([
  ...['sign_in_over', 'provider_denied', 'provider_refused', 'provider_not_asked', 'provider_away'],
  ...['identity_unknown', 'identity_unverified', 'identity_other', 'password_closed'],
])

const linksOver = new Set([
  ...['link_over', 'sign_in_link_over', 'answer_link_over', 'follow_link_over', 'unsubscribe_link_over'],
])

/** Being asked to sign in again is no event; giving a wrong password or code is. */
function wrongAgain({ errors = {} }: { errors?: object }): SecurityEvent | null {
  if ('againPassword' in errors) return 'password.wrong'
  return 'againCode' in errors ? 'code.wrong' : null
}

const refusedAddresses = new Set(['url_blocked', 'url_port', 'url_credentials', 'url_scheme'])

/** The account for the log. A password typed into the address field must not end up there. */
function nameOf(guessed: Guessed): string {
  if ('userId' in guessed) return `user:${guessed.userId}`
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(guessed.address)
    ? withoutControlCharacters(guessed.address)
    : '(no address)'
}

function hostOf(url: unknown): string | null {
  return typeof url === 'string' && URL.canParse(url) ? withoutControlCharacters(new URL(url).host) : null
}
