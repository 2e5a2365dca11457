import { requireOwnName } from '../../building/accountNames.js'
import { change } from '../../platform/db/change.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { defined } from '../../vocabulary/collections.js'
import { type NotificationSetting, wants } from '../../vocabulary/notificationSettings.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { lockedSelf } from './lockedUser.js'

type AccountPatch = {
  name?: string | undefined
  locale?: string | undefined
  notifications?: { [Setting in NotificationSetting]?: boolean | undefined } | undefined
}

/**
 * Changes a user's own name, language and notification settings; writes nothing without a
 * difference. Throws ValidationFailed, and NotFound for an erased account.
 */
export async function updateAccount(actor: Actor, patch: AccountPatch): Promise<void> {
  await change(actor, async (c) => {
    const user = await lockedSelf(c)
    const { name = user.name, locale = user.locale } = patch
    const after = defined(patch.notifications ?? {})
    const settings = Object.keys(after) as NotificationSetting[]
    const before = Object.fromEntries(
      settings.map((setting) => [setting, wants(user.notifications, setting)]),
    )
    const changes = changesBetween(
      { name: user.name, locale: user.locale, ...before },
      { name, locale, ...after },
    )
    if (Object.keys(changes).length === 0) return c.noop()
    if (name !== user.name) await requireOwnName(c, user.id, name)
    await c.query(
      'update users set name = $2, locale = $3, notifications = notifications || $4::jsonb where id = $1',
      [user.id, name, locale, JSON.stringify(after)],
    )
    c.audit('user.updated', user.id, changes)
  })
}
