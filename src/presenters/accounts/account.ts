import { settingsFor, wants } from '../../domain/accounts/notifications.js'
import { isStaff } from '../../domain/accounts/permissions.js'
import type { ListedUser } from '../../models/accounts/listedUser.js'
import type { ListedSession } from '../../models/accounts/session.js'
import { deviceOf } from '../../models/accounts/userAgent.js'

/** A person's own account, as only they see it (decision 1.7). Settings of kinds that are not theirs are left out. */
export function presentAccount(
  user: ListedUser & { notifications: Record<string, unknown> },
  sessions: ListedSession[],
) {
  const settings = settingsFor(isStaff(user.role))
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    unitId: user.unitId,
    unitName: user.unitName,
    locale: user.locale,
    secondFactor: user.secondFactor,
    notifications: Object.fromEntries(
      settings.map((setting) => [setting, wants(user.notifications, setting)]),
    ),
    sessions: sessions.map(presentSession),
  }
}

function presentSession({ id, userAgent, createdAt, lastSeenAt, current }: ListedSession) {
  return {
    id,
    ...deviceOf(userAgent),
    current,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }
}
