import type { FeatureEvent, RefusedRequest } from '../platform/http/featureHooks.js'
import { linkPurposes } from '../vocabulary/email/linkPurposes.js'
import type { SecurityEvent } from '../vocabulary/securityEvents.js'

const expiredLinks = Object.values(linkPurposes).map(({ expiredProblem }): [string, SecurityEvent] => [
  expiredProblem,
  'link.wrong',
])

/** The refusals that are a security event whatever else is true, by their codes. */
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
  ['email_code_wrong', 'code.wrong'],
  ['code_too_late', 'code.wrong'],
  ...expiredLinks,
])

/** Problems of a webhook's address that may be an attempt to reach what it must not. */
const addressProblems = ['url_blocked', 'url_port', 'url_credentials', 'url_scheme']

/** The security event that a refusal is by the rules of a feature; null when by none. */
export function securityEventOf({
  status,
  code,
  permission,
  fieldProblems,
}: RefusedRequest): FeatureEvent | null {
  const event = eventsByCode.get(code)
  if (event) return { event }
  if (status === 401 && permission === 'email.receive') return { event: 'email_secret.wrong' }
  if (fieldProblems.includes('password_wrong')) return { event: 'password.wrong' }
  const isAddressRefused = addressProblems.some((problem) => fieldProblems.includes(problem))
  return isAddressRefused ? { event: 'webhook_address.refused', addressField: 'url' } : null
}
