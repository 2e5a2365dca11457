import { z } from 'zod'
import { instantText, rowId } from '../../platform/http/json.js'
import { lastDays } from '../../vocabulary/time/calendar.js'
import { type BoardItem, type CardTexts, displayPages, fewCards } from './displayPages.js'
import { type BuildingState, SummaryJson } from './status.js'
import { presentStatusPage, presentWork } from './statusPage.js'

type StatusPage = ReturnType<typeof presentStatusPage>
type Problem = StatusPage['problems'][number]
type Row = StatusPage['working'][number]['assets'][number]

/** The lobby screen as JSON; fields that only its page needs are not described. */
export const DisplayJson = z.looseObject({
  asOf: instantText,
  summary: SummaryJson,
  problems: z.array(z.looseObject({ id: rowId })),
})

/** Lines of today's planned work; the status page has the rest. */
const mostToday = 3

/** Characters of a headline that is shown larger: it has one line, upright two. */
const shortHeadline = 40

/** So many towers begin a line each; the ticks of more towers follow each other. */
const fewTowers = 4

/**
 * The lobby screen at `now` (epoch ms): the status page's problems and, in turns, pages that fit a
 * screen below this headline. `turn` counts from 1, and after the last page comes the first.
 */
export function presentDisplay(state: BuildingState, now: number, turn: number, headline: string) {
  const { property, summary, overall, problems, working } = presentStatusPage(state)
  const tonight = lastDays(state.property.timezone, now, 1).bounds[1]!
  const today = state.assets
    .flatMap((asset) => asset.upcoming.map((occurrence) => ({ asset, occurrence })))
    .filter(({ occurrence }) => occurrence.start < tonight)
    .sort((a, b) => a.occurrence.start - b.occurrence.start)
  const areTowersApart = working.length <= fewTowers
  const isHeadlineLong = headline.length > shortHeadline
  const around = { isHeadlineLong, works: Math.min(today.length, mostToday), areTowersApart }
  const pages = displayPages(boardItems(problems, working), around)
  const at = (turn - 1) % pages.length
  return {
    property,
    summary,
    overall,
    asOf: new Date(now).toISOString(),
    problems,
    today: today.slice(0, mostToday).map(({ asset, occurrence }) => presentWork(asset, occurrence)),
    moreToday: Math.max(0, today.length - mostToday),
    isHeadlineLong,
    areTowersApart,
    areCardsFew: pages[at]!.problems.length <= fewCards,
    shown: pages[at]!,
    turn: at + 1,
    turns: pages.length,
  }
}

/** What the board shows, problems first; then what works, by tower. */
function boardItems(
  problems: readonly Problem[],
  towers: readonly { name: string; assets: readonly Row[] }[],
): BoardItem<Problem, Row>[] {
  return [
    ...problems.map((problem) => ({ problem, texts: textsOf(problem) })),
    ...towers.flatMap(({ name: tower, assets }) =>
      assets.map((asset) => ({ tower, asset, text: textOf(asset) })),
    ),
  ]
}

/** Texts as long as those of the card in our wordiest language. */
const longest = {
  state: 'x'.repeat(40),
  unconfirmed: 'x'.repeat(52),
  expected: 'x'.repeat(32),
  late: 'x'.repeat(64),
  says: 'x'.repeat(36),
  status: 'x'.repeat(22),
  word: 'x'.repeat(24),
}

function textsOf(problem: Problem): CardTexts {
  const { name, statusReason, expectedBackAt, late, unconfirmedAs, statement, incidents } = problem
  const expected = late ? longest.late : longest.expected
  return {
    name,
    whole: unconfirmedAs ? [longest.state, longest.unconfirmed] : [longest.state],
    back: statusReason || expectedBackAt ? `${statusReason ?? ''}${expectedBackAt ? expected : ''}` : '',
    word: statement
      ? `${longest.says}${statement.isReopening ? '' : statement.body}`
      : `${incidents[0]?.title ?? ''}${longest.status}`,
  }
}

/** A working asset's name; of one that is closed for planned work, its status as well. */
function textOf({ name, status }: Row): string {
  return status === 'operational' ? name : `${name}${longest.word}`
}
