import { beforeAll, describe, expect, it } from 'vitest'
import { useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { report } from '../../support/house/report.js'

describe.skipIf(withoutBrowser)('the lobby’s screen, which nobody scrolls', () => {
  const house = useHouse()
  const browser = useBrowser()

  describe('with a hundred assets', () => {
    beforeAll(async () => {
      for (let n = 1; n <= 88; n++) {
        const name = `Riser valve ${n}${' of the plant room'.repeat(n % 7)}`
        const assetId = await house.asset({ name, towerId: 1 + (n % 2), category: 'Valve' })
        if (n > 79) await report({ assetId, title: 'Leaks', severity: 'critical' })
      }
    })

    it.each([
      [1920, 1080],
      [1080, 1920],
      [1280, 720],
      [1366, 768],
      [1024, 768],
      [3840, 2160],
    ])('holds every page of 100 assets at %d × %d', async (width, height) => {
      const page = await browser.open({ viewport: { width, height }, javaScriptEnabled: false })
      const outside: string[] = []
      let turns = 1
      for (let turn = 1; turn <= turns; turn++) {
        await page.goto(`${house.origin()}/display?page=${turn}`)
        turns = Number(/page \d+ of (\d+)/.exec(await page.locator('header p').last().innerText())?.[1] ?? 1)
        const [down, along] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]',
        )
        if (down > 0 || along > 0) outside.push(`page ${turn}: ${down} down, ${along} along`)
      }
      expect(turns).toBeGreaterThan(1)
      expect(outside).toEqual([])
    })
  })
})
