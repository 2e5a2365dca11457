import { z } from 'zod'
import {
  changePassword,
  endOtherSessions,
  endOwnSession,
  updateAccount,
} from '../../actions/accounts/account.js'
import { type NotificationSetting, settingsFor } from '../../domain/accounts/notifications.js'
import { found, NotFound } from '../../domain/system/invalid.js'
import { limits } from '../../domain/system/limits.js'
import { findUser } from '../../models/accounts/listedUser.js'
import { sessionsOf } from '../../models/accounts/session.js'
import { User } from '../../models/accounts/user.js'
import { ownPassword } from '../../pages/accounts/credentials.js'
import { newPassword } from '../../pages/accounts/passwordField.js'
import { presentAccount } from '../../presenters/accounts/account.js'
import { type Locale, locales, texts } from '../../text/index.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { flag, input, line, oneOf, typedIn } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

const own = {
  name: line('name', limits.name),
  locale: oneOf('locale', locales as [Locale, ...Locale[]]),
}
const all = settingsFor(true) as [NotificationSetting, ...NotificationSetting[]]
const choices = Object.fromEntries(all.map((setting) => [setting, flag('setting').optional()])) as Record<
  NotificationSetting,
  z.ZodOptional<z.ZodBoolean>
>

const OwnRequest = z.object({ ...own, notifications: z.object(choices, 'setting_not_boolean') }).partial()
const OwnForm = z.object(own)
/** A form sends the boxes that are ticked, and nothing of the others. */
const ChoicesForm = z.object({ on: z.array(oneOf('setting', all), 'setting_unknown').default([]) })
const PasswordRequest = z.object({
  currentPassword: z
    .string({ error: (issue) => (issue.input === undefined ? 'currentPassword_required' : 'not_text') })
    .min(1, 'currentPassword_required')
    .max(1024, 'password_wrong'),
  password: newPassword,
})

/** A person's own account: what they say of themselves, what they are told, password and sessions (decisions 1.1, 1.2). */
export function accountRoutes(router: AppRouter): void {
  const writes = [allow('account.manage'), throttle('writes'), body()] as const
  const shown = form({ view: 'accounts/account', load: accountPage })

  router.get(both('/account'), allow('account.manage'), async (ctx) => {
    await respond(ctx, {
      data: await ownAccount(ctx),
      view: 'accounts/account',
      extras: () => accountPage(ctx),
    })
  })

  router.patch('/api/account', ...writes, async (ctx) => {
    const { notifications, ...given } = input(ctx, OwnRequest)
    await updateAccount(ctx.state.actor, {
      ...given,
      notifications: notifications && onlyMine(ctx, (setting) => notifications[setting]),
    })
    await respond(ctx, { data: await ownAccount(ctx) })
  })

  router.post('/account', ...writes, shown, async (ctx) => {
    await updateAccount(ctx.state.actor, input(ctx, OwnForm))
    await respond(ctx, { location: '/account', notice: 'saved' })
  })

  router.post('/account/notifications', ...writes, shown, async (ctx) => {
    const { on } = input(ctx, ChoicesForm)
    await updateAccount(ctx.state.actor, { notifications: onlyMine(ctx, (setting) => on.includes(setting)) })
    await respond(ctx, { location: '/account', notice: 'saved' })
  })

  router.post(both('/account/password'), ...writes, shown, async (ctx) => {
    const { currentPassword, password } = input(ctx, PasswordRequest)
    const passwordHash = await ownPassword(ctx, currentPassword)
    await changePassword(ctx.state.actor, { passwordHash, password })
    await respond(ctx, { location: '/account', notice: 'passwordChanged' })
  })

  router.delete('/api/account/sessions', ...writes, endOthers)
  router.post('/account/sessions/end', ...writes, endOthers)
  router.delete('/api/account/sessions/:id', ...writes, endOne)
  router.post('/account/sessions/:id/end', ...writes, endOne)
}

async function endOthers(ctx: Context): Promise<void> {
  await endOtherSessions(ctx.state.actor)
  await respond(ctx, { location: '/account', notice: 'othersSignedOut' })
}

/** How a session is called on its owner's page. */
const publicId = /^[0-9a-f]{16}$/

async function endOne(ctx: Context): Promise<void> {
  const { id = '' } = ctx.params
  if (!publicId.test(id)) throw new NotFound()
  await endOwnSession(ctx.state.actor, id)
  await respond(ctx, { location: '/account', notice: 'sessionEnded' })
}

async function ownAccount(ctx: Context) {
  const { id } = ctx.state.user!
  const user = found(await findUser(id))
  const { notifications } = found(await User.query().findById(id).select('notifications'))
  return presentAccount({ ...user, notifications }, await sessionsOf(id, ctx.state.sessionHash ?? null))
}

/** The page, with what was typed into one of its forms where that was refused. */
async function accountPage(ctx: Context): Promise<Record<string, unknown>> {
  const account = await ownAccount(ctx)
  const kinds = [...new Set(settingsFor(ctx.state.viewer.staff).map((setting) => setting.split('.')[0]!))]
  const { name, locale } = account
  return {
    account,
    kinds,
    languageChoices: locales.map((tag) => ({ value: tag, label: texts[tag].name })),
    values: { name, locale, ...typedIn(ctx) },
  }
}

/** Settings of kinds that are for staff are nothing to anybody else, and ignored like any unknown key. */
function onlyMine(ctx: Context, value: (setting: NotificationSetting) => boolean | undefined) {
  return Object.fromEntries(settingsFor(ctx.state.viewer.staff).map((setting) => [setting, value(setting)]))
}
