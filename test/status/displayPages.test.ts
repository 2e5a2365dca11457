import { describe, expect, it } from 'vitest'
import { type BoardItem, displayPages } from '../../src/status/present/displayPages.js'

describe('the pages of the lobby’s screen', () => {
  it.each([
    [0, []],
    [1, [0]],
    [3, [6, 6]],
    [0, [400]],
    [50, [50, 0, 50]],
    [7, numbers(40).map(() => 1)],
    [100, []],
  ])('show %d problems and towers of %j each once, in order', (problems, towers) => {
    const pages = pagesOf(problems, towers)
    expect(pages.flatMap((page) => page.problems)).toEqual(numbers(problems))
    const shown = pages.flatMap((page) => page.towers.flatMap(({ assets }) => assets))
    expect(shown).toEqual(towers.flatMap((n, i) => numbers(n, 1000 * (i + 1))))
    expect(pages.length).toBeGreaterThan(0)
    if (pages.length > 1)
      for (const page of pages) expect(page.problems.length + page.towers.length).toBeGreaterThan(0)
  })

  it('have problems and everything that works on one page where a smaller text makes room', () => {
    const [few, many, tooMany] = [pagesOf(2, [6, 4]), pagesOf(4, [20, 20]), pagesOf(4, [200])]
    expect(few).toHaveLength(1)
    expect(many).toHaveLength(1)
    expect(tooMany.length).toBeGreaterThan(1)
    expect(many[0]!.sizes.ticks).toBeLessThan(few[0]!.sizes.ticks)
  })

  it('fill the screen: the fewer there are, the larger, and no card exceeds the emergency number', () => {
    expect(pagesOf(0, [3])[0]!.sizes.ticks).toBe(22)
    expect(pagesOf(1, [1])[0]!.sizes).toEqual({ cards: 18, ticks: 18 })
    // What works is small, because there is much of it: the one card need not be.
    const { cards, ticks } = pagesOf(1, [30, 30])[0]!.sizes
    expect(cards).toBeGreaterThan(ticks)
  })

  it('have less room below a headline of more lines, and beside planned work on a screen upright', () => {
    const items = board(4, [12, 12])
    const sizeWith = (more: Partial<typeof around>) =>
      displayPages<number, number>(items, { ...around, ...more })[0]!.sizes.cards
    expect(sizeWith({ isHeadlineLong: true })).toBeLessThan(sizeWith({}))
    expect(sizeWith({ works: 3 })).toBeLessThan(sizeWith({}))
  })

  it('count wide letters as wide', () => {
    expect(pagesOf(0, [100], '北塔左側升降機與停車場通風系統').length).toBeGreaterThan(
      pagesOf(0, [100], 'Riser valve 1 15').length,
    )
  })
})

function numbers(n: number, from = 0): number[] {
  return Array.from({ length: n }, (_, i) => from + i)
}
const around = { isHeadlineLong: false, works: 0, areTowersApart: true }
const texts = { name: 'North left lift', whole: ['Out of service, since Tue 08:12'], back: '', word: 'Stuck' }

/** Problems, and as many working assets in each tower. */
function board(problems: number, towers: readonly number[], text = 'North main entrance') {
  const cards = numbers(problems).map((problem) => ({ problem, texts }))
  const ticks = towers.flatMap((n, i) =>
    numbers(n, 1000 * (i + 1)).map((asset) => ({ tower: `Tower ${i}`, asset, text })),
  )
  return [...cards, ...ticks] satisfies BoardItem<number, number>[]
}

function pagesOf(...given: Parameters<typeof board>) {
  return displayPages<number, number>(board(...given), around)
}
