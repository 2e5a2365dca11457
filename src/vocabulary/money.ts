import { westernDigits } from './digits.js'

/** Why an amount typed by a person is refused; each has its text in the catalogue. */
type MoneyProblem = 'amount_unknown' | 'amount_ambiguous' | 'amount_zero' | 'amount_too_large'

/** Largest amount in cents (decision 3.8): just below what the database column holds. */
export const mostCents = 2_000_000_000

/**
 * Typed money in cents: `1250`, `1,250.00`, `1.250,00`, `1 250,00`, with or without the currency.
 * One mark before three digits groups thousands if the locale groups with it; else it is refused as
 * ambiguous.
 */
export function centsFrom(
  text: string,
  locale: string,
  currency: string,
): { cents: number } | { problem: MoneyProblem } {
  const plain = ungrouped(bare(text, locale, currency), partOf(locale, { useGrouping: true }, 'group'))
  if (plain === 'ambiguous') return { problem: 'amount_ambiguous' }
  if (plain === null || decimalsOf(plain) > placesOf(currency)) return { problem: 'amount_unknown' }
  const [whole = '', fraction = ''] = plain.split('.')
  const cents = Number(`${whole}${fraction.padEnd(2, '0')}`)
  if (cents === 0) return { problem: 'amount_zero' }
  return cents > mostCents ? { problem: 'amount_too_large' } : { cents }
}

/**
 * The number as digits, with a point before one or two decimals; null when the text is not a
 * number.
 */
function ungrouped(text: string, groupMark: string): string | 'ambiguous' | null {
  if (/^\d{1,12}$/.test(text)) return text
  const spaced = /^(\d{1,3}(?:[ '’]\d{3})+)(?:[.,](\d{1,2}))?$/.exec(text)
  if (spaced) return joined(spaced)
  const grouped =
    /^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/.exec(text) ??
    /^(\d{1,3}(?:\.\d{3})+),(\d{1,2})$/.exec(text) ??
    /^(\d{1,12})[.,](\d{1,2})$/.exec(text) ??
    /^(\d{1,3}(?:,\d{3}){2,}|\d{1,3}(?:\.\d{3}){2,})$/.exec(text)
  return grouped ? joined(grouped) : ofOneMark(text, groupMark)
}

/** A number with a single mark, before three digits. */
function ofOneMark(text: string, groupMark: string): string | 'ambiguous' | null {
  const [, whole, mark, rest] = /^([1-9]\d{0,2})([.,])(\d{3})$/.exec(text) ?? []
  if (whole === undefined) return null
  return mark === groupMark ? `${whole}${rest}` : 'ambiguous'
}

function joined([, whole = '', fraction]: RegExpExecArray): string {
  const digits = whole.replace(/\D/g, '')
  return fraction === undefined ? digits : `${digits}.${fraction}`
}

/** The digits and marks of other scripts as ours: `١٬٢٥٠٫٥٠` and `１，２５０．５０` read 1,250.50. */
const western = (text: string) => westernDigits(text).replace(/[٫．]/g, '.').replace(/[٬，]/g, ',')

/** Strips the currency's sign or code, and makes every kind of space a plain one. */
function bare(text: string, locale: string, currency: string): string {
  const signOf = (currencyDisplay: 'symbol' | 'narrowSymbol') =>
    partOf(locale, { style: 'currency', currency, currencyDisplay }, 'currency')
  const signs = [currency, signOf('symbol'), signOf('narrowSymbol')]
  return signs
    .reduce((left, sign) => left.replace(sign, ' '), western(text).replace(currency.toLowerCase(), currency))
    .replace(/\s/g, ' ')
    .trim()
}

function partOf(locale: string, options: Intl.NumberFormatOptions, type: string): string {
  const parts = new Intl.NumberFormat(locale, options).formatToParts(1_234_567.8)
  return parts.find((part) => part.type === type)?.value ?? ''
}

const decimalsOf = (plain: string) => plain.split('.')[1]?.length ?? 0

/** Decimals of this currency; at most two, because amounts are stored in cents. */
function placesOf(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return Math.min(2, maximumFractionDigits)
}
