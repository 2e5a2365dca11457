import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatFor } from '../../src/platform/http/format/format.js'
import type { Locale } from '../../src/text/index.js'
import { centsFrom, mostCents } from '../../src/vocabulary/money.js'
import { tableOf } from '../support/tables.js'

/** What was typed, and the cents that are read from it or what is wrong with it. */
type TypedMoney = { typed: string; locale: string; currency: string; cents?: number; problem?: string }
const typedMoney = tableOf<TypedMoney>('typedMoney')

describe('typed money', () => {
  it.each(typedMoney.filter(({ cents }) => cents !== undefined))(
    '$typed in $locale and $currency is $cents cents',
    ({ typed, locale, currency, cents }) => {
      expect(centsFrom(typed, locale, currency)).toEqual({ cents })
    },
  )

  it.each(typedMoney.filter(({ problem }) => problem !== undefined))(
    '$typed in $locale and $currency is refused: $problem',
    ({ typed, locale, currency, problem }) => {
      expect(centsFrom(typed, locale, currency)).toEqual({ problem })
    },
  )

  it('has a result in every row of the table', () => {
    expect(
      typedMoney.filter(({ cents, problem }) => (cents === undefined) === (problem === undefined)),
    ).toEqual([])
  })

  it('is no more than the most there may be', () => {
    expect(centsFrom('20000000', 'en-GB', 'GBP')).toEqual({ cents: mostCents })
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

/** Cents of a currency, and how a page in this language prints them. */
type PrintedMoney = { locale: Locale; currency: string; cents: number; printed: string }

describe('printed money', () => {
  it.each(tableOf<PrintedMoney>('printedMoney'))(
    '$cents cents of $currency are $printed in $locale',
    ({ locale, currency, cents, printed }) => {
      expect(formatFor(locale, 'UTC').money(cents, currency)).toBe(printed)
    },
  )
})
