import { own } from '../vocabulary/collections.js'
import {
  type ClosingReason,
  reasonNotRepaired,
  type Status,
  statuses,
  statusTone,
} from '../vocabulary/lifecycle.js'
import {
  anonymousName,
  byEmailName,
  erasedName,
  mobileReporterName,
  officeName,
} from '../vocabulary/people/personName.js'
import { cleanLine, excerpt } from '../vocabulary/plainText.js'
import { allDay, type OpeningHours } from '../vocabulary/time/openingHours.js'
import { type Locale, type Text, texts } from './index.js'
import { entryIn } from './ownEntries.js'

/**
 * An incident's status as people read it, and what it means; closed without a repair, both say why
 * (decisions 7.14, 7.18). `reopened`: a resident says that it is not fixed, and staff have not
 * acted.
 */
function statusWords(text: Text, status: Status, closingReason?: ClosingReason | null, reopened = false) {
  if (reopened) return { word: text.notFixed.status, meaning: text.notFixed.meaning }
  const why = reasonNotRepaired(status, closingReason)
  if (why) return { word: text.answers.closedStatus[why], meaning: text.answers.closed[why] }
  return { word: text.status[status], meaning: text.statusMeaning[status] }
}

/** The beginning of a text in one line, where a link leads to the whole. */
function quote(text: string): string {
  return excerpt(cleanLine(text), 160)
}

/** When a contact can be reached, days with the same hours together; empty when not known. */
function hoursWords(
  { openingHours: hours }: Text,
  { hoursWeekdays, hoursSaturday, hoursSunday }: OpeningHours,
): string {
  const times = (text: string) => (text === allDay ? hours.allDay : text.replaceAll('-', '–'))
  const part = (text: string, words: (times: string) => string) => (text === '' ? [] : [words(times(text))])
  if (hoursWeekdays === hoursSaturday && hoursSaturday === hoursSunday)
    return hoursSunday === allDay ? hours.always : part(hoursSunday, hours.everyDay).join('')
  const days =
    hoursSaturday === hoursSunday
      ? [part(hoursWeekdays, hours.weekdays), part(hoursSaturday, hours.weekend)]
      : hoursWeekdays === hoursSaturday
        ? [part(hoursWeekdays, hours.toSaturday), part(hoursSunday, hours.sunday)]
        : [
            part(hoursWeekdays, hours.weekdays),
            part(hoursSaturday, hours.saturday),
            part(hoursSunday, hours.sunday),
          ]
  return days.flat().join(', ')
}

/** A status, why it was closed, and whether a resident says that it is not fixed. */
type Stage = [status: Status, closingReason?: ClosingReason | null, reopened?: boolean]

/** How a page names people and what an incident is going through, in its language. */
export function wordFormat(locale: Locale) {
  const text = texts[locale]
  const ours: Record<string, string> = {
    [anonymousName]: text.anonymous,
    [byEmailName]: text.byEmail,
    [mobileReporterName]: text.inApp,
    [erasedName]: text.deletedPerson,
    [officeName]: text.theOffice,
  }
  const person = (name: string) => own<string>(ours, name) ?? name
  return {
    /** The beginning of what someone wrote, or of an entry of ours in this language. */
    quote: (body: string) => quote(entryIn(locale, body)),
    entry: (body: string) => entryIn(locale, body),
    /** A person's name as JSON has it, translated where it stands for "anonymous" or "by mail". */
    person,
    /** Who reported something; where no one is named, how it came. */
    reporter: (name: string) =>
      name === mobileReporterName || name === byEmailName
        ? person(name)
        : text.incidents.reportedBy(person(name)),
    /** What can be used instead of something that is out of service; empty where nothing can. */
    instead: (names: readonly string[]) => {
      if (names.length > 3) return text.statusPage.insteadMany(names.length)
      return names.length > 0 ? text.statusPage.instead(text.list([...names]), names.length) : ''
    },
    /** The words of a status for people: nothing else prints them. */
    status: (...stage: Stage) => statusWords(text, ...stage).word,
    /** The class of its colour, in `static/css/status.css`; an email has the same. */
    statusTone: (...stage: Stage) => statusTone(...stage),
    statusMeaning: (...stage: Stage) => statusWords(text, ...stage).meaning,
    /** All steps in words, and the one it is at; closed without a repair, that is the last. */
    steps: (...stage: Stage) => {
      const [status, closingReason] = stage
      const steps = reasonNotRepaired(status, closingReason)
        ? statuses.filter((one) => one === status || reasonNotRepaired(one, closingReason) === null)
        : statuses
      const words = steps.map((one) => (one === status ? statusWords(text, ...stage).word : text.status[one]))
      return { words, at: steps.indexOf(status) }
    },
    hours: (of: OpeningHours) => hoursWords(text, of),
    /** Marks a name on what came by email (decision 7.3); empty when the name says so. */
    byEmailMark: (name: string, cameBy: string | undefined) =>
      cameBy === 'email' && name !== byEmailName ? text.source.email : '',
  }
}
