import { spanTexts } from '../vocabulary/time/intervals.js'
import type { DateAhead } from '../vocabulary/time/series.js'

/** A date of a repeating window for its pages; `begun`: whether it has started by `now`. */
export function presentDate({ date, planned, times, state }: DateAhead, now: number) {
  return {
    date,
    state,
    ...spanTexts(times ?? planned),
    planned: spanTexts(planned),
    begun: (times ?? planned).start <= now,
  }
}
