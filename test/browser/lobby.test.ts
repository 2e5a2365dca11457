import pg from 'pg'
import type { Page, Route } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { useBrowser, withoutBrowser } from '../support/browser.js'
import { useHouse } from '../support/house/house.js'

describe.skipIf(withoutBrowser)('the lobby’s screen, which nobody touches', () => {
  const house = useHouse()
  const browser = useBrowser()
  const fullHd = { width: 1920, height: 1080 }

  beforeAll(async () => {
    // More than one page.
    for (let n = 1; n <= 100; n++)
      await house.asset({
        name: `Riser valve ${n} of the plant room`,
        towerId: 1 + (n % 2),
        category: 'Valve',
      })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    browser.complaints.splice(0)
  })

  const turnOf = (page: Page) => page.locator('header p').last().innerText()

  describe.each([
    ['no scripts', { javaScriptEnabled: false }, null],
    ['scripts that it cannot read', {}, 'const page = (x) => x ?. y ?? = 1'],
    ['scripts that end early', {}, 'undefined.reload()'],
  ])('on a browser with %s', (_what, options, script) => {
    it('turns its pages, begins again, and goes on after an error of the server', async () => {
      const page = await browser.open({ viewport: fullHd, ...options })
      await page.route('**/display*', sooner)
      if (script !== null)
        await page.route('**/static/display*.js', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: script }),
        )
      await page.goto(`${house.origin()}/display?page=1`)
      const turns = Number(/page 1 of (\d+)/.exec(await turnOf(page))![1])
      expect(turns).toBeGreaterThan(1)
      for (let turn = 2; turn <= turns; turn++) await page.waitForURL(`**/display?page=${turn}`)
      await page.waitForURL('**/display?page=1')

      failDatabase()
      await page.locator('h1:has-text("Something went wrong")').waitFor()
      vi.restoreAllMocks()
      await page.locator('.ticks').first().waitFor()
    })
  })

  it('keeps what it shows when the server fails, says how old that is, and goes on', async () => {
    const page = await opened()
    await page.clock.runFor(16_000)
    await expect.poll(() => turnOf(page)).toMatch(/page 2 of/)
    const before = await page.locator('.board').innerText()
    expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(0)

    await page.route('**/display*', (route) => route.fulfill({ status: 503, body: 'Sorry' }))
    await page.clock.runFor(20_000)
    expect(await page.locator('#stale').isVisible()).toBe(false)
    await page.clock.runFor(30_000)
    await page.locator('#stale').waitFor()
    expect(await page.locator('#stale').innerText()).toMatch(/^Not updated since \d\d:\d\d\. Information/)
    expect(await page.locator('.board').innerText()).toBe(before)
    expect(await outside(page)).toEqual([0, 0])

    // No network at all, and one that wants a sign-in.
    for (const answer of [
      (route: Route) => route.abort(),
      (route: Route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Sign in</h1>' }),
    ]) {
      await page.unroute('**/display*')
      await page.route('**/display*', answer)
      await page.clock.runFor(31_000)
      expect(await page.locator('#stale').isVisible()).toBe(true)
      expect(await page.locator('.board').innerText()).toBe(before)
    }

    await page.unroute('**/display*')
    await page.clock.runFor(16_000)
    await page.locator('#stale').waitFor({ state: 'hidden' })
    expect(await turnOf(page)).toMatch(/page 3 of|page 1 of/)
  })

  it('follows what happens, and tells screen readers on whichever page that is', async () => {
    const page = await opened()
    const row = page.locator('.ticks li.operational').first()
    const [id, name] = [await row.getAttribute('id'), await row.locator('.name').innerText()]
    const assetId = Number(id!.replace('asset-', ''))
    await house.report({ assetId, severity: 'critical', title: 'Gone dark' })
    const announcements = page.locator('#announcements')
    for (let turn = 0; turn < 6 && (await announcements.textContent()) === ''; turn++) {
      const before = await turnOf(page)
      await page.clock.runFor(16_000)
      await expect.poll(() => turnOf(page)).not.toBe(before)
    }
    expect(await announcements.textContent()).toBe(`${name}: Out of service`)
    expect(await page.title()).toMatch(/out of service/)
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('icon-down')
  })

  it('loads itself again when a new release has other files', async () => {
    const page = await opened()
    await page.evaluate('window.isOld = true')
    await page.route('**/display*', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replaceAll(/display\.[0-9a-f]+\.css/g, 'display.new.css')
      await route.fulfill({ response: answer, body })
    })
    await page.clock.runFor(16_000)
    await expect.poll(() => page.evaluate('window.isOld')).toBe(undefined)
  })

  it('works with the functions that a browser of 2016 has', async () => {
    const page = await browser.open({ viewport: fullHd })
    await page.addInitScript(withoutNewFunctions)
    await page.route('**/static/display*.js', async (route) => {
      const body = (await (await route.fetch()).text()).replace('interval = 15000', 'interval = 1000')
      await route.fulfill({ contentType: 'text/javascript', body })
    })
    await page.goto(`${house.origin()}/display`)
    await expect.poll(() => turnOf(page)).toMatch(/page 2 of/)
    expect(browser.complaints).toEqual([])
  })

  it.each([
    [1920, 1080],
    [1366, 768],
    [1080, 1920],
  ])('is laid out by a browser without variables at %d × %d', async (width, height) => {
    const page = await browser.open({ viewport: { width, height }, javaScriptEnabled: false })
    await page.route('**/static/display*.css', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replaceAll(/[\w-]+:[^;{}]*var\([^;}]*;?/g, '')
      await route.fulfill({ response: answer, body })
    })
    await page.goto(`${house.origin()}/display`)
    expect(await outside(page)).toEqual([0, 0])
    const [board, side] = await Promise.all(
      ['.board', '.side'].map((place) => page.locator(place).boundingBox()),
    )
    if (width > height) expect(side!.x).toBeGreaterThan(board!.x + board!.width)
    else expect(side!.y).toBeGreaterThanOrEqual(board!.y + board!.height)
  })

  it.each([
    [1920, 1080],
    [1080, 1920],
  ])('says nothing larger than the emergency number but the state, at %d × %d', async (width, height) => {
    const page = await browser.open({ viewport: { width, height }, javaScriptEnabled: false })
    await page.goto(`${house.origin()}/display`)
    const sizes = await page.locator('main *').evaluateAll((all) =>
      all
        .filter((el) => [...el.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim()))
        .filter((el) => !el.closest('h1'))
        .map((el) => [
          parseFloat(el.ownerDocument.defaultView!.getComputedStyle(el).fontSize),
          el.matches('.danger strong'),
        ]),
    )
    const largest = Math.max(...sizes.map(([size]) => Number(size)))
    for (const [size, isNumber] of sizes) expect(size === largest).toBe(isNumber)
    const headline = await page.locator('h1').evaluate((el) => parseFloat(getComputedStyle(el).fontSize))
    expect(headline).toBeGreaterThan(largest)
  })

  async function opened(): Promise<Page> {
    const page = await browser.open({ viewport: fullHd })
    await page.clock.install()
    await page.goto(`${house.origin()}/display`)
    return page
  }
})

/** The server's own answer, whose time to ask again passes quickly. */
async function sooner(route: Route): Promise<void> {
  const answer = await route.fetch()
  const headers = answer.headers()
  if (headers.refresh) headers.refresh = headers.refresh.replace(/^\d+;/, '1;')
  const body = (await answer.text()).replace(/content="\d+; url/, 'content="1; url')
  await route.fulfill({ status: answer.status(), headers, body })
}

function failDatabase(): void {
  const fail = () => {
    throw new TypeError('broken')
  }
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(fail)
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(fail)
}

/** How far the page is higher and wider than the screen, in pixels. */
const outside = (page: Page) =>
  page.evaluate<number[]>(
    '[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]',
  )

/** Takes away what came after 2015, as far as a script of ours could be tempted to use it. */
const withoutNewFunctions = `
  for (const name of ['fetch', 'AbortController', 'URLSearchParams', 'structuredClone', 'queueMicrotask'])
    delete window[name]
  for (const name of ['append', 'prepend', 'remove', 'replaceWith', 'replaceChildren', 'closest', 'toggleAttribute'])
    delete Element.prototype[name]
  for (const name of ['forEach', 'entries', 'values', Symbol.iterator]) delete NodeList.prototype[name]
  for (const name of ['includes', 'flat', 'flatMap', 'at']) delete Array.prototype[name]
  for (const name of ['entries', 'values', 'fromEntries', 'hasOwn']) delete Object[name]
  for (const name of ['padStart', 'padEnd', 'replaceAll', 'matchAll', 'at']) delete String.prototype[name]
`
