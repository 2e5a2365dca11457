import type { EventName, InternalEvent } from '../vocabulary/events.js'
import type { Channel, NotificationSetting } from '../vocabulary/notificationSettings.js'

/**
 * Who is notified of an event, unless their settings refuse it. `staff`: all staff. `followers`:
 * followers with an account or without one. `otherStaff`: staff who are not notified of the same
 * change of status as followers.
 */
type Audience = 'staff' | 'followers' | 'otherStaff'

/**
 * The events people are notified of, with the settings of each (`created.mail` and `created.push`
 * for `created`), and the audience of its emails and of its pushes (spec §4 rule 4). `merged` goes
 * to the duplicate's followers. Inactive users, people who turned the setting off and the person
 * who acted are not notified; the exception is the user of all phones (decision 4.10).
 */
export const notifiedEvents = {
  'incident.created': { setting: 'created', mail: 'staff', push: 'followers' },
  'incident.status_changed': { setting: 'status', mail: 'followers', push: 'followers' },
  'incident.sla_breached': { setting: 'escalated', mail: 'followers', push: 'followers' },
  'incident.merged': { setting: 'merged', mail: 'followers', push: 'followers' },
  'incident.commented': { setting: 'comment', mail: 'followers', push: 'followers' },
  // After “not fixed” alone, to the staff who get new reports: `incident.status_changed`, which
  // comes with it as after any reopening, goes to followers.
  'incident.reopened': { setting: 'created', mail: 'otherStaff', push: 'otherStaff' },
} as const satisfies Partial<
  Record<EventName | InternalEvent, { setting: string } & Record<Channel, Audience>>
>
export type NotifiedEvent = keyof typeof notifiedEvents

/** The setting that turns off the emails or the pushes of an event. */
export function settingOf(event: NotifiedEvent, channel: Channel): NotificationSetting {
  return `${notifiedEvents[event].setting}.${channel}`
}

/**
 * The table above as JSON, which the SQL of `fanOut.ts` reads as the rows of `audiences`: the part
 * of the setting before its channel, and the audience of each channel.
 */
export const audiencesJson = JSON.stringify(
  Object.entries(notifiedEvents).map(([event, audience]) => ({ event, ...audience })),
)
