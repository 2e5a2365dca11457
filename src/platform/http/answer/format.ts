import { type Locale, type Text, texts } from '../../../text/index.js'
import type { AssetStatus } from '../../../vocabulary/assetStatus.js'
import { own } from '../../../vocabulary/collections.js'
import { type Status, statuses } from '../../../vocabulary/lifecycle.js'
import { anonymousName, mailName, mobileReporterName } from '../../../vocabulary/people/anonymity.js'
import { erasedName } from '../../../vocabulary/people/erasure.js'
import { type ClosingReason, unrepaired } from '../../../vocabulary/reasons.js'
import { dateIn, wallClock } from '../../../vocabulary/time/calendar.js'
import { asset } from './static.js'

/** How a page prints times, numbers and addresses: in its language and the property's time zone. */
export type Format = ReturnType<typeof makeFormat>

/**
 * One configuration for both major versions of htmx; each ignores the other's keys. No eval, no
 * injected scripts or styles, no page history, and of the errors only 422 is swapped in.
 */
const htmxConfig = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
  refreshOnHistoryMiss: true,
  history: 'reload',
  timeout: 0,
  defaultTimeout: 0,
  responseHandling: [
    { code: '204', swap: false },
    { code: '[23]..', swap: true },
    { code: '422', swap: true },
    { code: '...', swap: false },
  ],
})

/** The state of the building in one sentence, which names the asset when it is only one. */
function headline(text: Text, { overall, summary, towers }: Overview): string {
  if (summary.total === 0) return text.statusPage.empty
  const name = towers.flatMap(({ assets }) => assets).find(({ status }) => status === overall)?.name ?? ''
  return text.statusPage.headline[overall](summary[overall], name)
}

/**
 * An incident's status as people read it, and what it means; closed without a repair, both say why
 * (decisions 7.14, 7.18). `reopened`: a resident says that it is not fixed, and staff have not
 * acted.
 */
function statusWords(text: Text, status: Status, closingReason?: ClosingReason | null, reopened = false) {
  if (reopened) return { word: text.notFixed.status, meaning: text.notFixed.meaning }
  const why = unrepaired(status, closingReason)
  if (why) return { word: text.answers.closedStatus[why], meaning: text.answers.closed[why] }
  return { word: text.status[status], meaning: text.statusMeaning[status] }
}

/**
 * The steps up to an incident's status and after it; one that closed without a repair is the last.
 */
function stepsOf(
  text: Text,
  status: Status,
  closingReason: ClosingReason | null | undefined,
  reopened: boolean | undefined,
) {
  const shown = unrepaired(status, closingReason)
    ? statuses.filter((one) => one === status || unrepaired(one, closingReason) === null)
    : statuses
  return shown.map((one) =>
    one === status ? statusWords(text, one, closingReason, reopened).word : statusWords(text, one).word,
  )
}

type Overview = {
  overall: AssetStatus
  summary: Record<AssetStatus | 'total', number>
  towers: { assets: { name: string; status: AssetStatus }[] }[]
}

const made = new Map<string, Format>()

/**
 * The helpers called `h` in templates; cached per language and zone, because Intl formatters are
 * slow to make.
 */
export function formatFor(locale: Locale, zone: string): Format {
  const key = `${locale} ${zone}`
  const known = made.get(key)
  if (known) return known
  const format = makeFormat(locale, zone)
  made.set(key, format)
  return format
}

/** Minutes in the largest unit that fits. */
function spanOf(minutes: number, { span }: Text['desk']): string {
  if (minutes < 60) return span.minutes(minutes)
  return minutes < 24 * 60 ? span.hours(Math.floor(minutes / 60)) : span.days(Math.floor(minutes / 1440))
}

function makeFormat(locale: Locale, zone: string) {
  const language = locale === 'en' ? 'en-GB' : locale
  const formatter = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: zone, ...options })
  const time = formatter({ hour: '2-digit', minute: '2-digit' })
  const date = formatter({ day: 'numeric', month: 'long', year: 'numeric' })
  const shortDate = formatter({ day: 'numeric', month: 'short' })
  const datedYear = formatter({ day: 'numeric', month: 'short', year: 'numeric' })
  const weekday = formatter({ weekday: 'short', hour: '2-digit', minute: '2-digit' })
  const moment = formatter({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  const wholeDate = formatter({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  /**
   * An instant on a page: today 10:55, within six days Mon 08:12, else 23 Nov, of another year with
   * it.
   */
  const when = (at: string) => {
    const instant = new Date(at)
    const [day, today] = [dateIn(zone, instant.getTime()), dateIn(zone, Date.now())]
    if (day === today) return time.format(instant)
    if (Math.abs(Date.parse(day) - Date.parse(today)) < 7 * 86_400_000)
      return weekday.format(instant).replace(',', '')
    return (day.slice(0, 4) === today.slice(0, 4) ? shortDate : datedYear).format(instant)
  }
  const person = (name: string) => {
    const { anonymous, byEmail, deletedPerson, inApp } = texts[locale]
    const ours: Record<string, string> = {
      [anonymousName]: anonymous,
      [mailName]: byEmail,
      [mobileReporterName]: inApp,
      [erasedName]: deletedPerson,
    }
    return own<string>(ours, name) ?? name
  }
  const calendar = new Intl.DateTimeFormat(language, { timeZone: 'UTC', day: 'numeric', month: 'short' })
  const wholeCalendar = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  const monthName = (options: Intl.DateTimeFormatOptions) => {
    const named = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options })
    return (month: string) => named.format(new Date(`${month}-01T00:00:00Z`))
  }
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const zoneName = formatter({ timeZoneName: 'longGeneric' })
  return {
    asset,
    /** A catalogue text by a name from outside; undefined when there is none. */
    own,
    time: (at: string) => time.format(new Date(at)),
    date: (at: string) => date.format(new Date(at)),
    when,
    /** The whole of an instant, for those who point at what `when` says. */
    fullMoment: (at: string) => wholeDate.format(new Date(at)),
    /** An instant for emails and feeds, which are read on another day. */
    moment: (at: string) => moment.format(new Date(at)),
    /** A calendar date YYYY-MM-DD, which has no zone of its own. */
    day: (day: string) => calendar.format(new Date(`${day}T00:00:00Z`)),
    /** A month YYYY-MM of the calendar: in full, for a narrow column, as one letter. */
    month: monthName({ month: 'long', year: 'numeric' }),
    shortMonth: monthName({ month: 'short' }),
    monthLetter: monthName({ month: 'narrow' }),
    wholeDay: (day: string) => wholeCalendar.format(new Date(`${day}T00:00:00Z`)),
    /** Today in the property's zone, as a date field shows it. */
    today: () => dateIn(zone, Date.now()),
    days: (from: string, to: string) =>
      calendar.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`)),
    /** A phone number as a tel: address. */
    tel: (phone: string) => phone.replace(/[^+\d]/g, ''),
    htmxConfig,
    headline,
    /** Like `range`, with the year: for dates someone is about to decide on. */
    span: (from: string, to: string) => wholeDate.formatRange(new Date(from), new Date(to)),
    range: (from: string, to: string) => moment.formatRange(new Date(from), new Date(to)),
    zone:
      zone === 'UTC'
        ? 'UTC'
        : (zoneName.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? zone),
    /** An instant as a datetime-local field shows it, on the property's wall clock. */
    localInput: (at: string) => {
      const { year, month, day, hour, minute } = wallClock(zone, Date.parse(at))
      const two = (n: number) => String(n).padStart(2, '0')
      return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`
    },
    /** Time left until an instant, or past it, in the largest unit that fits. `now` in epoch ms. */
    timeLeft: (until: string, now: number, words: Text['desk']) => {
      const left = Date.parse(until) - now
      const minutes = Math.floor(Math.abs(left) / 60_000)
      const { due } = words
      const text = spanOf(minutes, words)
      return { over: left < 0, text: left < 0 ? due.over(text) : due.left(text) }
    },
    /** How long ago an instant was, in the largest unit that fits. `now` in epoch ms. */
    ago: (at: string, now: number, words: Text['desk']) =>
      words.ago(spanOf(Math.max(0, Math.floor((now - Date.parse(at)) / 60_000)), words)),
    /** A field's name in the audit log: `resolvedAt` reads `Resolved at`. */
    fieldName: (name: string) => {
      const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
      return words.charAt(0).toUpperCase() + words.slice(1)
    },
    /** A person's name as JSON has it, translated where it stands for "anonymous" or "by mail". */
    person,
    /** Who reported something; where no one is named, how it came. */
    reporter: (name: string) => {
      const { incidents, byEmail, inApp } = texts[locale]
      if (name === mobileReporterName) return inApp
      return name === mailName ? byEmail : incidents.reportedBy(person(name))
    },
    /** The words of a status for people: nothing else prints them. */
    status: (status: Status, closingReason?: ClosingReason | null, reopened?: boolean) =>
      statusWords(texts[locale], status, closingReason, reopened).word,
    statusMeaning: (status: Status, closingReason?: ClosingReason | null, reopened?: boolean) =>
      statusWords(texts[locale], status, closingReason, reopened).meaning,
    /** What an incident goes through, in words, and how far it is. */
    steps: (status: Status, closingReason?: ClosingReason | null, reopened?: boolean) => {
      const words = stepsOf(texts[locale], status, closingReason, reopened)
      return { words, at: words.indexOf(statusWords(texts[locale], status, closingReason, reopened).word) }
    },
    /**
     * Marks a name on things that came by email (decision 7.3); empty when the name already says
     * so.
     */
    mailMark: (name: string, cameBy: string | undefined) =>
      cameBy === 'email' && name !== mailName ? texts[locale].source.email : '',
    /** Two decimals, like the JSON, in the notation of this language. */
    percent: (decimals: string) => percent.format(Number(decimals)),
    number: (n: number) => number.format(n),
    /** An amount as people type it: two decimals, no currency. */
    plainNumber: (n: number) => new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(n),
    /** Cents (hundredths of any currency) as money. */
    money: (cents: number, currency: string) =>
      new Intl.NumberFormat(language, { style: 'currency', currency }).format(cents / 100),
    /** A query string of the values that are set; empty when none is. */
    query: (values: Record<string, unknown>) => {
      const set = Object.entries(values).filter(
        ([, value]) => value !== undefined && value !== '' && value !== null,
      )
      const query = new URLSearchParams(set.map(([name, value]): [string, string] => [name, String(value)]))
      return set.length > 0 ? `?${query}` : ''
    },
  }
}
