/** What one page of the lobby's screen shows. */
export type DisplayPage<P, A> = { problems: P[]; towers: { name: string; assets: A[] }[] }

/** Rows of tiles that fit beside the rest, and tiles beside each other: on its side and upright. */
const screens = [
  { columns: 3, rows: 9 },
  { columns: 2, rows: 13 },
]
/** Rows of tiles as high as a problem's card, of which two stand beside each other, and as a heading. */
const problemRows = 3
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
  return screens.every(({ columns, rows }) => {
    const above = problems.length > 0 ? headingRows + Math.ceil(problems.length / 2) * problemRows : 0
    const below = towers.reduce(
      (sum, { assets }) => sum + headingRows + Math.ceil(assets.length / columns),
      0,
    )
    return above + below <= rows
  })
}
