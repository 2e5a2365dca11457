import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.js'
import { enterAs, useBrowser, withoutBrowser } from '../support/browser.js'
import { pastYear } from '../support/pastYear.js'

describe.skipIf(withoutBrowser)('the year, printed', () => {
  const app = useApp()
  const browser = useBrowser()
  beforeAll(pastYear)

  it('takes two sheets with the demo building’s assets, and fits a phone', async () => {
    const page = await browser.open({ viewport: { width: 360, height: 740 } })
    await enterAs(page, app, 'board')
    await page.goto(`${app.origin()}/admin/year`)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360)
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(sheets.match(/\/Type\s*\/Page\b/g)?.length).toBe(2)
    expect(browser.complaints).toEqual([])
  })
})
