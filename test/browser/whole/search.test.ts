import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page, Route } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clockOf, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'

const require = createRequire(import.meta.url)
const lines = ['htmx.org', 'htmx4']

describe.skipIf(withoutBrowser)('who types into the search', () => {
  const house = useHouse()
  const browser = useBrowser()
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    for (const title of ['Quagga in the lift', 'Quagga on the roof', 'Otter in the pool']) {
      const json = { assetId: 1, title, severity: 'low' }
      ids[title] = (await house.json('mobile', '/api/incidents', { json })).id
    }
  })
  afterEach(() => {
    // htmx 2 tells the console of what it drops.
    const messages = browser.complaints
      .splice(0)
      .filter((messages) => !/^htmx:(afterRequest|sendAbort)/.test(messages))
    expect(messages).toEqual([])
  })

  const field = (page: Page) => page.getByLabel('Search reports')
  const titles = (page: Page) => page.locator('#found .incidents .title').allInnerTexts()
  const listed = (page: Page, wanted: string[]) => expect.poll(() => titles(page)).toEqual(wanted)
  const said = (page: Page) => page.locator('#announcements').innerText()
  const words = (page: Page) => new URL(page.url()).searchParams.get('q')
  const isFocused = (page: Page) => page.locator('#q:focus').count()

  async function opened(line = 'htmx.org'): Promise<Page> {
    const page = await browser.open()
    const body = readFileSync(require.resolve(`${line}/dist/htmx.min.js`), 'utf8')
    await page.route('**/static/htmx.*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body }),
    )
    await page.goto(`${house.origin()}/incidents`)
    return page
  }

  /** Lets answers to a search wait until the returned function is called. */
  async function held(page: Page, q: string): Promise<() => void> {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const wait = async (route: Route) => {
      await released
      // The browser may have given it up.
      await route.continue().catch(() => {})
    }
    await page.route((url) => url.searchParams.get('q') === q, wait)
    return release
  }

  const quaggas = ['Quagga on the roof', 'Quagga in the lift']

  it.each(lines)('sees the list follow, in the field and at one step of the way back: %s', async (line) => {
    const page = await opened(line)
    const before = await titles(page)
    await page.getByText('Filters and order').click()
    await page.getByLabel('Sort by').selectOption('oldest')
    await field(page).focus()
    const steps = await page.evaluate('history.length')
    await page.keyboard.type('quagg')
    await listed(page, quaggas.toReversed())
    expect([await isFocused(page), await field(page).inputValue(), words(page)]).toEqual([
      1,
      'quagg',
      'quagg',
    ])
    expect(new URL(page.url()).searchParams.get('sort')).toBe('oldest')
    // htmx 4 tells of a swap a moment after the list is there.
    await expect.poll(() => page.title()).toMatch(/^quagg: 2 reports – /)
    await expect.poll(() => said(page)).toBe('quagg: 2 reports')
    expect(await page.evaluate('history.length')).toBe(steps)

    await page.getByRole('link', { name: quaggas[0]! }).click()
    await page.getByRole('heading', { level: 1, name: quaggas[0]! }).waitFor()
    await page.goBack()
    await listed(page, quaggas.toReversed())
    expect([await field(page).inputValue(), words(page)]).toEqual(['quagg', 'quagg'])

    if (!(await page.getByLabel('Sort by').isVisible())) await page.getByText('Filters and order').click()
    await page.getByLabel('Sort by').selectOption('')
    await field(page).press('Escape')
    await listed(page, before)
    expect([await isFocused(page), words(page)]).toEqual([1, ''])
  })

  it.each(lines)('sees no answer that is out of date: %s', async (line) => {
    const page = await opened(line)
    const release = await held(page, 'quagga')
    const asked = page.waitForRequest(/q=quagga/)
    const dropped = page.waitForEvent('requestfailed', (request) => request.url().includes('q=quagga'))
    await field(page).fill('quagga')
    await asked
    await field(page).fill('otter')
    await dropped
    await listed(page, ['Otter in the pool'])
    release()
    await page.unrouteAll({ behavior: 'wait' })
    expect([await titles(page), words(page)]).toEqual([['Otter in the pool'], 'otter'])
  })

  it('hears how many there are once, after the last pause', async () => {
    const page = await browser.open()
    await page.clock.install()
    await page.goto(`${house.origin()}/incidents`)
    await page.clock.pauseAt((await clockOf(page)) + 3_600_000)
    await field(page).focus()
    for (const part of ['ott', 'er']) {
      await page.keyboard.type(part)
      await page.clock.runFor(300)
      await listed(page, ['Otter in the pool'])
    }
    await expect.poll(() => words(page)).toBe('otter')
    expect(await said(page)).toBe('')
    await page.clock.runFor(1000)
    expect(await said(page)).toBe('otter: 1 report')
  })

  it('stays where the keyboard has gone to in the meantime', async () => {
    const page = await opened()
    const row = page.getByRole('link', { name: quaggas[1]! })
    const release = await held(page, 'quagga')
    const asked = page.waitForRequest(/q=quagga/)
    await field(page).fill('quagga')
    await asked
    await row.focus()
    release()
    await listed(page, quaggas)
    expect(await page.locator(`#INC-${ids[quaggas[1]!]} a:focus`).count()).toBe(1)
    const again = await held(page, 'otter')
    await field(page).fill('otter')
    await row.focus()
    again()
    await listed(page, ['Otter in the pool'])
    expect(await isFocused(page)).toBe(1)
  })

  it('is told when nothing comes, and loses no word', async () => {
    const page = await opened()
    await page.route(/q=quagga/, (route) => route.abort('connectionfailed'))
    await field(page).fill('quagga')
    const retry = page.locator('#offline a')
    await retry.waitFor()
    await page.unrouteAll()
    await retry.click()
    await listed(page, quaggas)
    expect(await field(page).inputValue()).toBe('quagga')
    browser.complaints.length = 0
  })
})
