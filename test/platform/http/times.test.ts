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
})
