import { formatFor } from '../platform/http/answer/format.js'
import { type AssetStatus, overallStatus } from '../vocabulary/assetStatus.js'
import { presentStatusPage } from './json/statusPage.js'
import { type Place, placeWords } from './place.js'

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

/**
 * The state of the building, or of one asset, as a small picture (SVG) in the building's language.
 */
export function badge(place: Place): string {
  const { state, asset } = place
  const { t, locale, title } = placeWords(place)
  const status = asset?.status ?? overallStatus(state.summary)
  const said = asset
    ? t.assetStatus[status]
    : formatFor(locale, state.property.timezone).headline(t, presentStatusPage(state))
  const [name, words] = [asset?.name ?? state.property.name, said].map(shortened) as [string, string]
  const [left, right] = [name, words].map((text) => [...text].length * width + 2 * margin) as [number, number]
  const text = (value: string, from: number, wide: number) =>
    `<text x="${from + wide / 2}" y="15" textLength="${wide - 2 * margin}" lengthAdjust="spacingAndGlyphs">${xml(value)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="22" role="img" aria-labelledby="t d" lang="${locale}">`,
    `<title id="t">${xml(`${title}: ${said}`)}</title><desc id="d">${xml(t.feeds.news(title))}</desc>`,
    `<rect width="${left}" height="22" fill="${colours.name}"/><rect x="${left}" width="${right}" height="22" fill="${colours[status]}"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="12" text-anchor="middle" aria-hidden="true">`,
    `${text(name, 0, left)}${text(words, left, right)}</g></svg>`,
  ].join('\n')
}

function shortened(text: string): string {
  const characters = [...text]
  return characters.length > room ? `${characters.slice(0, room - 1).join('')}…` : text
}

const xml = (text: string) =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
