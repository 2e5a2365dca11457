import type { Locale } from '../../../text/index.js'
import { wordFormat } from '../../../text/wordFormat.js'
import { own } from '../../../vocabulary/collections.js'
import { westernDigits } from '../../../vocabulary/digits.js'
import { staticAddress } from '../staticAssets.js'
import { languageOf, timeFormat } from './times.js'

/** How a page prints times, numbers and names: in its language and the property's time zone. */
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

const made = new Map<string, Format>()

/** The helpers `h` of templates; cached by language and zone, as Intl formatters are slow. */
export function formatFor(locale: Locale, zone: string): Format {
  const key = `${locale} ${zone}`
  const known = made.get(key)
  if (known) return known
  const format = makeFormat(locale, zone)
  made.set(key, format)
  return format
}

/** How a page prints numbers and money, in its language. */
function numberFormat(locale: Locale) {
  const language = languageOf(locale)
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return {
    /** Two decimals, like the JSON, in the notation of this language. */
    percent: (decimals: string) => percent.format(Number(decimals)),
    number: (n: number) => number.format(n),
    /** An amount as people type it: two decimals, no currency. */
    plainNumber: (n: number) => new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(n),
    /** Cents (hundredths of any currency) as money. */
    money: (cents: number, currency: string) =>
      new Intl.NumberFormat(language, { style: 'currency', currency }).format(cents / 100),
  }
}

function makeFormat(locale: Locale, zone: string) {
  return {
    ...timeFormat(locale, zone),
    ...numberFormat(locale),
    ...wordFormat(locale),
    staticAddress,
    /** A catalogue text by a name from outside; undefined when there is none. */
    own,
    htmxConfig,
    /** A phone number as a tel: address. */
    tel: (phone: string) => westernDigits(phone.normalize('NFKC')).replace(/[^+\d]/g, ''),
    /** A field's name in the audit log: `resolvedAt` reads `Resolved at`. */
    fieldName: (name: string) => {
      const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
      return words.charAt(0).toUpperCase() + words.slice(1)
    },
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
