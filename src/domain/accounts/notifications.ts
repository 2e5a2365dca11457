import { type Followed, type FollowedColumns, readFollowed } from '../mail/followed.js'
import type { EventName } from '../webhooks/events.js'

/**
 * Every notification and its channel (decision 1.7), by the name its setting is stored under, with its
 * default. The account page, the notification SQL and the senders all read this table.
 */
export const notificationSettings = {
  'created.mail': { byDefault: true, for: 'staff' },
  'created.push': { byDefault: true, for: 'everybody' },
  'status.mail': { byDefault: true, for: 'everybody' },
  'status.push': { byDefault: true, for: 'everybody' },
  'escalated.mail': { byDefault: true, for: 'everybody' },
  'escalated.push': { byDefault: true, for: 'everybody' },
  'merged.mail': { byDefault: true, for: 'everybody' },
  'merged.push': { byDefault: true, for: 'everybody' },
  'asset.mail': { byDefault: true, for: 'everybody' },
  'sweep.mail': { byDefault: true, for: 'staff' },
  'digest.mail': { byDefault: true, for: 'staff' },
} as const satisfies Record<`${string}.${Channel}`, { byDefault: boolean; for: 'staff' | 'everybody' }>

export type Channel = 'mail' | 'push'
export type NotificationSetting = keyof typeof notificationSettings

/** The events people are notified of, with the settings for their mail and push. */
export const settingOf = {
  'incident.created': { mail: 'created.mail', push: 'created.push' },
  'incident.status_changed': { mail: 'status.mail', push: 'status.push' },
  'incident.sla_breached': { mail: 'escalated.mail', push: 'escalated.push' },
  'incident.merged': { mail: 'merged.mail', push: 'merged.push' },
} as const satisfies Partial<Record<EventName, Record<Channel, NotificationSetting>>>
export type ToldEvent = keyof typeof settingOf

/**
 * Whether a person with these settings is notified; any value but true or false falls back to the default.
 */
export function wants(settings: Record<string, unknown>, setting: NotificationSetting): boolean {
  const said = settings[setting]
  return typeof said === 'boolean' ? said : notificationSettings[setting].byDefault
}

/** The settings that apply to this person: some are for staff only. */
export function settingsFor(staff: boolean): NotificationSetting[] {
  const all = Object.keys(notificationSettings) as NotificationSetting[]
  return all.filter((setting) => staff || notificationSettings[setting].for === 'everybody')
}

/**
 * What an unsubscribe link turns off: what is followed by mail (several joined by commas), one kind of mail, or
 * every mail.
 */
export type Topic = Followed | `${Followed},${string}` | MailTopic | 'all'

type MailTopic = 'created' | 'status' | 'escalated' | 'merged' | 'asset' | 'sweep' | 'digest'

/** What a topic means: an incident or more to unfollow, or settings to turn off. Null when it is not a topic. */
export function readTopic(
  topic: string,
): { incidentId: number } | { followed: FollowedColumns[] } | { settings: NotificationSetting[] } | null {
  const followed = topic.split(',').map(readFollowed)
  if (followed.every((each) => each !== null)) {
    const [{ incidentId }] = followed as [FollowedColumns]
    return followed.length === 1 && incidentId !== null ? { incidentId } : { followed }
  }
  const settings = mailSettings.filter((setting) => topic === 'all' || setting === `${topic}.mail`)
  return settings.length > 0 ? { settings } : null
}

const mailSettings = (Object.keys(notificationSettings) as NotificationSetting[]).filter((setting) =>
  setting.endsWith('.mail'),
)
