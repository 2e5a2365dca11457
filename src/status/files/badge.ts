import { type AssetStatus, overallStatus } from '../../vocabulary/assetStatus.js'
import { shorten } from '../../vocabulary/plainText.js'
import { headline } from '../headline.js'
import { presentStatusPage } from '../present/statusPage.js'
import { escapeMarkup } from './escapeMarkup.js'
import { type FeedSubject, feedSubjectWords } from './feedSubject.js'

/** White text on each has a contrast of 4.5 at least (WCAG 1.4.3). */
const colours: Record<AssetStatus | 'name', string> = {
  name: '#33393f',
  operational: '#17692f',
  maintenance: '#1d4f91',
  degraded: '#8a4b00',
  down: '#b3261e',
}
/** Characters of a text on the badge, at most. */
const textLength = 48
/** Pixels of a character, and beside a text. */
const characterWidth = 7
const margin = 8

/** The state of the building, or of one asset, as a small picture (SVG) in its language. */
export function badge(subject: FeedSubject): string {
  const { state, asset } = subject
  const { t, locale, title } = feedSubjectWords(subject)
  const status = asset?.status ?? overallStatus(state.summary)
  const statusText = asset ? t.assetStatus[status] : headline(t, presentStatusPage(state))
  const name = shorten(asset?.name ?? state.property.name, textLength)
  const statusLabel = shorten(statusText, textLength)
  const left = widthOf(name)
  const right = widthOf(statusLabel)
  const text = (value: string, from: number, wide: number) =>
    `<text x="${from + wide / 2}" y="15" textLength="${wide - 2 * margin}" lengthAdjust="spacingAndGlyphs">${xml(value)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="22" role="img" aria-labelledby="t d" lang="${locale}">`,
    `<title id="t">${xml(`${title}: ${statusText}`)}</title><desc id="d">${xml(t.feeds.news(title))}</desc>`,
    `<rect width="${left}" height="22" fill="${colours.name}"/><rect x="${left}" width="${right}" height="22" fill="${colours[status]}"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="12" text-anchor="middle" aria-hidden="true">`,
    `${text(name, 0, left)}${text(statusLabel, left, right)}</g></svg>`,
  ].join('\n')
}

/** Pixels of the half of the badge that holds the text. */
const widthOf = (text: string) => [...text].length * characterWidth + 2 * margin

const xml = (text: string) => escapeMarkup(text.replace(/\p{Cc}/gu, ' '))
