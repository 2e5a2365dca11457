import { beforeAll, describe, expect, it } from 'vitest'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { actsOn } from '../support/acts.js'
import { enterAs, useBrowser, withoutBrowser } from '../support/browser.js'
import { useHouse } from '../support/house/house.js'
import { report } from '../support/house/report.js'

describe.skipIf(withoutBrowser)('the desk with sixteen new reports', () => {
  const house = useHouse()
  const browser = useBrowser()
  const ids: number[] = []

  beforeAll(async () => {
    await house.emptyDesk()
    for (let n = 1; n <= 16; n++) {
      const title = n <= 5 ? `Report number ${n}` : `A somewhat longer title of report ${n}`
      ids.push(await report({ assetId: 1 + (n % 5), title, severity: 'low' }))
    }
  })

  it('is about four screens of a phone, two lines a report on a desktop, and works by keyboard', async () => {
    const page = await browser.open()
    await enterAs(page, house, 'manager')
    await page.goto(`${house.origin()}/admin?tab=new`)
    const rows = page.locator('#queue .desk > li')
    expect(await rows.count()).toBe(16)
    expect(await actsOn(page).screens()).toBeLessThanOrEqual(4)
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await actsOn(page).screens()).toBeLessThanOrEqual(1.5)
    const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight))
    expect(Math.max(...heights)).toBeLessThanOrEqual(60)

    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to reports')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.closest('li').id`)).toBe(`row-${ids[0]}`)
    await page.evaluate('document.activeElement.blur()')
    const focused = () => page.evaluate('document.activeElement.id')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await focused()).toBe(`row-${ids[1]}`)
    await page.keyboard.press('k')
    expect(await focused()).toBe(`row-${ids[0]}`)
    await page.keyboard.press('x')
    expect(await page.locator('.selection-bar').isVisible()).toBe(true)

    const shortcuts = page.getByLabel('Use shortcuts on this device')
    await page.keyboard.press('?')
    await shortcuts.uncheck()
    await page.keyboard.press('Escape')
    await page.locator(`#row-${ids[0]}`).focus()
    await page.keyboard.press('a')
    await page.keyboard.press('?')
    await shortcuts.check()
    await page.keyboard.press('Escape')
    expect(page.url()).not.toContain('notice')
    await page.locator(`#row-${ids[0]}`).focus()
    await page.keyboard.press('a')
    await page.waitForURL(/notice=tap-acknowledge/)
    expect(browser.complaints).toEqual([])
  })

  it('is cleared in 7 acts without scripts', async () => {
    const page = await browser.open({ javaScriptEnabled: false })
    const acts = actsOn(page)
    await page.goto(`${house.origin()}/sign-in?next=/admin`)
    await acts.fill(page.locator('#email'), 'manager@example.com')
    await acts.fill(page.locator('#password'), demoPassword)
    await acts.tap(page.getByRole('button', { name: 'Sign in', exact: true }))
    await page.waitForURL(/\/admin/)
    await acts.tap(page.getByRole('link', { name: 'Select all' }))
    await acts.tap(page.locator('.selection-bar').getByRole('button', { name: 'Acknowledge' }))
    await page.waitForURL(/did=acknowledged&n=1[56]/)
    expect(acts.total()).toBeLessThanOrEqual(7)
  })
})
