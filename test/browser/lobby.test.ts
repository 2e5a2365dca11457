import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { useApp } from '../support/app.js'
import { useBrowser, withoutBrowser } from '../support/browser.js'
import { itInWholeRun, perRun } from '../support/suite/extent.js'

// Without a browser on the machine there is nothing to drive; CI installs one and insists (REQUIRE_BROWSER).
describe.skipIf(withoutBrowser)('the lobby’s screen, which nobody scrolls', () => {
  const app = useApp()
  const browser = useBrowser()

  /** Those of the demo are there already. */
  const added = perRun({ quick: 18, whole: 88 })

  beforeAll(async () => {
    await query(
      `insert into assets (tower_id, name, category)
       select 1 + n % 2, 'Riser valve ' || n || repeat(' of the plant room', n % 7), 'Valve' from generate_series(1, $1::integer) n`,
      [added],
    )
    const broken = await query<{ id: number }>('select id from assets order by id desc limit 9')
    for (const { id } of broken)
      await app.json('resident', '/api/incidents', {
        json: { assetId: id, title: 'Leaks', severity: 'critical' },
      })
  })

  /** Goes through all pages once; says where something lies outside of the screen. */
  async function cutOff(width: number, height: number): Promise<string[]> {
    const page = await browser.open({ viewport: { width, height }, javaScriptEnabled: false })
    const outside: string[] = []
    let turns = 1
    for (let turn = 1; turn <= turns; turn++) {
      await page.goto(`${app.origin()}/display?page=${turn}`)
      turns = Number(/of (\d+)/.exec(await page.locator('header p').innerText())?.[1] ?? 1)
      const [down, along] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]',
      )
      if (down > 0 || along > 0) outside.push(`page ${turn}: ${down} down, ${along} along`)
    }
    expect(turns).toBeGreaterThan(1)
    return outside
  }

  it(`holds a page of ${12 + added} assets on its side`, async () => {
    expect(await cutOff(1920, 1080)).toEqual([])
  })

  itInWholeRun.each([
    [1080, 1920],
    [1280, 720],
    [3840, 2160],
  ])('holds one at %d × %d', async (width, height) => {
    expect(await cutOff(width, height)).toEqual([])
  })
})
