import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centsFrom, mostCents } from '../../src/vocabulary/money.js'

const pounds = (text: string) => centsFrom(text, 'en-GB', 'GBP')
const euros = (text: string) => centsFrom(text, 'es', 'EUR')

describe('typed money', () => {
  it.each([
    ['1250', 125_000],
    ['1,250.00', 125_000],
    ['1,250', 125_000],
    ['1.250,00', 125_000],
    ['1250.5', 125_050],
    ['12,50', 1_250],
    ['0.01', 1],
    ['£1,250.00', 125_000],
    ['GBP 1 250.00', 125_000],
    ['1 250,00 gbp', 125_000],
    ["1'250.00", 125_000],
    [' 12\u00a0500 ', 1_250_000],
    ['1,234,567.89', 123_456_789],
    ['1.234.567', 123_456_700],
    ['20000000', mostCents],
  ])('%j in English is %i cents', (text, cents) => {
    expect(pounds(text)).toEqual({ cents })
  })

  it.each([
    ['1.250', 125_000],
    ['1.250,5', 125_050],
    ['1,250.00', 125_000],
    ['1250,00 €', 125_000],
  ])('%j in Spanish is %i cents', (text, cents) => {
    expect(euros(text)).toEqual({ cents })
  })

  it('that could be thousands or a fraction is refused', () => {
    expect(pounds('1.250')).toEqual({ problem: 'amount_ambiguous' })
    expect(euros('1,250')).toEqual({ problem: 'amount_ambiguous' })
  })

  it.each([
    '',
    'x',
    '-5',
    '1e3',
    '12,50.00',
    '1,25,000',
    '1,250.000',
    '0.250',
    '1250.000',
    '1..2',
    '1 25',
    '£',
    '١٢',
  ])('%j is none', (text) => {
    expect(pounds(text)).toEqual({ problem: 'amount_unknown' })
  })

  it('is more than nothing and not without end', () => {
    expect(pounds('0.00')).toEqual({ problem: 'amount_zero' })
    expect(pounds('20,000,000.01')).toEqual({ problem: 'amount_too_large' })
    expect(pounds('9'.repeat(12))).toEqual({ problem: 'amount_too_large' })
    expect(pounds('9'.repeat(13))).toEqual({ problem: 'amount_unknown' })
  })

  it('of a currency without decimals has none', () => {
    expect(centsFrom('¥1,250', 'en-GB', 'JPY')).toEqual({ cents: 125_000 })
    expect(centsFrom('12.50', 'en-GB', 'JPY')).toEqual({ problem: 'amount_unknown' })
    expect(centsFrom('1.25', 'en-GB', 'KWD')).toEqual({ cents: 125 })
  })

  it('that a page prints is read as the same amount, in any language', () => {
    const written = fc.record({
      cents: fc.integer({ min: 1, max: mostCents }),
      locale: fc.constantFrom('en-GB', 'es', 'fr', 'de', 'de-CH', 'nb', 'pt-BR'),
      currency: fc.constantFrom('GBP', 'EUR', 'CHF', 'NOK'),
    })
    fc.assert(
      fc.property(written, ({ cents, locale, currency }) => {
        const text = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(cents / 100)
        expect(centsFrom(text, locale, currency)).toEqual({ cents })
      }),
    )
  })
})
