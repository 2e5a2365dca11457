import { type AssetStatus, assetStatuses } from '../../vocabulary/assetStatus.js'
import { daysAddress } from '../addresses.js'

/** A run of days with the same status; `from` and `to` are indices, both included. */
type Run = { status: AssetStatus; from: number; to: number }

/** The height of each status in a bar of 12: it tells them apart without colour. */
const heights: Record<AssetStatus, number> = { operational: 5, maintenance: 7, degraded: 9, down: 12 }

/** A stroke of the bar: days with a status, or those that are not recorded. */
type BarPath = { status: AssetStatus | 'unrecorded'; d: string }

/** Days with a problem: the first and the last, the worst status of any, and their page. */
export type BadDays = { from: string; to: string; status: AssetStatus; address: string }

/** What can be pressed on a bar: bad days, and where they are on it, in days from its start. */
type BarLink = BadDays & { x: number; width: number }

/**
 * The days of an asset as its pages show them. `bar`: SVG paths in a view box as wide as the days
 * and 12 high. `recordedDays`, `unrecorded`: how many of them are recorded, today included, and how
 * many not; `bad`: how many of the recorded ones had a problem, `onlyPartly` when it was out of
 * service on none.
 */
export type ShownDays = {
  bar: BarPath[]
  links: BarLink[]
  recordedDays: number
  unrecorded: number
  bad: number
  onlyPartly: boolean
}

/**
 * How wide a link on the bar is at least, in days, so that it is 24 pixels wide where the bar is as
 * narrow as its page lets it be: alone in its row, and beside another one or on a phone.
 */
export const linkWidths = { inRow: 4, inCard: 8 } as const

/** The days of an asset: a byte for each, an index of `assetStatuses`. The first: not recorded. */
type OwnDays = { id: number; days: Uint8Array; unrecorded: number }

/** What is shown of an asset's days; `linkWidth` of `linkWidths`. */
export function shownDays(
  { id, days, unrecorded }: OwnDays,
  dates: readonly string[],
  linkWidth: number,
): ShownDays {
  const bad = runsOf(days).filter(({ status }) => isBad(status))
  return {
    bar: barPaths(days, unrecorded),
    links: barLinks(id, bad, dates, linkWidth),
    recordedDays: dates.length - unrecorded,
    unrecorded,
    bad: bad.reduce((sum, { from, to }) => sum + to - from + 1, 0),
    onlyPartly: !bad.some(({ status }) => status === 'down'),
  }
}

/** How many of these days ended before anything was recorded (decision 9.20). */
export function unrecordedDays(bounds: readonly number[], recordedSince: number): number {
  const first = bounds.findIndex((bound, i) => i > 0 && bound > recordedSince)
  return first < 0 ? bounds.length - 1 : first - 1
}

/** Each run of days with a problem, newest first. */
export function badDays({ id, days }: OwnDays, dates: readonly string[]): BadDays[] {
  const bad = runsOf(days).filter(({ status }) => isBad(status))
  return barLinks(id, bad, dates, 1).reverse()
}

const isBad = (status: AssetStatus) => status === 'degraded' || status === 'down'

/** The days as runs of equal status, oldest first. */
function runsOf(days: Uint8Array): Run[] {
  const runs: Run[] = []
  for (const [i, byte] of days.entries()) {
    const status = assetStatuses[byte]!
    const last = runs.at(-1)
    if (last?.status === status) last.to = i
    else runs.push({ status, from: i, to: i })
  }
  return runs
}

/**
 * The bar as SVG paths on the ground line of a view box 12 high: all recorded days, and above them
 * those with another status, a path for each. A run is a horizontal stroke, which the style sheet
 * dashes into days.
 */
export function barPaths(days: Uint8Array, unrecorded = 0): BarPath[] {
  const runs = runsOf(days)
  const strokes = (status: AssetStatus) =>
    runs.filter((run) => run.status === status).map(({ from, to }) => stroke(heights[status], from, to))
  const recorded = days.length - unrecorded
  return [
    { status: 'unrecorded', d: unrecorded > 0 ? stroke(2, 0, unrecorded - 1) : '' },
    {
      status: 'operational',
      d: recorded > 0 ? stroke(heights.operational, unrecorded, days.length - 1) : '',
    },
    ...assetStatuses.slice(1).map((status) => ({ status, d: strokes(status).join('') })),
  ].filter(({ d }) => d !== '') as BarPath[]
}

const stroke = (height: number, from: number, to: number) => `M${from} ${12 - height / 2}h${to - from + 1}`

/** Bad days with room enough to be pressed: those whose room would overlap are one link. */
function barLinks(id: number, bad: readonly Run[], dates: readonly string[], least: number): BarLink[] {
  const joined: Run[] = []
  for (const run of bad) {
    const last = joined.at(-1)
    const isFree = !last || boxOf(last, least, dates.length).end <= boxOf(run, least, dates.length).x
    if (isFree && last?.to !== run.from - 1) joined.push({ ...run })
    else Object.assign(last!, { to: run.to, status: run.status === 'down' ? 'down' : last!.status })
  }
  return joined.map((run) => {
    const { x, end } = boxOf(run, least, dates.length)
    const [from, to] = [dates[run.from]!, dates[run.to]!]
    return { from, to, status: run.status, address: daysAddress(id, from, to), x, width: end - x }
  })
}

/** Where a run's link is, `least` days wide or as wide as the run, in a bar of `length` days. */
function boxOf({ from, to }: Run, least: number, length: number): { x: number; end: number } {
  const width = Math.max(least, to - from + 1)
  const middle = (from + to + 1) / 2
  const x = Math.min(Math.max(0, Math.round(middle - width / 2)), Math.max(0, length - width))
  return { x, end: x + width }
}
