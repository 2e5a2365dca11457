import { beforeAll, describe, expect, it } from 'vitest'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { report } from '../../support/house/report.js'
import { manyRows } from '../../support/rows.js'

describe.skipIf(withoutBrowser)('the page of a report with forty updates', () => {
  const house = useHouse()
  const browser = useBrowser()
  let path: string

  beforeAll(async () => {
    const id = await report({ title: 'It is stuck' })
    path = `/incidents/${id}`
    await manyRows('incident_updates', 40, {
      incident_id: `${id}`,
      author_label: `'Maya Okafor'`,
      body: `'Still the same, ' || n`,
      created_at: `now() + n * interval '1 minute'`,
    })
  })

  it.each(['guest', 'resident', 'manager'])(
    'shows %s the rest in place, and goes on reading there',
    async (who) => {
      const page = await browser.open()
      if (who !== 'guest') await enterAs(page, house, who)
      await page.goto(house.origin() + path)
      await page.evaluate('window.isSamePage = true')
      if (who === 'resident') await page.getByLabel('Comment', { exact: true }).fill('Half a sentence')
      await page.getByRole('link', { name: 'Show all updates' }).click()
      await page.locator('#earlier:focus').waitFor()
      expect(await page.locator('.timeline li').count()).toBe(40)
      expect(await page.locator('#earlier').innerText()).toContain('Still the same, 30')
      expect(await page.evaluate('window.isSamePage')).toBe(true)
      if (who === 'resident')
        expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('Half a sentence')
      expect(browser.complaints).toEqual([])
    },
  )

  it('goes there without scripts as well', async () => {
    const page = await browser.open({ javaScriptEnabled: false })
    await page.goto(house.origin() + path)
    await page.getByRole('link', { name: 'Show all updates' }).click()
    await page.waitForURL(`**${path}?updates=all#earlier`)
    expect(await page.locator('.timeline li').count()).toBe(40)
    expect(await page.locator('#earlier').boundingBox()).toMatchObject({ y: expect.closeTo(0, -2) })
  })

  it('says on paper how many are left out', async () => {
    const page = await browser.open()
    await page.goto(house.origin() + path)
    await page.emulateMedia({ media: 'print' })
    const words = page.getByText('Showing the newest 10 of 40 updates.')
    expect(await words.isVisible()).toBe(true)
    expect(await page.getByRole('link', { name: 'Show all updates' }).isVisible()).toBe(false)
  })
})
