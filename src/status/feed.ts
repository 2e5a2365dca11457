import { type Format, formatFor } from '../platform/http/format/format.js'
import { config, publicAddress } from '../platform/process/config.js'
import { isLocale, type Locale, texts } from '../text/index.js'
import { type AssetStatus, overallStatus } from '../vocabulary/assetStatus.js'
import { emailHostOf } from '../vocabulary/email/ownEmail.js'
import { shortened } from '../vocabulary/plainText.js'
import { DAY } from '../vocabulary/time/calendar.js'
import { headline } from './headline.js'
import type { AssetState } from './json/assetState.js'
import type { PlannedEvent } from './json/history.js'
import type { BuildingState } from './json/status.js'
import { presentStatusPage } from './json/statusPage.js'
import type { News } from './queries/news.js'

/** Seconds after which calendars ask again. */
const refresh = 3_600

/**
 * Planned work as a calendar (RFC 5545). Each date is an event of its own, in UTC, under a UID that
 * stays when it is moved: clients differ in what they make of rules with exceptions, and in rules
 * that end a short month early.
 */
export async function calendarFile(place: Place, planned: readonly PlannedEvent[]): Promise<string> {
  // Loaded with the first calendar.
  const ical = await import('ical-generator')
  const { t, locale, title, host } = placeWords(place)
  const calendar = ical.default({
    name: oneLine(t.feeds.planned(title)),
    prodId: { company: 'Caretaker', product: 'Caretaker', language: locale.toUpperCase() },
    method: ical.ICalCalendarMethod.PUBLISH,
    ttl: refresh,
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

/** Entries in a feed, and days ahead in which planned work is news. */
const [most, ahead] = [50, 30]

type Entry = { name: string; path: string; title: string; at: number; published: number; content: string }

/**
 * What is to be told of the building, or of one asset, as Atom (RFC 4287): an entry per incident
 * and per next date of planned work, each under an id that stays. No one is named in it. `now` in
 * epoch ms.
 */
export async function atomFeed(
  place: Place,
  news: readonly News[],
  planned: readonly PlannedEvent[],
  now: number,
): Promise<string> {
  const { Feed } = await import('feed')
  const { t, locale, id, title, property } = placeWords(place)
  const h = formatFor(locale, property.timezone)
  const entries = [
    ...news.map((each) => newsEntry(each, t, h)),
    ...nextDates(planned, now).map((event) => plannedEntry(event, t, h, now)),
  ]
    .sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1))
    .slice(0, most)
  const feed = new Feed({
    id: id('feed'),
    title: plain(t.feeds.news(title)),
    link: publicAddress() + (place.asset ? `/assets/${place.asset.id}` : '/'),
    feed: `${publicAddress()}${place.path}/feed.atom`,
    updated: new Date(entries[0]?.at ?? 0),
    author: { name: plain(property.name) },
    language: locale,
    generator: false,
  })
  for (const { name, path, title, at, published, content } of entries)
    feed.addItem({
      id: id(name),
      link: publicAddress() + path,
      title: html(title),
      date: new Date(at),
      published: new Date(published),
      content,
    })
  return feed.atom1()
}

type Words = ReturnType<typeof placeWords>['t']

function newsEntry(news: News, t: Words, h: Format): Entry {
  const when = (at: number) => h.moment(new Date(at).toISOString())
  const lines = news.entries.flatMap(({ at, status, closingReason, isReopening, body }) => [
    `<p><strong>${html(status ? h.status(status, closingReason, isReopening) : t.ofTheOffice)}</strong>, ${html(when(at))}</p>`,
    ...(body ? [`<p>${html(body).replaceAll('\n', '<br>')}</p>`] : []),
  ])
  const outages = news.outages.map(({ impact, start, end }) => {
    const span = end ? h.fullRange(new Date(start).toISOString(), new Date(end).toISOString()) : null
    return `<p>${html(`${t.feeds.outage[impact]}: ${span ?? t.feeds.since(when(start))}`)}</p>`
  })
  const reported = `<p><strong>${html(h.status('open'))}</strong>, ${html(when(news.createdAt))}</p>`
  return {
    name: `incident-${news.id}`,
    path: `/incidents/${news.id}`,
    title: `${news.assetName}: ${news.title}`,
    at: news.updatedAt,
    published: news.createdAt,
    content: [...outages, ...lines, reported].join('\n'),
  }
}

/** Of each window the next date, or a cancelled one before it, that starts in the days ahead. */
function nextDates(planned: readonly PlannedEvent[], now: number): PlannedEvent[] {
  const seen = new Set<number>()
  return planned
    .filter(({ start, end }) => end > now && start < now + ahead * DAY)
    .filter(({ windowId }) => !seen.has(windowId) && seen.add(windowId))
}

function plannedEntry(event: PlannedEvent, t: Words, h: Format, now: number): Entry {
  const { name, assetId, assetName, title, start, end, cancelled, changedAt } = event
  const work = `${t.assetStatus.maintenance}: ${assetName}: ${title}`
  const at = Math.min(now, Math.max(changedAt, start - ahead * DAY))
  return {
    name,
    path: `/assets/${assetId}`,
    title: cancelled ? t.feeds.cancelled(work) : work,
    at,
    published: at,
    content: `<p>${html(h.fullRange(new Date(start).toISOString(), new Date(end).toISOString()))}</p>`,
  }
}

/** Without the characters that XML cannot hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones
const plain = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

/** As text in HTML, for Atom's `type="html"`; no `>` is left that could end a CDATA section. */
const html = (text: string) => escaped(plain(text)).replaceAll('"', '&quot;')

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The building, or one asset (`path` is then its page's), of a feed, a calendar or a badge. */
export type Place = { state: BuildingState; asset: AssetState | null; path: string }

/** The words of the building's language, its name or the asset's, and ids that stay (RFC 4151). */
export function placeWords({ state: { property }, asset, path }: Place) {
  const locale: Locale = isLocale(property.locale) ? property.locale : 'en'
  return {
    t: texts[locale],
    locale,
    property,
    title: asset ? `${asset.name}, ${property.name}` : property.name,
    host: ownHost(),
    id: (name: string) => `tag:${ownHost()},2026:${name === 'feed' ? `feed${path}` : name}`,
  }
}

const ownHost = () => emailHostOf(config.publicUrl, config.email.from)

/** White text on each has a contrast of 4.5 at least (WCAG 1.4.3). */
const colours: Record<AssetStatus | 'name', string> = {
  name: '#33393f',
  operational: '#17692f',
  maintenance: '#1d4f91',
  degraded: '#8a4b00',
  down: '#b3261e',
}
/** Characters of a text on it, and pixels of a character and beside a text. */
const [room, width, margin] = [48, 7, 8]

/** The state of the building, or of one asset, as a small picture (SVG) in its language. */
export function badge(place: Place): string {
  const { state, asset } = place
  const { t, locale, title } = placeWords(place)
  const status = asset?.status ?? overallStatus(state.summary)
  const statusText = asset ? t.assetStatus[status] : headline(t, presentStatusPage(state))
  const [name, words] = [asset?.name ?? state.property.name, statusText].map((words) =>
    shortened(words, room),
  ) as [string, string]
  const [left, right] = [name, words].map((text) => [...text].length * width + 2 * margin) as [number, number]
  const text = (value: string, from: number, wide: number) =>
    `<text x="${from + wide / 2}" y="15" textLength="${wide - 2 * margin}" lengthAdjust="spacingAndGlyphs">${xml(value)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="22" role="img" aria-labelledby="t d" lang="${locale}">`,
    `<title id="t">${xml(`${title}: ${statusText}`)}</title><desc id="d">${xml(t.feeds.news(title))}</desc>`,
    `<rect width="${left}" height="22" fill="${colours.name}"/><rect x="${left}" width="${right}" height="22" fill="${colours[status]}"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="12" text-anchor="middle" aria-hidden="true">`,
    `${text(name, 0, left)}${text(words, left, right)}</g></svg>`,
  ].join('\n')
}

const xml = (text: string) => escaped(text.replace(/\p{Cc}/gu, ' '))
