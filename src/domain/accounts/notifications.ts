import { parseId } from '../system/limits.js'
import type { EventName } from '../webhooks/events.js'

/**
 * What a person can be told and how, by the names their settings are kept under, with what holds until they say
 * otherwise (decision 1.7). The whole table: an account page shows it, the SQL of `models/notification.ts` and the
 * senders honour it.
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
  'sweep.mail': { byDefault: true, for: 'staff' },
  'digest.mail': { byDefault: true, for: 'staff' },
} as const satisfies Record<`${string}.${Channel}`, { byDefault: boolean; for: 'staff' | 'everybody' }>

export type Channel = 'mail' | 'push'
export type NotificationSetting = keyof typeof notificationSettings

/** The events people are told of, with the setting that decides about each one's mail and push. */
export const settingOf = {
  'incident.created': { mail: 'created.mail', push: 'created.push' },
  'incident.status_changed': { mail: 'status.mail', push: 'status.push' },
  'incident.sla_breached': { mail: 'escalated.mail', push: 'escalated.push' },
  'incident.merged': { mail: 'merged.mail', push: 'merged.push' },
} as const satisfies Partial<Record<EventName, Record<Channel, NotificationSetting>>>
export type ToldEvent = keyof typeof settingOf

/** Whether somebody with these settings is told; anything but true or false counts as never said. */
export function wants(settings: Record<string, unknown>, setting: NotificationSetting): boolean {
  const said = settings[setting]
  return typeof said === 'boolean' ? said : notificationSettings[setting].byDefault
}

/** The settings that mean something to this person: some kinds are for staff only. */
export function settingsFor(staff: boolean): NotificationSetting[] {
  const all = Object.keys(notificationSettings) as NotificationSetting[]
  return all.filter((setting) => staff || notificationSettings[setting].for === 'everybody')
}

/** What the unsubscribe link of a mail ends: one incident's mails, one kind of mail, or every mail. */
export type Topic = `incident:${number}` | MailTopic | 'all'

type MailTopic = 'created' | 'status' | 'escalated' | 'merged' | 'sweep' | 'digest'

/** What a topic stands for: an incident to unfollow, or the settings to turn off. Null for what is no topic. */
export function readTopic(
  topic: string,
): { incidentId: number } | { settings: NotificationSetting[] } | null {
  const incidentId = parseId(/^incident:(\d+)$/.exec(topic)?.[1])
  if (incidentId !== null) return { incidentId }
  const settings = mailSettings.filter((setting) => topic === 'all' || setting === `${topic}.mail`)
  return settings.length > 0 ? { settings } : null
}

const mailSettings = (Object.keys(notificationSettings) as NotificationSetting[]).filter((setting) =>
  setting.endsWith('.mail'),
)
