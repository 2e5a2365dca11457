import { linkPurposes } from '../../../vocabulary/email/linkPurposes.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import { logSecurity, type SecurityEvent } from '../../process/log.js'
import type { AttemptedUser, Context } from '../context.js'
import { enteredFields } from '../enteredFields.js'
import type { Problem } from '../problem.js'
import { sessionIdHash } from '../session/sessionCookie.js'
import { browserName, requestFacts, withoutControlCharacters } from './requestLog.js'

/** Logs a security event with the caller, the request and the client's address. */
export function logSecurityOf(ctx: Context, event: SecurityEvent, facts: Record<string, unknown> = {}): void {
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
export function logSecurityOfRefusal(ctx: Context, problem: Problem, error: unknown): void {
  const event = eventOf(ctx, problem, error)
  if (!event) return
  const host = event === 'webhook_address.refused' ? { host: hostOf(enteredFields(ctx).url) } : {}
  logSecurityOf(ctx, event, { code: problem.code, ...host })
}

/** The refusals that are an event whatever else is true, by their codes. */
const eventsByCode = new Map<string, SecurityEvent>([
  ['wrong_credentials', 'sign_in.failed'],
  // Sign-ins that failed although no password was wrong.
  ['sign_in_over', 'sign_in.failed'],
  ['provider_denied', 'sign_in.failed'],
  ['provider_refused', 'sign_in.failed'],
  ['provider_not_asked', 'sign_in.failed'],
  ['provider_away', 'sign_in.failed'],
  ['identity_unknown', 'sign_in.failed'],
  ['identity_unverified', 'sign_in.failed'],
  ['identity_other', 'sign_in.failed'],
  ['password_closed', 'sign_in.failed'],
  ['wrong_code', 'code.wrong'],
  ['code_too_late', 'code.wrong'],
  ['foreign_origin', 'csrf.refused'],
  ['form_expired', 'csrf.refused'],
  ...Object.values(linkPurposes).map(({ expiredProblem }): [string, SecurityEvent] => [
    expiredProblem,
    'link.wrong',
  ]),
])

/** The events of fields with these problems. */
const eventsByFieldProblem = new Map<string, SecurityEvent>([
  ['password_wrong', 'password.wrong'],
  ['url_blocked', 'webhook_address.refused'],
  ['url_port', 'webhook_address.refused'],
  ['url_credentials', 'webhook_address.refused'],
  ['url_scheme', 'webhook_address.refused'],
])

function eventOf(ctx: Context, { status, code, members }: Problem, error: unknown): SecurityEvent | null {
  const known = eventsByCode.get(code)
  if (known) return known
  if (status === 429) return 'throttled'
  if (code === 'sign_in_again') return wrongAgain(members)
  if (status === 403) return 'permission.refused'
  if (status === 401 && ctx.state.permission === 'email.receive') return 'email_secret.wrong'
  if (status === 401 && (ctx.get('Authorization') !== '' || sessionIdHash(ctx))) return 'credential.refused'
  return error instanceof ValidationFailed ? eventOfFields(error) : null
}

function eventOfFields({ fields }: ValidationFailed): SecurityEvent | null {
  const problems = Object.values(fields).flat()
  const known = [...eventsByFieldProblem].find(([problem]) => problems.includes(problem))
  return known ? known[1] : null
}

/** Being asked to sign in again is no event; giving a wrong password or code is. */
function wrongAgain({ errors = {} }: { errors?: object }): SecurityEvent | null {
  if ('againPassword' in errors) return 'password.wrong'
  return 'againCode' in errors ? 'code.wrong' : null
}

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
