import { grouped } from '../../vocabulary/collections.js'
import { widthOf } from './textWidth.js'

/**
 * The texts of a card, or others of their length. `display.css` shows `whole` as it is, and cuts
 * the asset's name, when it is expected back, and what is said of it.
 */
export type CardTexts = { name: string; whole: readonly string[]; back: string; word: string }

/** A part of the board: a problem's card, or a working asset in its tower. */
export type BoardItem<P, A> = { problem: P; texts: CardTexts } | { tower: string; asset: A; text: string }

/** How large the text of cards and of ticks is, in tenths of the usual size. */
type Sizes = { cards: number; ticks: number }

/** What one page of the lobby screen shows, and how large. */
export type DisplayPage<P, A> = {
  problems: P[]
  towers: { name: string; assets: A[] }[]
  sizes: Sizes
}

/** What stands around the board: a headline of more lines, and lines of planned work. */
type Surroundings = { isHeadlineLong: boolean; works: number; areTowersApart: boolean }

/** In rem. */
type Board = { width: number; height: number; isUpright: boolean }

/**
 * The boards of three screens beside their other parts: 16:9 and 4:3 on their side, and 9:16
 * upright. `display.css` makes 1 rem 0.7 % of a screen's width and 0.8 % of its height, so that all
 * screens of a shape have the same numbers. Upright, the other parts are above and below.
 */
function boardsOf({ isHeadlineLong, works }: Surroundings): Board[] {
  const below = 9 + Math.max(8.5, 3 + works * 3.8)
  return [
    { width: 55.5, height: isHeadlineLong ? 37 : 39.4, isUpright: false },
    { width: 45.5, height: isHeadlineLong ? 45.5 : 47.5, isUpright: false },
    { width: 43.5, height: (isHeadlineLong ? 66 : 70.5) - below, isUpright: true },
  ]
}

/** Sizes of text in tenths of the usual size, largest first. */
const sizes = [22, 20, 18, 16, 15, 14, 13, 12, 11, 10, 9, 8]
/** No name on a card may be larger than the emergency number. */
const largestCards = 18
const usual = { cards: 10, ticks: 10 }

/** Of `display.css`, in em of their own text. */
const card = { gap: 0.6, padding: 2.4, above: 1.5, line: 1.32, heading: 1.25 }
const tick = { height: 2.15, icon: 2.9, gap: 0.4 }
const partGap = 0.8

/** So many cards have room for more words. */
export const fewCards = 2

/** Lines after which `display.css` cuts a card's texts; `few`: the last one of few cards. */
const mostLines = { many: 2, few: 5 }

/** Widths of a card's texts in em, and of a tick with its tower's name. */
type CardWidths = { name: number; whole: number[]; back: number; word: number }
type TickWidths = { tower: string; name: number; text: number }

/** An item with its widths, which are measured once. */
type Measured<P, A> = { problem: P; card: CardWidths } | { tower: string; asset: A; tick: TickWidths }

/**
 * The items in their order on as few pages as hold them all on a screen that no one scrolls, on its
 * side or upright. On one page where a smaller text makes room; at least one page.
 */
export function displayPages<P, A>(
  items: readonly BoardItem<P, A>[],
  around: Surroundings,
): DisplayPage<P, A>[] {
  const all = items.map(measured)
  if (sizesOf(all, around) !== null) return [pageOf(all, around)]
  const pages: Measured<P, A>[][] = [[]]
  for (const item of all) {
    const page = pages.at(-1)!
    if (page.length === 0 || fits([...page, item], usual, around)) page.push(item)
    else pages.push([item])
  }
  return pages.map((page) => pageOf(page, around))
}

function measured<P, A>(item: BoardItem<P, A>): Measured<P, A> {
  if ('asset' in item) {
    const { tower, asset, text } = item
    return { tower, asset, tick: { tower, name: widthOf(tower), text: widthOf(text) } }
  }
  const { name, whole, back, word } = item.texts
  const widths = { name: widthOf(name), whole: whole.map(widthOf), back: widthOf(back), word: widthOf(word) }
  return { problem: item.problem, card: widths }
}

function pageOf<P, A>(items: readonly Measured<P, A>[], around: Surroundings): DisplayPage<P, A> {
  const working = items.flatMap((item) => ('asset' in item ? [item] : []))
  return {
    problems: items.flatMap((item) => ('problem' in item ? [item.problem] : [])),
    towers: [...grouped(working, ({ tower }) => tower)].map(([name, own]) => ({
      name,
      assets: own.map(({ asset }) => asset),
    })),
    sizes: sizesOf(items, around) ?? usual,
  }
}

/**
 * The largest sizes at which all of these fit: the same one for all, and then a larger one for the
 * cards, where there is still room. Null when the smallest is too large.
 */
function sizesOf(items: readonly Measured<unknown, unknown>[], around: Surroundings): Sizes | null {
  const hasCards = items.some((item) => 'problem' in item)
  const candidates = sizes.filter((size) => !hasCards || size <= largestCards)
  const ticks = candidates.find((size) => fits(items, { cards: size, ticks: size }, around))
  if (ticks === undefined) return null
  const cards = candidates.find((size) => fits(items, { cards: size, ticks }, around))!
  return { cards, ticks }
}

function fits(items: readonly Measured<unknown, unknown>[], sizes: Sizes, around: Surroundings): boolean {
  const cards = items.flatMap((item) => ('problem' in item ? [item.card] : []))
  const ticks = items.flatMap((item) => ('asset' in item ? [item.tick] : []))
  const cardEm = sizes.cards / 10
  const tickEm = sizes.ticks / 10
  return boardsOf(around).every(({ width, height, isUpright }) => {
    const lines = linesOfTicks(ticks, width / tickEm, around.areTowersApart)
    const heightOfTicks = lines > 0 ? (lines * tick.height + partGap) * tickEm : 0
    return heightOfCards(cards, width / cardEm, isUpright) * cardEm + heightOfTicks <= height
  })
}

/** Of more than one, two cards stand beside each other, as high as the higher one. */
function heightOfCards(cards: readonly CardWidths[], width: number, isUpright: boolean): number {
  const areFew = cards.length <= fewCards
  const columns = cards.length === 1 || (areFew && isUpright) ? 1 : 2
  const inside = (width - (columns - 1) * card.gap) / columns - card.padding
  const most = areFew ? mostLines.few : mostLines.many
  const heights = cards.map(
    ({ name, whole, back, word }) =>
      card.above +
      linesOf(name, inside / card.heading, mostLines.many) * card.heading * card.line +
      whole.reduce((sum, text) => sum + linesOf(text, inside) * card.line, 0) +
      linesOf(back, inside, mostLines.many) * card.line +
      linesOf(word, inside, most) * card.line,
  )
  const firsts = heights.filter((_height, i) => i % columns === 0)
  return firsts.reduce(
    (sum, height, row) => sum + Math.max(height, heights[columns * row + columns - 1] ?? 0) + card.gap,
    0,
  )
}

function linesOf(text: number, width: number, most = Number.POSITIVE_INFINITY): number {
  // Lines end before they are full, because words stay whole.
  return Math.min(most, Math.ceil(text / (width * 0.94)))
}

/** Lines of ticks, each tower's name before its own. A tower of one line may follow another. */
function linesOfTicks(ticks: readonly TickWidths[], width: number, areTowersApart: boolean): number {
  let all = 0
  let room = 0
  for (const own of grouped(ticks, ({ tower }) => tower).values()) {
    const { lines, length } = packed([own[0]!.name, ...own.map(({ text }) => text + tick.icon)], width)
    const isBlock = areTowersApart || lines > 1
    if (isBlock || length > room) {
      all += lines
      room = isBlock ? 0 : width
    }
    room -= length
  }
  return all
}

/** How many lines these fill from left to right, and the length of the last one. */
function packed(wanted: readonly number[], width: number): { lines: number; length: number } {
  let lines = 1
  let length = 0
  for (const each of wanted) {
    const needed = Math.min(each + tick.gap, width)
    if (length + needed > width) {
      lines += 1
      length = 0
    }
    length += needed
  }
  return { lines, length }
}
