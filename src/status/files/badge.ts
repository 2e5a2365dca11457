import { type AssetStatus, overallStatus } from '../../vocabulary/assetStatus.js'
import { shorten } from '../../vocabulary/plainText.js'
import { headline } from '../headline.js'
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
/** Pixels beside a text. */
const margin = 8

/**
 * The state of the building, or of one asset, as a small picture (SVG) in its language.
 * `minutesOld`: null for the state of now, else it says how old this is.
 */
export function badge(subject: FeedSubject, minutesOld: number | null): string {
  const { state, asset } = subject
  const { t, locale, title } = feedSubjectWords(subject)
  const status = asset?.status ?? overallStatus(state.summary)
  const statusText = asset ? t.assetStatus[status] : headline(t, state)
  const age = minutesOld === null ? '' : ` ${t.feeds.lastKnown(minutesOld)}`
  const ageLabel = minutesOld === null ? '' : ` · ${t.feeds.minutesAgo(minutesOld)}`
  const name = shorten(asset?.name ?? state.property.name, textLength)
  const statusLabel = shorten(statusText, textLength) + ageLabel
  const left = widthOf(name)
  const right = widthOf(statusLabel)
  const text = (value: string, from: number, wide: number) =>
    `<text x="${from + wide / 2}" y="15" textLength="${wide - 2 * margin}" lengthAdjust="spacingAndGlyphs">${xml(value)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="22" role="img" aria-labelledby="t d" lang="${locale}">`,
    `<title id="t">${xml(`${title}: ${statusText}`)}</title><desc id="d">${xml(`${t.feeds.news(title)}${age && `.${age}`}`)}</desc>`,
    `<rect width="${left}" height="22" fill="${colours.name}"/><rect x="${left}" width="${right}" height="22" fill="${colours[status]}"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="12" text-anchor="middle" aria-hidden="true">`,
    `${text(name, 0, left)}${text(statusLabel, left, right)}</g></svg>`,
  ].join('\n')
}

/** Pixels of the half of the badge that holds the text. */
const widthOf = (text: string) =>
  [...characters.segment(text)].reduce((sum, { segment }) => sum + widthOfCharacter(segment), 2 * margin)

/** Letters with their marks, and pictures that several code points make, count once. */
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

const isPicture = /\p{Emoji_Presentation}|\ufe0f/u
/** Chinese, Japanese and Korean, as wide as high; half-width Japanese letters are not. */
const isWide =
  /(?![\uff61-\uffdc])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
const isInvisible = /^\p{Default_Ignorable_Code_Point}+$/u

/** Pixels of a character at 12 px. */
function widthOfCharacter(character: string): number {
  if (isInvisible.test(character)) return 0
  if (isPicture.test(character)) return 15
  return isWide.test(character) ? 12 : 7
}

const xml = (text: string) => escapeMarkup(text.replace(/\p{Cc}/gu, ' '))
