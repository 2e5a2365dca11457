import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { demoPassword } from '../../src/app/start.js'
import { query } from '../../src/platform/db/database.js'
import { actsOn } from '../support/acts.js'
import { useApp } from '../support/app.js'
import { enterAs, useBrowser, withoutBrowser } from '../support/browser.js'
import { anIncident } from '../support/builders/incident.js'

// Without a browser on the machine there is nothing to drive; CI installs one and insists (REQUIRE_BROWSER).
describe.skipIf(withoutBrowser)('the desk, counted in acts on a phone', () => {
  const app = useApp()
  const browser = useBrowser()
  let ids: number[]

  beforeEach(async () => {
    await query(
      `update incidents set status = 'verified', acknowledged_at = coalesce(acknowledged_at, created_at),
         resolved_at = coalesce(resolved_at, now()), verified_at = coalesce(verified_at, now()), expected_back_at = null,
         status_reason = null, came_back_at = null, unanswered_since = null`,
    )
    ids = []
    for (let n = 1; n <= 5; n++)
      ids.push(await anIncident({ assetId: n, title: `Report number ${n}`, severity: 'low' }))
  })

  async function onDesk(tab = 'new', options = {}): Promise<Page> {
    const page = await browser.open(options)
    await enterAs(page, app, 'manager')
    await page.goto(`${app.origin()}/admin?tab=${tab}`)
    return page
  }

  it.each([true, false])('five new reports are cleared in 7 (scripts: %s)', async (javaScriptEnabled) => {
    const page = await browser.open({ javaScriptEnabled })
    const acts = actsOn(page)
    await page.goto(`${app.origin()}/sign-in`)
    await acts.fill(page.locator('#email'), 'manager@example.com')
    await acts.fill(page.locator('#password'), demoPassword)
    await acts.tap(page.getByRole('button', { name: 'Sign in', exact: true }))
    await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
    // Where staff land is the business of signing in; from elsewhere the desk is two taps away.
    if (!page.url().includes('/admin')) {
      acts.counts.taps += 2
      await page.goto(`${app.origin()}/admin`)
    }
    await acts.tap(page.getByRole('link', { name: 'Select all' }))
    await acts.tap(page.locator('.selection-bar').getByRole('button', { name: 'Acknowledge' }))
    await page.waitForURL(/did=acknowledged&n=5/)
    expect(acts.total()).toBeLessThanOrEqual(7)
    expect(browser.complaints).toEqual([])
  })

  it('one is acknowledged in 3, and stays in place', async () => {
    const [page, other] = [await onDesk(), await onDesk()]
    const acts = actsOn(page)
    await acts.tap(page.locator(`#row-${ids[0]} .act`))
    await page.waitForURL(/notice=tap-acknowledge/)
    expect(acts.total()).toBeLessThanOrEqual(3)
    expect(await page.locator('.notice').innerText()).toContain(`INC-${ids[0]} acknowledged`)
    await other.locator(`#row-${ids[0]} .act`).click()
    await other.waitForURL(/notice=tap-already/)
    expect(await other.locator('.notice').innerText()).toContain('Nothing changed')
    await page.goBack()
    expect(await page.locator(`#row-${ids[0]}`).count()).toBe(0)
  })

  it('a duplicate is merged in 4, and that can be undone', async () => {
    const duplicate = await anIncident({ assetId: 1, title: 'Report number 1 again', severity: 'low' })
    const page = await onDesk()
    const acts = actsOn(page)
    await acts.tap(page.locator(`#row-${duplicate} .row-menu summary`))
    await acts.tap(page.getByRole('button', { name: `Merge into INC-${ids[0]}` }))
    await acts.tap(page.getByRole('button', { name: 'Merge report' }))
    await page.waitForURL(/notice=tap-merge/)
    expect(acts.total()).toBeLessThanOrEqual(4)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(/notice=tap-unmerge/)
    expect(await page.locator(`#row-${duplicate}`).count()).toBe(1)
    expect(await page.locator(`#row-${ids[1]} [data-key=m]`).count()).toBe(0)
  })

  it('sixteen reports are four screens of a phone, and two lines each on a desktop', async () => {
    for (let n = 6; n <= 16; n++)
      await anIncident({
        assetId: 1 + (n % 5),
        title: `A somewhat longer title of report ${n}`,
        severity: 'low',
      })
    const page = await onDesk()
    expect(await page.locator('#queue .desk > li').count()).toBe(16)
    expect(await actsOn(page).screens()).toBeLessThanOrEqual(4)
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await actsOn(page).screens()).toBeLessThanOrEqual(1.5)
    const rows = await page
      .locator('#queue .desk > li')
      .evaluateAll((all) => all.map((row) => row.clientHeight))
    expect(Math.max(...rows)).toBeLessThanOrEqual(60)
  })

  it('works by keyboard: skip link, j, k, x, a, and ? for help', async () => {
    const page = await onDesk('new', { viewport: { width: 1280, height: 800 } })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to reports')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.closest('li').id`)).toBe(`row-${ids[0]}`)
    await page.goto(`${app.origin()}/admin?tab=new`)
    const focused = () => page.evaluate('document.activeElement.id')
    await page.keyboard.press('j')
    expect(await focused()).toBe(`row-${ids[0]}`)
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await focused()).toBe(`row-${ids[0]}`)
    await page.keyboard.press('x')
    expect(await page.locator('.selection-bar').isVisible()).toBe(true)
    await page.keyboard.press('?')
    expect(await page.locator('dialog').isVisible()).toBe(true)
    await page.getByLabel('Use shortcuts on this device').uncheck()
    await page.keyboard.press('Escape')
    await page.locator(`#row-${ids[0]}`).focus()
    await page.keyboard.press('a')
    await page.keyboard.press('?')
    await page.getByLabel('Use shortcuts on this device').check()
    await page.keyboard.press('Escape')
    expect(page.url()).not.toContain('notice')
    await page.locator(`#row-${ids[0]}`).focus()
    await page.keyboard.press('a')
    await page.waitForURL(/notice=tap-acknowledge/)
    expect(browser.complaints).toEqual([])
  })
})
