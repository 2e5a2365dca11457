import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { config } from '../../../src/platform/ops/config.js'
import { useApp } from '../../support/app.js'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { itInWholeRun } from '../../support/suite/extent.js'

/** A worker starts slowly on a busy machine. */
const patience = { timeout: 100_000 }

describe.skipIf(withoutBrowser)('a browser that loses its connection', () => {
  const app = useApp()
  const browser = useBrowser()
  afterAll(() => {
    config.serviceWorker = true
  })

  /** Opens the status page and waits until it is kept. */
  async function visited(who: string | null): Promise<Page> {
    const page = await browser.open({ serviceWorkers: 'allow' })
    if (who) await enterAs(page, app, who)
    await page.goto(`${app.origin()}/`)
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await expect.poll(() => page.evaluate('caches.match("/offline").then(Boolean)'), patience).toBe(true)
    return page
  }

  it('shows the last known status and says of when it is, without the name of who was there', async () => {
    const page = await visited('resident')
    const name = 'Maya Okafor'
    expect(await page.content()).toContain(name)
    await page.context().setOffline(true)
    await page.goto(`${app.origin()}/`)
    expect(await page.locator('#kept').innerText()).toMatch(
      /^You’re offline\. This was the status at \d\d:\d\d\.$/,
    )
    expect(await page.locator('.assets li').count()).toBeGreaterThan(0)
    expect(await page.content()).not.toContain(name)
    await page.goto(`${app.origin()}/account`)
    expect(await page.locator('h1').innerText()).toBe('You’re offline')
    expect(await page.content()).not.toContain(name)
    await page.context().setOffline(false)
    await page.goto(`${app.origin()}/`)
    expect(await page.locator('#kept').count()).toBe(0)
  })

  it('keeps four pages and their files, and nothing else that was looked at', async () => {
    const page = await visited('manager')
    for (const path of ['/incidents', '/admin', '/account', '/contacts', '/'])
      await page.goto(app.origin() + path)
    const addresses = await page.evaluate<string[]>(
      `caches.keys().then(async (names) => (await Promise.all(names.map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())`,
    )
    expect(addresses.filter((path) => !path.startsWith('/static/')).sort()).toEqual([
      '/',
      '/offline',
      '/report/offline',
      '/report/waiting',
    ])
  })

  itInWholeRun('forgets all of it when the house wants none', async () => {
    const page = await visited(null)
    config.serviceWorker = false
    await page.goto(`${app.origin()}/`)
    await expect.poll(() => page.evaluate('caches.keys()'), patience).toEqual([])
    config.serviceWorker = true
  })
})
