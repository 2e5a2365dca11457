import { own } from '../collections.js'
import { type Role, roles } from './permissions.js'

/** What an identity provider says of a person, from a checked ID token and its user information. */
export type Claims = Readonly<Record<string, unknown>> & { iss: string; sub: string }

/** How a session's owner was proven by an identity provider. */
export type ProviderProof = {
  identityId: number
  /** The ID token, encrypted; null when it is too long to keep. */
  idToken: Buffer | null
  /** When the provider asked for the password; null: no sign-in counts as recent. */
  authenticatedAt: Date | null
  /** It asked for a second factor, too. */
  secondFactor: boolean
}

/** Longest values of a role claim that a log shows, and how many of them. */
const loggedValues = { length: 60, values: 20 }

/**
 * The highest role among the values of a claim; resident when it names none or is missing, since
 * providers leave out an empty list. `unknownRoles`: values that are none.
 */
export function roleByClaim(claims: Claims, path: string): { role: Role; unknownRoles: string[] } {
  const values = [claimAt(claims, path) ?? []].flat().filter((value) => typeof value === 'string')
  const role = roles.findLast((each) => values.includes(each)) ?? 'resident'
  const unknown = values.filter((value) => !(roles as readonly string[]).includes(value))
  const unknownRoles = unknown
    .slice(0, loggedValues.values)
    .map((value) => value.slice(0, loggedValues.length))
  return { role, unknownRoles }
}

/** The claim of this name or, where there is none, the one its dots lead to. */
function claimAt(claims: Claims, path: string): unknown {
  const whole = own<unknown>(claims, path)
  if (whole !== undefined) return whole
  return path.split('.').reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null
      ? own(value as Record<string, unknown>, name)
      : undefined
  }, claims)
}

/** The address the provider has verified, or null. Entra says `xms_edov` of a tenant's domains. */
export function verifiedAddress(claims: Claims): string | null {
  const { iss, email_verified, xms_edov } = claims
  const isEntra = new URL(iss).hostname === 'login.microsoftonline.com'
  const verified = email_verified === true || (isEntra && ['true', '1'].includes(String(xms_edov)))
  return verified ? claimedAddress(claims) : null
}

/** The address the provider names, verified or not; null when it is none. */
export function claimedAddress({ email }: Claims): string | null {
  return typeof email === 'string' && email.length <= 320 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email)
    ? email
    : null
}

/** Whether the provider asked for more than one factor (`mfa`, RFC 8176). */
export function provesSecondFactor({ amr }: Claims): boolean {
  return Array.isArray(amr) && amr.includes('mfa')
}

/** When the provider asked for the password, never later than `now`; null when it does not say. */
export function authenticatedAt({ auth_time }: Claims, now: Date): Date | null {
  return typeof auth_time === 'number' && Number.isFinite(auth_time) && auth_time > 0
    ? new Date(Math.min(auth_time * 1000, now.getTime()))
    : null
}
