import { afterEach, describe, expect, it, vi } from 'vitest'
import { formatFor } from '../../../src/platform/http/format/format.js'
import type { Locale } from '../../../src/text/index.js'
import { tableOf } from '../../support/tables.js'

/** An instant, and how a page that is opened at `now` prints it in a zone and a language. */
type PrintedTime = {
  locale: Locale
  zone: string
  now: string
  at: string
  when: string
  fullMoment: string
  localInput: string
}

afterEach(() => vi.useRealTimers())

describe('a time on a page', () => {
  it.each(tableOf<PrintedTime>('printedTimes'))(
    '$at is printed $when at $now in $zone, in $locale',
    ({ locale, zone, now, at, when, fullMoment, localInput }) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
      const format = formatFor(locale, zone)
      expect({
        when: format.when(at),
        fullMoment: format.fullMoment(at),
        localInput: format.localInput(at),
      }).toEqual({ when, fullMoment, localInput })
    },
  )

  it('of another year has its year in emails and feeds, which are read on another day', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-27T12:00:00Z') })
    const { moment } = formatFor('en', 'Europe/London')
    expect(moment('2024-11-27T00:03:00Z')).toBe('Wed, 27 Nov 2024, 00:03')
    expect(moment('2026-01-01T00:03:00Z')).toBe('Thu 1 Jan, 00:03')
  })
})

describe('a span on a page', () => {
  /** Two instants, and how a page that is opened at `now` prints them. */
  type PrintedSpan = {
    locale: Locale
    zone: string
    now: string
    from: string
    to: string
    range: string
    fullRange: string
  }

  it.each(tableOf<PrintedSpan>('printedSpans'))(
    '$from to $to is printed $range at $now in $zone, in $locale',
    ({ locale, zone, now, from, to, range, fullRange }) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
      const format = formatFor(locale, zone)
      expect({
        range: format.range(from, to).replaceAll('\u2009', ' '),
        fullRange: format.fullRange(from, to).replaceAll('\u2009', ' '),
      }).toEqual({ range, fullRange })
    },
  )
})

describe('until when something is promised', () => {
  type PrintedDeadline = {
    locale: Locale
    zone: string
    now: string
    at: string
    isToTheMinute: boolean
    deadline: string
  }

  it.each(tableOf<PrintedDeadline>('printedDeadlines'))(
    '$at is “$deadline” at $now in $zone, in $locale, to the minute: $isToTheMinute',
    ({ locale, zone, now, at, isToTheMinute, deadline }) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
      expect(formatFor(locale, zone).deadline(at, isToTheMinute)).toBe(deadline)
    },
  )
})
