import { type Locale, texts } from '../../../text/index.js'
import { DAY, dateIn, isRepeated, wallClock } from '../../../vocabulary/time/calendar.js'
import { type OpeningHours, reachableAt } from '../../../vocabulary/time/openingHours.js'

/** The language of times and numbers: English as it is written in Europe. */
export const languageOf = (locale: Locale): string => (locale === 'en' ? 'en-GB' : locale)

/** Minutes in words, in the largest unit that fits. */
function spanOf(minutes: number, locale: Locale): string {
  const { span } = texts[locale].times
  if (minutes < 60) return span.minutes(minutes)
  return minutes < 24 * 60 ? span.hours(Math.floor(minutes / 60)) : span.days(Math.floor(minutes / 1440))
}

/** A calendar date YYYY-MM-DD as an instant, for a formatter of UTC. */
const atMidnight = (day: string) => new Date(`${day}T00:00:00Z`)

const yearIn = (zone: string, at: number) => dateIn(zone, at).slice(0, 4)

/** The parts of a day after which people name a deadline, by the hour that ends them. */
const dayParts = [
  ['morning', 12],
  ['afternoon', 18],
  ['evening', 21],
  ['night', 24],
] as const

const nightEnds = 6

/**
 * What Intl prints, from its parts. Its Spanish patterns differ from one another in the comma after
 * a weekday and in the zero before an hour: we write mié 25 nov, 08:00 everywhere.
 */
function spelled(locale: Locale, parts: { type: string; value: string }[]): string {
  if (locale !== 'es') return parts.map(({ value }) => value).join('')
  const written = parts.map(({ type, value }, i) => {
    if (type === 'hour') return value.padStart(2, '0')
    return type === 'literal' && parts[i - 1]?.type === 'weekday' ? value.replace(',', '') : value
  })
  return written.join('')
}

/** Prints instants, and spans of two. */
type ClockFormat = { format: (at: Date) => string; formatRange: (from: Date, to: Date) => string }

/** How a page prints times and days, in its language and the property's time zone. */
export function timeFormat(locale: Locale, zone: string) {
  const language = languageOf(locale)
  // Made when first used: each takes milliseconds, and a page needs three of them.
  const formatter = (options: Intl.DateTimeFormatOptions, timeZone = zone) => {
    let made: Intl.DateTimeFormat | null = null
    return () => (made ??= new Intl.DateTimeFormat(language, { timeZone, ...options }))
  }
  const clock = { hour: '2-digit', minute: '2-digit' } as const
  const timeWithOffset = formatter({ ...clock, timeZoneName: 'short' })
  const isAmbiguous = (at: Date) => isRepeated(zone, at.getTime())
  /** Prints a clock, with the offset in an hour that this zone's clock shows twice: 01:30 BST. */
  const clockFormatter = (options: Intl.DateTimeFormatOptions): ClockFormat => {
    const usual = formatter({ ...options, ...clock })
    const withOffset = formatter({ ...options, ...clock, timeZoneName: 'short' })
    const format = (at: Date) => spelled(locale, (isAmbiguous(at) ? withOffset() : usual()).formatToParts(at))
    const formatRange = (from: Date, to: Date) => {
      if (!isAmbiguous(from) && !isAmbiguous(to)) return spelled(locale, usual().formatRangeToParts(from, to))
      // Intl would print one time where both ends read the same.
      const isSameDay = dateIn(zone, from.getTime()) === dateIn(zone, to.getTime())
      const end = isSameDay ? timeWithOffset() : withOffset()
      const [first, last] = [withOffset().formatToParts(from), end.formatToParts(to)]
      return `${spelled(locale, first)} – ${spelled(locale, last)}`
    }
    return { format, formatRange }
  }
  const dayAndMonth = { day: 'numeric', month: 'short' } as const
  const year = { year: 'numeric' } as const
  const time = clockFormatter({})
  const date = formatter({ day: 'numeric', month: 'long', ...year })
  const shortDate = formatter(dayAndMonth)
  const datedYear = formatter({ ...dayAndMonth, ...year })
  const weekday = clockFormatter({ weekday: 'short' })
  const moment = clockFormatter({ weekday: 'short', ...dayAndMonth })
  const wholeDate = clockFormatter({ weekday: 'short', ...dayAndMonth, ...year })
  const isThisYear = (at: Date) => yearIn(zone, at.getTime()) === yearIn(zone, Date.now())
  /** Today 10:55, within six days Mon 08:12, else 23 Nov, with the year where it is another. */
  const when = (at: string) => {
    const instant = new Date(at)
    const [day, today] = [dateIn(zone, instant.getTime()), dateIn(zone, Date.now())]
    if (day === today) return time.format(instant)
    if (Math.abs(Date.parse(day) - Date.parse(today)) < 7 * DAY)
      return weekday.format(instant).replace(',', '')
    return (isThisYear(instant) ? shortDate() : datedYear()).format(instant)
  }
  const weekdayAndDate = formatter({ weekday: 'short', ...dayAndMonth })
  const deadline = (at: string, isToTheMinute: boolean) => {
    const words = texts[locale].times.deadline
    if (isToTheMinute) return words.moment(when(at))
    const [day, today] = [dateIn(zone, Date.parse(at)), dateIn(zone, Date.now())]
    const daysAhead = (Date.parse(day) - Date.parse(today)) / DAY
    const { hour } = wallClock(zone, Date.parse(at))
    // People call the first hours of tomorrow tonight.
    if (daysAhead === 1 && hour < nightEnds) return words.today.night
    const [part] = dayParts.find(([, end]) => hour < end)!
    if (daysAhead === 0) return words.today[part]
    if (daysAhead === 1) return words.tomorrow[part]
    return words.moment(spelled(locale, weekdayAndDate().formatToParts(new Date(at))))
  }
  const calendar = formatter(dayAndMonth, 'UTC')
  const wholeCalendar = formatter({ ...dayAndMonth, ...year }, 'UTC')
  const weekdayOfDate = formatter({ weekday: 'long', day: 'numeric', month: 'long' }, 'UTC')
  const monthName = (options: Intl.DateTimeFormatOptions) => {
    const monthFormat = formatter(options, 'UTC')
    return (month: string) => monthFormat().format(new Date(`${month}-01T00:00:00Z`))
  }
  const zoneName = formatter({ timeZoneName: 'longGeneric' })
  return {
    /** The time of day of an instant, without its date. */
    time: (at: string) => time.format(new Date(at)),
    /** The date of an instant with its year, without a time. */
    date: (at: string) => date().format(new Date(at)),
    when,
    /** Until when something is promised: in words such as `tomorrow night`, or to the minute. */
    deadline,
    /** The whole of an instant, for those who point at what `when` says. */
    fullMoment: (at: string) => wholeDate.format(new Date(at)),
    /** An instant for emails and feeds, read on another day; with the year where it is another. */
    moment: (at: string) => {
      const instant = new Date(at)
      return (isThisYear(instant) ? moment : wholeDate).format(instant)
    },
    /** A calendar date YYYY-MM-DD, which has no zone of its own. */
    day: (day: string) => calendar().format(new Date(`${day}T00:00:00Z`)),
    /** A month YYYY-MM of the calendar: in full, for a narrow column, as one letter. */
    month: monthName({ month: 'long', year: 'numeric' }),
    shortMonth: monthName({ month: 'short' }),
    monthLetter: monthName({ month: 'narrow' }),
    /** As `day`, with the year. */
    wholeDay: (day: string) => wholeCalendar().format(new Date(`${day}T00:00:00Z`)),
    /** Whether someone with these hours can be reached now; null where they are not known. */
    isReachable: (hours: OpeningHours) => reachableAt(hours, zone, Date.now()).isOpen,
    /** Today in the property's zone, as a date field shows it. */
    today: () => dateIn(zone, Date.now()),
    /** Two calendar dates YYYY-MM-DD, without the year. */
    days: (from: string, to: string) =>
      calendar().formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`)),
    /** One calendar date or two, without the year, and in full. */
    dayRange: (from: string, to: string) => calendar().formatRange(atMidnight(from), atMidnight(to)),
    wholeDays: (from: string, to: string) => wholeCalendar().formatRange(atMidnight(from), atMidnight(to)),
    /** A calendar date with its weekday. */
    weekday: (day: string) => spelled(locale, weekdayOfDate().formatToParts(atMidnight(day))),
    /** Two instants with weekday, date and year, for someone who is about to decide on them. */
    fullRange: (from: string, to: string) => wholeDate.formatRange(new Date(from), new Date(to)),
    /** Two instants with weekday and date, and the year where one of them is in another. */
    range: (from: string, to: string) => {
      const ends = [new Date(from), new Date(to)] as const
      return (ends.every(isThisYear) ? moment : wholeDate).formatRange(...ends)
    },
    /** The name of the property's time zone, such as `Central European Time`. */
    zone:
      zone === 'UTC'
        ? 'UTC'
        : (zoneName()
            .formatToParts(0)
            .find(({ type }) => type === 'timeZoneName')?.value ?? zone),
    /** An instant as a datetime-local field shows it, on the property's wall clock. */
    localInput: (at: string) => {
      const { year, month, day, hour, minute } = wallClock(zone, Date.parse(at))
      const two = (n: number) => String(n).padStart(2, '0')
      return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`
    },
    /** Time left until an instant, or past it, in the largest unit that fits. `now` in epoch ms. */
    timeLeft: (until: string, now: number) => {
      const left = Date.parse(until) - now
      const { due } = texts[locale].times
      const span = spanOf(Math.floor(Math.abs(left) / 60_000), locale)
      return { over: left < 0, text: left < 0 ? due.over(span) : due.left(span) }
    },
    /** How long ago an instant was, in the largest unit that fits. `now` in epoch ms. */
    ago: (at: string, now: number) => {
      const minutes = Math.floor((now - Date.parse(at)) / 60_000)
      return texts[locale].times.ago(spanOf(Math.max(0, minutes), locale))
    },
  }
}
