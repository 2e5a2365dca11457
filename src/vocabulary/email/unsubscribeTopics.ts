import { type KindOf, type NotificationSetting, notificationSettings } from '../notificationSettings.js'
import { type Followed, type FollowedColumns, readFollowed } from './followed.js'

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
