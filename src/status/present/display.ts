import { z } from 'zod'
import { instantText, rowId } from '../../platform/http/json.js'
import { grouped } from '../../vocabulary/collections.js'
import { lastDays } from '../../vocabulary/time/calendar.js'
import { type BuildingState, SummaryJson } from './status.js'
import { presentStatusPage, presentWork } from './statusPage.js'

/** What one page of the lobby's screen shows. */
type DisplayPage<P, A> = { problems: P[]; towers: { name: string; assets: A[] }[] }

/**
 * Of a screen on its side and of one upright: rows of tiles that fit beside the rest, tiles beside
 * each other, and rows as high as a problem's card, of which two stand beside each other.
 * `display.css` gives them these heights.
 */
const screens = [
  { rows: 9.2, columns: 3, problem: 2.5 },
  { rows: 13, columns: 2, problem: 3 },
]
/** Rows as high as a heading. */
const headingRows = 0.7

type Item<P, A> = { problem: P } | { tower: string; asset: A }

/**
 * Problems, then other assets by tower, on as few pages as hold them all on a screen that no one
 * scrolls, upright or on its side. At least one page.
 */
export function displayPages<P, A>(
  problems: readonly P[],
  towers: readonly { name: string; assets: readonly A[] }[],
): DisplayPage<P, A>[] {
  const items: Item<P, A>[] = [
    ...problems.map((problem) => ({ problem })),
    ...towers.flatMap(({ name, assets }) => assets.map((asset) => ({ tower: name, asset }))),
  ]
  const pages: Item<P, A>[][] = [[]]
  for (const item of items) {
    const page = pages.at(-1)!
    if (fits(pageOf([...page, item]))) page.push(item)
    else pages.push([item])
  }
  return pages.map(pageOf)
}

function pageOf<P, A>(items: readonly Item<P, A>[]): DisplayPage<P, A> {
  const assets = items.flatMap((item) => ('asset' in item ? [item] : []))
  return {
    problems: items.flatMap((item) => ('problem' in item ? [item.problem] : [])),
    towers: [...grouped(assets, ({ tower }) => tower)].map(([name, own]) => ({
      name,
      assets: own.map(({ asset }) => asset),
    })),
  }
}

function fits<P, A>({ problems, towers }: DisplayPage<P, A>): boolean {
  return screens.every(({ columns, rows, problem }) => {
    const above = problems.length > 0 ? headingRows + Math.ceil(problems.length / 2) * problem : 0
    const below = towers.reduce(
      (sum, { assets }) => sum + headingRows + Math.ceil(assets.length / columns),
      0,
    )
    return above + below <= rows
  })
}

/** The lobby screen as JSON; fields that only its page needs are not described. */
export const DisplayJson = z.looseObject({
  asOf: instantText,
  summary: SummaryJson,
  problems: z.array(z.looseObject({ id: rowId })),
})

/** Lines of today's planned work; the status page has the rest. */
const mostToday = 3

/**
 * The lobby screen at `now` (epoch ms): the status page's problems and, in turns, pages that fit a
 * screen. `turn` counts from 1, and after the last page comes the first.
 */
export function presentDisplay(state: BuildingState, now: number, turn: number) {
  const { property, summary, overall, problems, working } = presentStatusPage(state)
  const tonight = lastDays(state.property.timezone, now, 1).bounds[1]!
  const today = state.assets
    .flatMap((asset) => asset.upcoming.map((occurrence) => ({ asset, occurrence })))
    .filter(({ occurrence }) => occurrence.start < tonight)
    .sort((a, b) => a.occurrence.start - b.occurrence.start)
  const pages = displayPages(problems, working)
  const at = (turn - 1) % pages.length
  return {
    property,
    summary,
    overall,
    asOf: new Date(now).toISOString(),
    problems,
    today: today.slice(0, mostToday).map(({ asset, occurrence }) => presentWork(asset, occurrence)),
    moreToday: Math.max(0, today.length - mostToday),
    shown: pages[at]!,
    turn: at + 1,
    turns: pages.length,
  }
}
export type Display = ReturnType<typeof presentDisplay>
