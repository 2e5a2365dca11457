import type { SecurityEvent } from '../../../vocabulary/securityEvents.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import { logSecurity } from '../../process/log.js'
import type { AttemptedUser, Context } from '../context.js'
import { enteredFields } from '../enteredFields.js'
import { type FeatureEvent, featureHooks } from '../featureHooks.js'
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
  const refusal = eventOf(ctx, problem, error)
  if (!refusal) return
  const { event, addressField } = refusal
  const host = addressField ? { host: hostOf(enteredFields(ctx)[addressField]) } : {}
  logSecurityOf(ctx, event, { code: problem.code, ...host })
}

function eventOf(ctx: Context, problem: Problem, error: unknown): FeatureEvent | null {
  const { status, code, members } = problem
  const fieldProblems = error instanceof ValidationFailed ? Object.values(error.fields).flat() : []
  const { permission } = ctx.state
  const ofFeature = featureHooks.registered().securityEventOf({ status, code, permission, fieldProblems })
  if (ofFeature) return ofFeature
  const event = eventOfAnyRequest(ctx, status, code, members)
  return event && { event }
}

/** What can happen at every address. */
function eventOfAnyRequest(
  ctx: Context,
  status: number,
  code: string,
  members: Problem['members'],
): SecurityEvent | null {
  if (code === 'foreign_origin' || code === 'form_expired') return 'csrf.refused'
  if (status === 429) return 'throttled'
  if (code === 'sign_in_again') return wrongAgain(members)
  if (status === 403) return 'permission.refused'
  const hasCredential = ctx.get('Authorization') !== '' || sessionIdHash(ctx) !== null
  return status === 401 && hasCredential ? 'credential.refused' : null
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
