import { z } from 'zod'
import type { FollowedName } from '../../building/followedNames.js'
import { fromRow, instantText, rowId, shape } from '../../platform/http/json.js'
import type { ListedSession } from '../../platform/http/session/sessionTable.js'
import { deviceOf } from '../../platform/http/session/userAgent.js'
import {
  choiceOf,
  followChoices,
  notificationSettings,
  settingsFor,
  wants,
} from '../../vocabulary/notificationSettings.js'
import { isStaff, roles } from '../../vocabulary/people/permissions.js'
import type { LinkedIdentity } from '../singleSignOn/identities.js'
import type { ListedBrowser } from '../users/devices.js'
import type { UserRow } from '../users/userEntity.js'

const settings = z.enum(Object.keys(notificationSettings) as (keyof typeof notificationSettings)[])

/** `browser` and `system` are guessed. */
const signedInOn = {
  browser: z.string().nullable(),
  system: z.string().nullable(),
  current: z.boolean(),
  createdAt: instantText,
}

const SessionJson = shape('Session', { id: z.string(), ...signedInOn, lastSeenAt: instantText })

/** A browser that is notified of what the person follows. */
export const BrowserJson = shape('Browser', { id: rowId, ...signedInOn })

/** An identity of a provider that signs in to the account. */
const IdentityJson = shape('Identity', {
  id: rowId,
  name: z.string(),
  email: z.string().nullable(),
  createdAt: instantText,
  lastUsedAt: instantText.nullable(),
})

/** Something a person follows by email; all ids are null for the whole building. */
const FollowJson = shape('Follow', {
  id: rowId,
  assetId: rowId.nullable(),
  towerId: rowId.nullable(),
  name: z.string(),
})

/**
 * A person's own account, visible only to them (decision 1.7), without settings for other roles.
 * `followed` sums up those about followed incidents (decision 7.2); null when they are none of the
 * choices.
 */
export const AccountJson = shape('Account', {
  id: rowId,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  unitId: rowId.nullable(),
  unitName: z.string().nullable(),
  locale: z.string().nullable(),
  secondFactor: z.boolean(),
  identities: z.array(IdentityJson),
  notifications: z.partialRecord(settings, z.boolean()),
  followed: z.enum(followChoices).nullable(),
  sessions: z.array(SessionJson),
  browsers: z.array(BrowserJson),
  follows: z.array(FollowJson),
})

export function presentAccount(
  user: UserRow & { notifications: Record<string, unknown> },
  sessions: ListedSession[],
  browsers: ListedBrowser[],
  follows: (FollowedName & { id: number })[],
  identities: (LinkedIdentity & { name: string })[],
): z.output<typeof AccountJson> {
  const theirs = settingsFor(isStaff(user.role))
  return fromRow(AccountJson, {
    ...user,
    identities: identities.map((identity) => fromRow(IdentityJson, identity)),
    notifications: Object.fromEntries(theirs.map((setting) => [setting, wants(user.notifications, setting)])),
    followed: choiceOf(user.notifications, isStaff(user.role)),
    sessions: sessions.map((each) => fromRow(SessionJson, { ...each, ...deviceOf(each.userAgent) })),
    browsers: browsers.map(presentBrowser),
    follows: follows.map((each) => fromRow(FollowJson, each)),
  })
}

export function presentBrowser(row: ListedBrowser): z.output<typeof BrowserJson> {
  return fromRow(BrowserJson, { ...row, ...deviceOf(row.userAgent) })
}
