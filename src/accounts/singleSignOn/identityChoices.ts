import { type CurrentUser, User } from '../../platform/http/session/user.js'
import { config } from '../../platform/ops/config.js'
import { passwordIsClosed } from '../signIn/credentials.js'
import { identitiesOf, type LinkedIdentity } from './queries.js'

/** The identities linked to an account, each with what people call its provider. */
export async function ownIdentities(userId: number): Promise<(LinkedIdentity & { name: string })[]> {
  const identities = await identitiesOf(userId)
  return identities.map((each) => ({ ...each, name: nameOf(each.issuer) }))
}

/** What the account page offers: linking to the configured provider, and ending a link when a password stays. */
export async function identityChoices(user: CurrentUser): Promise<{ mayLink: boolean; mayUnlink: boolean }> {
  const identities = await identitiesOf(user.id)
  const mayLink = config.singleSignOn !== null && !identities.some(({ issuer }) => isConfigured(issuer))
  if (identities.length === 0) return { mayLink, mayUnlink: false }
  const stored = await User.query().findById(user.id).select('passwordHash')
  const hasPassword = (stored?.passwordHash ?? null) !== null
  return { mayLink, mayUnlink: hasPassword && !(await passwordIsClosed(user)) }
}

function nameOf(issuer: string): string {
  return isConfigured(issuer) ? config.singleSignOn!.name : new URL(issuer).hostname
}

function isConfigured(issuer: string): boolean {
  const configured = config.singleSignOn?.issuer
  return configured !== undefined && new URL(configured).href === new URL(issuer).href
}
