import { z } from 'zod'
import { followedBy } from '../../building/followedNames.js'
import type { Context } from '../../platform/http/context.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import { both, localPath } from '../../platform/http/paths.js'
import { noContent, page } from '../../platform/http/route/answerContent.js'
import { emptyBody, partial } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { keepLocale, noteChoice } from '../../platform/http/session/language.js'
import { sessionsOf } from '../../platform/http/session/sessionTable.js'
import { config } from '../../platform/process/config.js'
import { type Locale, locales, texts } from '../../text/index.js'
import {
  followChoices,
  type NotificationSetting,
  settingsFor,
  settingsOfChoice,
} from '../../vocabulary/events.js'
import { flag, oneOf, trimmedText } from '../../vocabulary/inputRules.js'
import { limits } from '../../vocabulary/limits.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { ownPassword, passwordIsClosed } from '../signIn/credentials.js'
import { identitiesOf } from '../singleSignOn/identities.js'
import { browsersOf } from '../users/devices.js'
import { longestComparedPassword, newPassword } from '../users/passwords.js'
import { updateAccount } from '../users/updateAccount.js'
import { User } from '../users/user.js'
import { findUser } from '../users/userEntity.js'
import { AccountJson, presentAccount } from './json.js'
import { changePassword, endOtherSessions, endOwnSession } from './ownAccount.js'

/**
 * What the account page offers: linking to the configured provider, and ending a link when a
 * password stays.
 */
async function identityChoices(user: CurrentUser): Promise<{ mayLink: boolean; mayUnlink: boolean }> {
  const identities = await identitiesOf(user.id)
  const mayLink = config.singleSignOn !== null && !identities.some(({ issuer }) => isConfigured(issuer))
  if (identities.length === 0) return { mayLink, mayUnlink: false }
  const stored = await User.query().findById(user.id).select('passwordHash')
  const hasPassword = (stored?.passwordHash ?? null) !== null
  return { mayLink, mayUnlink: hasPassword && !(await passwordIsClosed(user)) }
}

/** What people call the provider. */
function nameOf(issuer: string): string {
  return isConfigured(issuer) ? config.singleSignOn!.name : new URL(issuer).hostname
}

function isConfigured(issuer: string): boolean {
  const configured = config.singleSignOn?.issuer
  return configured !== undefined && new URL(configured).href === new URL(issuer).href
}

const locale = oneOf('locale', locales as [Locale, ...Locale[]])
const own = { name: trimmedText('name', limits.name), locale }
const all = settingsFor(true) as [NotificationSetting, ...NotificationSetting[]]
const choices = Object.fromEntries(all.map((setting) => [setting, flag('setting').optional()])) as Record<
  NotificationSetting,
  z.ZodOptional<z.ZodBoolean>
>

const followed = { followed: oneOf('setting', followChoices) }

const OwnRequest = z
  .object({ ...own, notifications: z.object(choices, 'setting_not_boolean'), ...followed })
  .meta({ id: 'AccountChange' })
const OwnForm = z.object(own)
const FollowedForm = z.object(followed)
/** A form sends only the boxes that are selected. */
const ChoicesForm = z.object({ on: z.array(oneOf('setting', all), 'setting_unknown').default([]) })
const PasswordRequest = z
  .object({
    currentPassword: z
      .string({ error: (issue) => (issue.input === undefined ? 'currentPassword_required' : 'not_text') })
      .min(1, 'currentPassword_required')
      .max(longestComparedPassword, 'password_wrong'),
    password: newPassword,
  })
  .meta({ id: 'PasswordRequest' })

/** The public id of a session on its owner's page. */
const sessionId = z.string().regex(/^[0-9a-f]{16}$/)

/** What changes one's account in acts of their own, or by an admin alone. */
const movedFields = {
  password: 'POST /api/account/password (password)',
  currentPassword: 'POST /api/account/password (currentPassword)',
  endpoint: 'POST /api/account/browsers (endpoint)',
  p256dh: 'POST /api/account/browsers (p256dh)',
  auth: 'POST /api/account/browsers (auth)',
  serverKey: 'POST /api/account/browsers (serverKey)',
  email: 'PATCH /api/admin/users/:id (email)',
  role: 'PATCH /api/admin/users/:id (role)',
} as const

const permission = 'account.manage'
const writing = { permission, throttle: 'writes', answer: noContent } as const
const formCalled = (name: string) => ({ view: 'accounts/account', name, load: accountPage })

/** A person's own account: profile, notifications, password and sessions (decisions 1.1, 1.2). */
export const accountRoutes = [
  route({
    method: 'get',
    paths: both('/account'),
    group: 'account',
    summary: 'Your account with its sessions.',
    permission,
    query: z.object({
      tab: z.string().optional().catch(undefined),
      sessions: z.literal('all').optional().catch(undefined),
    }),
    answer: AccountJson,
    handle: async ({ ctx, query: { tab, sessions } }) => ({
      data: await ownAccount(ctx),
      view: 'accounts/account',
      extras: async () => ({ ...(await accountPage(ctx)), tab, allSessions: sessions === 'all' }),
    }),
  }),

  route({
    method: 'patch',
    paths: '/api/account',
    group: 'account',
    summary: 'Changes the fields of your account that are sent.',
    permission,
    throttle: 'writes',
    body: partial(OwnRequest),
    movedFields,
    answer: AccountJson,
    handle: async ({ ctx, body: { notifications = {}, followed: choice, ...patch }, actor }) => {
      const meant = choice && settingsOfChoice(choice, ctx.state.viewer.staff)
      const single = onlyMine(ctx, (setting) => notifications[setting] ?? meant?.[setting])
      await updateAccount(actor, { ...patch, notifications: single })
      return { data: await ownAccount(ctx) }
    },
  }),

  route({
    ...writing,
    method: 'post',
    paths: '/account',
    summary: 'Changes your name and language from a form.',
    body: OwnForm,
    form: formCalled('about'),
    handle: async ({ body, actor }) => {
      await updateAccount(actor, body)
      return { location: '/account', notice: 'saved' }
    },
  }),

  route({
    ...writing,
    method: 'post',
    paths: '/account/followed',
    summary: 'Sets which updates you get about incidents you follow, from a form.',
    body: FollowedForm,
    form: formCalled('followed'),
    handle: async ({ ctx, body, actor }) => {
      const notifications = settingsOfChoice(body.followed, ctx.state.viewer.staff)
      await updateAccount(actor, { notifications })
      return { location: '/account?tab=notifications', notice: 'saved' }
    },
  }),

  route({
    ...writing,
    method: 'post',
    paths: '/account/notifications',
    summary: 'Changes your notifications from a form.',
    body: ChoicesForm,
    form: formCalled('notifications'),
    handle: async ({ ctx, body: { on }, actor }) => {
      await updateAccount(actor, { notifications: onlyMine(ctx, (setting) => on.includes(setting)) })
      return { location: '/account?tab=notifications', notice: 'saved' }
    },
  }),

  route({
    ...writing,
    method: 'post',
    paths: both('/account/password'),
    group: 'account',
    summary: 'Changes your password and ends all your other sessions.',
    body: PasswordRequest,
    form: formCalled('password'),
    handle: async ({ ctx, body: { currentPassword, password }, actor }) => {
      const passwordHash = await ownPassword(ctx, currentPassword)
      await changePassword(actor, { passwordHash, password })
      return { location: '/account?tab=security', notice: 'passwordChanged' }
    },
  }),

  ...routePair({
    ...writing,
    method: 'delete',
    paths: '/api/account/sessions',
    group: 'account',
    fromForm: '/account/sessions/end',
    summary: 'Ends all your other sessions.',
    body: emptyBody,
    handle: async ({ actor }) => {
      await endOtherSessions(actor)
      return { location: '/account?tab=security', notice: 'othersSignedOut' }
    },
  }),

  ...routePair({
    ...writing,
    method: 'delete',
    paths: '/api/account/sessions/:id',
    group: 'account',
    fromForm: '/account/sessions/:id/end',
    summary: 'Ends one of your sessions.',
    params: { id: sessionId },
    body: emptyBody,
    handle: async ({ params, actor }) => {
      await endOwnSession(actor, params.id)
      return { location: '/account?tab=security', notice: 'sessionEnded' }
    },
  }),
]

const ownAccount = (ctx: Context) => accountOf(ctx.state.user!.id, ctx.state.session?.hash ?? null)

/** A person's account; `mine`: the hash of the session it is read in. Throws NotFound. */
export async function accountOf(id: number, mine: Buffer | null) {
  const user = orNotFound(await findUser(id))
  const { notifications } = orNotFound(await User.query().findById(id).select('notifications'))
  const [sessions, browsers, follows, identities] = await Promise.all([
    sessionsOf(id, mine),
    browsersOf(id, mine),
    followedBy(id),
    identitiesOf(id),
  ])
  const namedIdentities = identities.map((each) => ({ ...each, name: nameOf(each.issuer) }))
  return presentAccount({ ...user, notifications }, sessions, browsers, follows, namedIdentities)
}

/** The page's data; also for showing a refused form again. */
export async function accountPage(ctx: Context): Promise<Record<string, unknown>> {
  const account = await ownAccount(ctx)
  const kinds = [...new Set(settingsFor(ctx.state.viewer.staff).map((setting) => setting.split('.')[0]!))]
  const wanted = all.filter((setting) => account.notifications[setting])
  return {
    account,
    wanted,
    kinds,
    pushKey: config.webPush?.publicKey ?? null,
    ...(await identityChoices(ctx.state.user!)),
    languageChoices: locales.map((tag) => ({ value: tag, label: texts[tag].name })),
  }
}

/** Settings for staff are ignored for everyone else, like unknown keys. */
function onlyMine(ctx: Context, value: (setting: NotificationSetting) => boolean | undefined) {
  return Object.fromEntries(settingsFor(ctx.state.viewer.staff).map((setting) => [setting, value(setting)]))
}

const Choice = z.object({ locale, next: z.string().optional() })

/** The language switcher in the footer of every page. */
export const languageRoutes = [
  // A link, because guests' pages are cached for all and hold no form token; it changes this
  // browser only.
  route({
    method: 'get',
    paths: '/language',
    summary: 'Sets the language of this browser.',
    permission: 'page.read',
    query: Choice,
    answer: page,
    handle: ({ ctx, query: { locale, next } }) => {
      keepLocale(ctx, locale)
      if (!ctx.state.user) noteChoice(ctx, locale)
      return { location: localPath(next) ?? '/' }
    },
  }),

  route({
    method: 'post',
    paths: '/language',
    summary: 'Sets the language of this browser and your account.',
    permission: 'language.choose',
    throttle: 'writes',
    body: Choice,
    answer: noContent,
    handle: async ({ ctx, body: { locale, next }, actor }) => {
      keepLocale(ctx, locale)
      await updateAccount(actor, { locale })
      return { location: localPath(next) ?? '/' }
    },
  }),
]
