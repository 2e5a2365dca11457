import { publicAddress } from '../../platform/process/config.js'
import type { PlannedEvent } from '../present/plannedEvents.js'
import type { StateFile } from '../stateCache.js'
import { type FeedSubject, feedSubjectWords } from './feedSubject.js'

/** Seconds after which calendars ask again. */
const refreshSeconds = 3_600

/**
 * Planned work as a calendar (RFC 5545). Each date is an event of its own, in UTC, under a UID that
 * stays when it is moved: clients differ in what they make of rules with exceptions, and in rules
 * that end a short month early.
 */
export async function calendarFile(
  subject: FeedSubject,
  planned: readonly PlannedEvent[],
): Promise<StateFile['write']> {
  // Loaded with the first calendar.
  const ical = await import('ical-generator')
  return (minutesOld) => writeCalendar(ical, subject, planned, minutesOld)
}

function writeCalendar(
  ical: typeof import('ical-generator'),
  subject: FeedSubject,
  planned: readonly PlannedEvent[],
  minutesOld: number | null,
): string {
  const { t, locale, title, host } = feedSubjectWords(subject)
  const calendar = ical.default({
    name: oneLine(t.feeds.planned(title)),
    prodId: { company: 'Caretaker', product: 'Caretaker', language: locale.toUpperCase() },
    method: ical.ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
    ...(minutesOld === null ? {} : { description: t.feeds.lastKnown(minutesOld) }),
  })
  for (const event of planned) {
    const stamp = new Date(event.changedAt)
    calendar.createEvent({
      id: `${event.name}@${host}`,
      stamp,
      lastModified: stamp,
      sequence: event.sequence,
      start: new Date(event.start),
      end: new Date(event.end),
      summary: oneLine(`${event.assetName}: ${event.title}`),
      location: oneLine(event.towerName),
      url: `${publicAddress()}/assets/${event.assetId}`,
      status: event.cancelled ? ical.ICalEventStatus.CANCELLED : ical.ICalEventStatus.CONFIRMED,
      transparency: ical.ICalEventTransparency.TRANSPARENT,
    })
  }
  return `${calendar.toString()}\r\n`
}

/** Control characters have no place in a value (RFC 5545 §3.1). */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ')
