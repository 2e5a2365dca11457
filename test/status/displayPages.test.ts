import { describe, expect, it } from 'vitest'
import { displayPages } from '../../src/status/present/display.js'

const numbers = (n: number, from = 0) => Array.from({ length: n }, (_, i) => from + i)
const towersOf = (...sizes: number[]) =>
  sizes.map((size, i) => ({ name: `Tower ${i}`, assets: numbers(size, 1000 * (i + 1)) }))

/**
 * Rows of tiles a page needs on a screen of so many columns; two problems beside each
 * other are `problem` rows.
 */
function rowsOf(page: ReturnType<typeof displayPages>[number], columns: number, problem: number): number {
  const problems = page.problems.length > 0 ? 0.7 + Math.ceil(page.problems.length / 2) * problem : 0
  return page.towers.reduce((sum, { assets }) => sum + 0.7 + Math.ceil(assets.length / columns), problems)
}

describe('the pages of the lobby’s screen', () => {
  it.each([
    [0, []],
    [1, [0]],
    [3, [6, 6]],
    [0, [100]],
    [50, [50, 0, 50]],
    [7, numbers(40).map(() => 1)],
    [100, []],
  ])('show %d problems and towers of %j each once, in order, on screens nobody scrolls', (wrong, sizes) => {
    const towers = towersOf(...sizes)
    const pages = displayPages(numbers(wrong), towers)
    expect(pages.flatMap(({ problems }) => problems)).toEqual(numbers(wrong))
    const shown = pages.flatMap((page) => page.towers)
    expect(shown.flatMap(({ assets }) => assets)).toEqual(towers.flatMap(({ assets }) => assets))
    for (const { name, assets } of shown)
      expect(towers.find((tower) => tower.name === name)!.assets).toEqual(expect.arrayContaining(assets))
    for (const page of pages) {
      expect(rowsOf(page, 3, 2.5)).toBeLessThanOrEqual(9.2)
      expect(rowsOf(page, 2, 3)).toBeLessThanOrEqual(13)
    }
    expect(pages.length).toBeGreaterThan(0)
    if (pages.length > 1) for (const page of pages) expect(rowsOf(page, 2, 3)).toBeGreaterThan(0)
  })
})
