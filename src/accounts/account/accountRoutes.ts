import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { both } from '../../platform/http/paths.js'
import { noContent } from '../../platform/http/route/answerContent.js'
import { emptyBody, partial } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { flag, oneOf, trimmedText } from '../../vocabulary/inputRules.js'
import { limits } from '../../vocabulary/limits.js'
import {
  followChoices,
  type NotificationSetting,
  settingsFor,
  settingsOfChoice,
} from '../../vocabulary/notificationSettings.js'
import { ownPassword } from '../signIn/credentials.js'
import { longestComparedPassword, newPassword } from '../users/passwords.js'
import { updateAccount } from '../users/updateAccount.js'
import { accountPage, allNotificationSettings, ownAccount } from './accountPage.js'
import { AccountJson } from './json.js'
import { localeField } from './languageRoutes.js'
import { changePassword, endOtherSessions, endOwnSession } from './ownAccount.js'

const profile = { name: trimmedText('name', limits.name), locale: localeField }

const settingFields = Object.fromEntries(
  allNotificationSettings.map((setting) => [setting, flag('setting').optional()]),
) as Record<NotificationSetting, z.ZodOptional<z.ZodBoolean>>

const followField = { followed: oneOf('setting', followChoices) }

const AccountRequest = z
  .object({ ...profile, notifications: z.object(settingFields, 'setting_not_boolean'), ...followField })
  .meta({ id: 'AccountChange' })
const ProfileForm = z.object(profile)
const FollowedForm = z.object(followField)

/** A form sends only the boxes that are selected. */
const ChoicesForm = z.object({
  on: z.array(oneOf('setting', allNotificationSettings), 'setting_unknown').default([]),
})
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
const sharedByChanges = { permission, throttle: 'writes', answer: noContent } as const
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
    body: partial(AccountRequest),
    movedFields,
    answer: AccountJson,
    handle: async ({ ctx, body: { notifications = {}, followed: choice, ...patch }, actor }) => {
      const chosen = choice && settingsOfChoice(choice, ctx.state.viewer.staff)
      const settings = allowedSettings(ctx, (setting) => notifications[setting] ?? chosen?.[setting])
      await updateAccount(actor, { ...patch, notifications: settings })
      return { data: await ownAccount(ctx) }
    },
  }),

  route({
    ...sharedByChanges,
    method: 'post',
    paths: '/account',
    summary: 'Changes your name and language from a form.',
    body: ProfileForm,
    form: formCalled('about'),
    handle: async ({ body, actor }) => {
      await updateAccount(actor, body)
      return { location: '/account', notice: 'saved' }
    },
  }),

  route({
    ...sharedByChanges,
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
    ...sharedByChanges,
    method: 'post',
    paths: '/account/notifications',
    summary: 'Changes your notifications from a form.',
    body: ChoicesForm,
    form: formCalled('notifications'),
    handle: async ({ ctx, body: { on }, actor }) => {
      await updateAccount(actor, { notifications: allowedSettings(ctx, (setting) => on.includes(setting)) })
      return { location: '/account?tab=notifications', notice: 'saved' }
    },
  }),

  route({
    ...sharedByChanges,
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
    ...sharedByChanges,
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
    ...sharedByChanges,
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

/** Settings for staff are ignored for everyone else, like unknown keys. */
function allowedSettings(ctx: Context, value: (setting: NotificationSetting) => boolean | undefined) {
  return Object.fromEntries(settingsFor(ctx.state.viewer.staff).map((setting) => [setting, value(setting)]))
}
