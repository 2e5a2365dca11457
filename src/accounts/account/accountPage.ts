import { followedBy } from '../../building/followedNames.js'
import type { Context } from '../../platform/http/context.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import { sessionsOf } from '../../platform/http/session/sessionTable.js'
import { config } from '../../platform/process/config.js'
import { locales, texts } from '../../text/index.js'
import { type NotificationSetting, settingsFor } from '../../vocabulary/notificationSettings.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { passwordIsClosed } from '../signIn/credentials.js'
import { identitiesOf } from '../singleSignOn/identities.js'
import { browsersOf } from '../users/devices.js'
import { isConfiguredIssuer } from '../users/providerSession.js'
import { User } from '../users/user.js'
import { findUser } from '../users/userEntity.js'
import { presentAccount } from './json.js'

/** Every setting of notifications, those of staff included. */
export const allNotificationSettings = settingsFor(true) as [NotificationSetting, ...NotificationSetting[]]

/**
 * What the account page offers: linking to the configured provider, and ending a link when a
 * password stays.
 */
async function identityChoices(user: CurrentUser): Promise<{ mayLink: boolean; mayUnlink: boolean }> {
  const identities = await identitiesOf(user.id)
  const mayLink = config.singleSignOn !== null && !identities.some(({ issuer }) => isConfiguredIssuer(issuer))
  if (identities.length === 0) return { mayLink, mayUnlink: false }
  const stored = await User.query().findById(user.id).select('passwordHash')
  const hasPassword = (stored?.passwordHash ?? null) !== null
  return { mayLink, mayUnlink: hasPassword && !(await passwordIsClosed(user)) }
}

/** What people call the provider. */
function providerName(issuer: string): string {
  return isConfiguredIssuer(issuer) ? config.singleSignOn!.name : new URL(issuer).hostname
}

export const ownAccount = (ctx: Context) => accountOf(ctx.state.user!.id, ctx.state.session?.hash ?? null)

/**
 * A person's account; `session`: the hash of the id of the session it is read in. Throws NotFound.
 */
export async function accountOf(id: number, session: Buffer | null) {
  const user = orNotFound(await findUser(id))
  const { notifications } = orNotFound(await User.query().findById(id).select('notifications'))
  const [sessions, browsers, follows, identities] = await Promise.all([
    sessionsOf(id, session),
    browsersOf(id, session),
    followedBy(id),
    identitiesOf(id),
  ])
  const namedIdentities = identities.map((each) => ({ ...each, name: providerName(each.issuer) }))
  return presentAccount({ ...user, notifications }, sessions, browsers, follows, namedIdentities)
}

/** The page's data; also for showing a refused form again. */
export async function accountPage(ctx: Context): Promise<Record<string, unknown>> {
  const account = await ownAccount(ctx)
  const kinds = [...new Set(settingsFor(ctx.state.viewer.staff).map((setting) => setting.split('.')[0]!))]
  const selected = allNotificationSettings.filter((setting) => account.notifications[setting])
  return {
    account,
    wanted: selected,
    kinds,
    pushKey: config.webPush?.publicKey ?? null,
    ...(await identityChoices(ctx.state.user!)),
    languageChoices: locales.map((tag) => ({ value: tag, label: texts[tag].name })),
  }
}
