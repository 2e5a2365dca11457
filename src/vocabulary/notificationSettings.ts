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
export type KindOf<Setting> = Setting extends `${infer Kind}.${Channel}` ? Kind : never

/** What a setting is about, whichever its channel. */
export type NotificationKind = KindOf<NotificationSetting>

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
