import { type Followed, type FollowedColumns, readFollowed } from './email/followed.js'

/** The forms of a webhook's body: ours (spec §6), and those that the chats take. */
export const bodyFormats = ['caretaker', 'slack', 'teams'] as const
export type BodyFormat = (typeof bodyFormats)[number]

/** The events in the order of spec §6, each with the name of its subject in the webhook's body. */
export const subjectOf = {
  'incident.created': 'incident',
  'incident.status_changed': 'incident',
  'incident.sla_breached': 'incident',
  'incident.merged': 'incident',
  'asset.status_changed': 'asset',
} as const

/** Events that people are told of and webhooks are not: spec §6 has five (decision 7.2). */
export type InternalEvent = 'incident.commented' | 'incident.reopened'

/**
 * The key, in the stored details of an event, of the follower by email who wrote. Processes of
 * version 1.0.0 (commit bfee6a98) write it and read it, so it keeps the name that it has there.
 */
export const storedEmailFollowerKey = 'mailFollowerId'

export type EventName = keyof typeof subjectOf
export const eventNames = Object.keys(subjectOf) as [EventName, ...EventName[]]

/** The events about an incident, or about an asset. */
type EventAbout<S> = { [E in EventName]: (typeof subjectOf)[E] extends S ? E : never }[EventName]

/** The incident as webhook bodies carry it, at the moment of the event (spec §6 rule 3). */
export type IncidentFact = {
  id: number
  title: string
  severity: string
  status: string
  slaBreached: boolean
  source: string
  assetId: number | null
}

/** The asset as webhook bodies carry it (spec §6 rule 3). */
export type AssetFact = { id: number; name: string; category: string; status: string }

/**
 * An event of a change, with the facts as they then stood. `details` (status before and after, the
 * update) are for our own notifications and never leave by themselves; `occurredAt`: when, if not
 * at the time of the change.
 */
export type DomainEvent = { details?: Record<string, unknown>; occurredAt?: Date } & (
  | { event: EventAbout<'incident'>; incident: IncidentFact }
  | { event: EventAbout<'asset'>; asset: AssetFact }
  | { event: InternalEvent; incident: Pick<IncidentFact, 'id'> }
)

/** The event of a test delivery, to which no one subscribes (decision 4.8). */
export const testEvent = 'webhook.test'

/** Copies the fields of webhook bodies from a row, one by one, so that no person's name gets in. */
export function incidentFact(row: IncidentFact): IncidentFact {
  const { id, title, severity, status, slaBreached, source, assetId } = row
  return { id, title, severity, status, slaBreached, source, assetId }
}

/**
 * Every notification and its channel (decision 1.7), by the name its setting is stored under, and
 * whom it is for. `created`: new reports, which for residents are their own, as a receipt (decision
 * 9.13). Each is on until someone turns it off. The account page, the notification SQL and
 * the senders all read this table.
 */
export const notificationSettings = {
  'created.mail': 'everybody',
  'created.push': 'everybody',
  'status.mail': 'everybody',
  'status.push': 'everybody',
  'comment.mail': 'everybody',
  'comment.push': 'everybody',
  'escalated.mail': 'everybody',
  'escalated.push': 'everybody',
  'merged.mail': 'everybody',
  'merged.push': 'everybody',
  'asset.mail': 'everybody',
  'sweep.mail': 'staff',
  'digest.mail': 'staff',
} as const satisfies Record<`${string}.${Channel}`, 'staff' | 'everybody'>

export type Channel = 'mail' | 'push'
export type NotificationSetting = keyof typeof notificationSettings
type KindOf<Setting> = Setting extends `${infer Kind}.${Channel}` ? Kind : never
/** What a setting is about, whichever its channel. */
export type NotificationKind = KindOf<NotificationSetting>

/**
 * The kinds of email, by the event of their rows in the outbox; `app/emailKinds.ts` says what each
 * is.
 */
export type EmailName =
  | Exclude<EventName, 'asset.status_changed'>
  | InternalEvent
  | 'incident.receipt'
  | 'incident.unmerged'
  | 'incident.handed_over'
  | 'asset.news'
  | 'sweep.report'
  | 'digest'
  | 'account.invited'
  | 'account.reset'
  | 'account.sign_in'
  | 'account.sign_up'
  | 'account.notice'
  | 'mail.received'
  | 'follow.asked'

/** Whether a person with these settings is notified; no value but false turns it off. */
export function wants(settings: Record<string, unknown>, setting: NotificationSetting): boolean {
  return settings[setting] !== false
}

/** The settings that apply to this person: some are for staff only. */
export function settingsFor(staff: boolean): NotificationSetting[] {
  const all = Object.keys(notificationSettings) as NotificationSetting[]
  return all.filter((setting) => staff || notificationSettings[setting] === 'everybody')
}

/** How much a person wants to hear of the incidents they follow (decision 7.2). */
export const followChoices = ['all', 'status', 'nothing'] as const
type FollowChoice = (typeof followChoices)[number]

/** The settings about followed incidents. Staff get new reports as the office, not as followers. */
function followSettings(staff: boolean): NotificationSetting[] {
  const kinds = ['comment', 'status', 'escalated', 'merged', ...(staff ? [] : ['created'])]
  return settingsFor(staff).filter((setting) => kinds.includes(setting.split('.')[0]!))
}

/** The settings that a choice means. `status`: everything but comments. */
export function settingsOfChoice(
  choice: FollowChoice,
  staff: boolean,
): Partial<Record<NotificationSetting, boolean>> {
  const on = (setting: NotificationSetting) =>
    choice === 'all' || (choice === 'status' && !setting.startsWith('comment.'))
  return Object.fromEntries(followSettings(staff).map((setting) => [setting, on(setting)]))
}

/** The choice these settings are; null when they were set one by one to something else. */
export function choiceOf(settings: Record<string, unknown>, staff: boolean): FollowChoice | null {
  const means = (choice: FollowChoice) =>
    Object.entries(settingsOfChoice(choice, staff)).every(
      ([setting, on]) => wants(settings, setting as NotificationSetting) === on,
    )
  return followChoices.find(means) ?? null
}

/**
 * What an unsubscribe link turns off: what is followed by email (several joined by commas), one
 * kind of email, or every email.
 */
export type Topic = Followed | `${Followed},${string}` | EmailTopic | 'all'

export type EmailTopic = KindOf<Extract<NotificationSetting, `${string}.mail`>>

/** What a topic means: incidents to unfollow, or settings to turn off. Null: it is no topic. */
export function readTopic(
  topic: string,
): { incidentId: number } | { followed: FollowedColumns[] } | { settings: NotificationSetting[] } | null {
  const followed = topic.split(',').map(readFollowed)
  if (followed.every((each) => each !== null)) {
    const [{ incidentId }] = followed as [FollowedColumns]
    return followed.length === 1 && incidentId !== null ? { incidentId } : { followed }
  }
  const settings = emailSettings.filter((setting) => topic === 'all' || setting === `${topic}.mail`)
  return settings.length > 0 ? { settings } : null
}

const emailSettings = (Object.keys(notificationSettings) as NotificationSetting[]).filter((setting) =>
  setting.endsWith('.mail'),
)
