/** What one page of the lobby's screen shows. */
export type DisplayPage<P, A> = { problems: P[]; towers: { name: string; assets: A[] }[] }

/**
 * Of a screen on its side and of one upright: rows of tiles that fit beside the rest, tiles beside each other, and rows
 * as high as a problem's card, of which two stand beside each other. `display.css` gives them these heights.
 */
const screens = [
  { rows: 9.2, columns: 3, problem: 2.5 },
  { rows: 13, columns: 2, problem: 3 },
]
/** Rows as high as a heading. */
const headingRows = 0.7

/**
 * Problems, then other assets by tower, on as few pages as hold them all on a screen that nobody scrolls, upright or
 * on its side. At least one page.
 */
export function displayPages<P, A>(
  problems: readonly P[],
  towers: readonly { name: string; assets: readonly A[] }[],
): DisplayPage<P, A>[] {
  const pages: DisplayPage<P, A>[] = [{ problems: [], towers: [] }]
  const put = (place: (page: DisplayPage<P, A>) => void) => {
    const tried = copyOf(pages.at(-1)!)
    place(tried)
    if (fits(tried)) pages[pages.length - 1] = tried
    else {
      const next: DisplayPage<P, A> = { problems: [], towers: [] }
      place(next)
      pages.push(next)
    }
  }
  for (const problem of problems) put((page) => page.problems.push(problem))
  for (const { name, assets } of towers)
    for (const [i, asset] of assets.entries())
      put((page) => {
        const tower = page.towers.at(-1)
        if (tower && i > 0) tower.assets.push(asset)
        else page.towers.push({ name, assets: [asset] })
      })
  return pages
}

function copyOf<P, A>({ problems, towers }: DisplayPage<P, A>): DisplayPage<P, A> {
  return {
    problems: [...problems],
    towers: towers.map(({ name, assets }) => ({ name, assets: [...assets] })),
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
