import { type Format, formatFor } from '../../platform/http/format/format.js'
import { publicAddress } from '../../platform/process/config.js'
import { DAY } from '../../vocabulary/time/calendar.js'
import type { PlannedEvent } from '../present/plannedEvents.js'
import type { News } from '../queries/news.js'
import type { StateFile } from '../stateCache.js'
import { escapeMarkup } from './escapeMarkup.js'
import { type FeedSubject, feedSubjectWords } from './feedSubject.js'

/** Entries in a feed, at most. */
const entriesInFeed = 50
/** Days ahead in which planned work is news. */
const newsDays = 30

type Entry = { name: string; path: string; title: string; at: number; published: number; content: string }

/**
 * What is to be told of the building, or of one asset, as Atom (RFC 4287): an entry per incident
 * and per next date of planned work, each under an id that stays. No one is named in it. `now` in
 * epoch ms.
 */
export async function atomFeed(
  subject: FeedSubject,
  news: readonly News[],
  planned: readonly PlannedEvent[],
  now: number,
): Promise<StateFile['write']> {
  const { Feed } = await import('feed')
  const { t, locale, id, title, property } = feedSubjectWords(subject)
  const h = formatFor(locale, property.timezone)
  const entries = [
    ...news.map((each) => newsEntry(each, t, h)),
    ...nextDates(planned, now).map((event) => plannedEntry(event, t, h, now)),
  ]
    .sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1))
    .slice(0, entriesInFeed)
  return (minutesOld) => {
    const feed = new Feed({
      id: id('feed'),
      title: withoutControls(t.feeds.news(title)),
      ...(minutesOld === null ? {} : { description: t.feeds.lastKnown(minutesOld) }),
      link: publicAddress() + (subject.asset ? `/assets/${subject.asset.id}` : '/'),
      feed: `${publicAddress()}${subject.path}/feed.atom`,
      updated: new Date(entries[0]?.at ?? 0),
      author: { name: withoutControls(property.name) },
      language: locale,
      generator: false,
    })
    for (const { name, path, title, at, published, content } of entries)
      feed.addItem({
        id: id(name),
        link: publicAddress() + path,
        title: escapeMarkup(withoutControls(title)),
        date: new Date(at),
        published: new Date(published),
        content,
      })
    return withTextTitles(feed.atom1())
  }
}

/**
 * The library writes titles as HTML in a CDATA section, of which simple readers show the escapes:
 * ours are plain text, escaped once. No `>` of theirs is left that could end the section.
 */
const withTextTitles = (xml: string) =>
  xml.replace(/<title type="html"><!\[CDATA\[([^>]*)\]\]><\/title>/g, '<title type="text">$1</title>')

type Words = ReturnType<typeof feedSubjectWords>['t']

function newsEntry(news: News, t: Words, h: Format): Entry {
  const when = (at: number) => h.moment(new Date(at).toISOString())
  const lines = news.entries.flatMap(({ at, status, closingReason, isReopening, body }) => [
    `<p><strong>${escapeHtml(status ? h.status(status, closingReason, isReopening) : t.ofTheOffice)}</strong>, ${escapeHtml(when(at))}</p>`,
    ...(body ? [`<p>${escapeHtml(body).replaceAll('\n', '<br>')}</p>`] : []),
  ])
  const outages = news.outages.map(({ impact, start, end }) => {
    const span = end ? h.fullRange(new Date(start).toISOString(), new Date(end).toISOString()) : null
    return `<p>${escapeHtml(`${t.feeds.outage[impact]}: ${span ?? t.feeds.since(when(start))}`)}</p>`
  })
  const reported = `<p><strong>${escapeHtml(h.status('open'))}</strong>, ${escapeHtml(when(news.createdAt))}</p>`
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
    .filter(({ start, end }) => end > now && start < now + newsDays * DAY)
    .filter(({ windowId }) => !seen.has(windowId) && seen.add(windowId))
}

function plannedEntry(event: PlannedEvent, t: Words, h: Format, now: number): Entry {
  const { name, assetId, assetName, title, start, end, cancelled, changedAt } = event
  const work = `${t.assetStatus.maintenance}: ${assetName}: ${title}`
  const at = Math.min(now, Math.max(changedAt, start - newsDays * DAY))
  return {
    name,
    path: `/assets/${assetId}`,
    title: cancelled ? t.feeds.cancelled(work) : work,
    at,
    published: at,
    content: `<p>${escapeHtml(h.fullRange(new Date(start).toISOString(), new Date(end).toISOString()))}</p>`,
  }
}

/** Without the characters that XML cannot hold. */
const withoutControls = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

/** As text in HTML, for Atom's `type="html"`; no `>` is left that could end a CDATA section. */
const escapeHtml = (text: string) => escapeMarkup(withoutControls(text)).replaceAll('"', '&quot;')
