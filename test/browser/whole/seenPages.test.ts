import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { multipart, picture } from '../../support/pictures.js'
import { keptReports } from '../../support/waitingReports.js'
import { layoutFaults, violationsOpened } from '../audit.js'

/** How many photos the browser keeps. */
const photosKept = `caches.has('seen-1').then(async (has) => !has ? 0 : (
  await (await caches.open('seen-1')).keys()).filter(({ url }) => url.includes('/api/photos/')).length)`

/** A worker starts slowly on a busy machine. */
const patience = { timeout: 100_000 }

describe.skipIf(withoutBrowser)('pages seen before, without a connection', () => {
  const house = useHouse()
  const browser = useBrowser()
  const { maya, neighbour, office } = house

  const go = (page: Page, path: string) => page.goto(house.origin() + path)
  const cut = (page: Page, is = true) => page.context().setOffline(is)

  /** A browser with a worker, which has opened these pages. */
  async function whoSaw(who: string | null, paths: string[], options = {}): Promise<Page> {
    const page = await browser.open({ serviceWorkers: 'allow', ...options })
    if (who) await enterAs(page, house, who)
    await go(page, '/')
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await expect.poll(() => page.evaluate('caches.match("/offline").then(Boolean)'), patience).toBe(true)
    for (const path of paths) await go(page, path)
    return page
  }
  const seen = async (page: Page) => {
    const addresses = await page.evaluate<string[]>(
      `caches.has('seen-1').then(async (has) => has ? (await (await caches.open('seen-1')).keys()).map(({ url }) => new URL(url).pathname) : [])`,
    )
    return addresses.filter((path) => !/^\/(static|api)\//.test(path)).sort()
  }
  const worker = (page: Page) => page.context().serviceWorkers()[0]!
  const isSeen = (page: Page, paths: string[]) => expect.poll(() => seen(page), patience).toEqual(paths)

  it('are shown with the time they are from, and listed where another page is missing', async () => {
    const report = await neighbour.reports(await house.lift(), { title: 'The <door> sticks' })
    const page = await whoSaw('resident', ['/contacts', `/incidents/${report}?notice=commented`])
    await isSeen(page, ['/contacts', `/incidents/${report}`])
    await cut(page)
    await go(page, `/incidents/${report}`)
    expect(await page.locator('#kept').innerText()).toMatch(
      /^You’re offline\. This page is from \d\d:\d\d and may be out of date\.$/,
    )
    expect(await page.locator('h1').innerText()).toBe('The <door> sticks')
    expect(await page.getByText('Comment posted').count()).toBe(0)
    await go(page, '/history')
    await page.getByRole('heading', { name: 'Pages you can read offline' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Contacts', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    expect(await page.locator('#kept').count()).toBe(1)
  })

  it('keep what is written in them until someone sends it, once each', async () => {
    const report = await neighbour.reports(await house.lift())
    const page = await whoSaw('resident', [`/incidents/${report}`])
    await isSeen(page, [`/incidents/${report}`])
    await cut(page)
    for (const text of ['First', 'Second']) {
      await go(page, `/incidents/${report}`)
      await page.locator('[name=body]').fill(text)
      await page.getByRole('button', { name: 'Post comment' }).click()
      await page.getByText('We’ve saved your comment on this phone').waitFor()
    }
    expect((await keptReports(page)).map(({ writer }) => writer)).toEqual(['', ''])
    await cut(page, false)
    for (const _each of ['First', 'Second']) {
      await go(page, '/report/waiting')
      await page.getByRole('button', { name: 'Send now as Maya Okafor' }).first().click()
      await page.waitForURL(/notice=commented/)
    }
    const { updates } = await maya.json(`/api/incidents/${report}`)
    expect(updates.map(({ body }: { body: string }) => body).sort()).toEqual(['First', 'Second'])
  })

  it('have the form behind “No”, whose words are kept', async () => {
    const report = await maya.reports(await house.lift())
    await office.resolves(report, 'Oiled.')
    const page = await whoSaw('resident', [`/incidents/${report}`])
    await isSeen(page, [`/incidents/${report}`, `/incidents/${report}/verify`])
    await cut(page)
    await go(page, `/incidents/${report}`)
    await page.locator(`a[href="/incidents/${report}/verify"]`).click()
    await page.locator('[name=body]').fill('It still sticks')
    await page.locator('button[value=false]').click()
    await page.getByText('We’ve saved your answer on this phone').waitFor()
    await cut(page, false)
    await go(page, '/report/waiting')
    await page.getByRole('button', { name: 'Send now as Maya Okafor' }).click()
    await page.waitForURL(/notice=reopened/)
  })

  it('are gone after a sign-out, and when a page of someone else arrives', async () => {
    const page = await whoSaw('resident', ['/contacts'])
    await isSeen(page, ['/contacts'])
    await page.evaluate(`document.querySelector('form[action="/sign-out"]').submit()`)
    await page.waitForURL(/notice=signedOut/)
    await isSeen(page, [])
    await enterAs(page, house, 'resident')
    await go(page, '/contacts')
    await isSeen(page, ['/contacts'])
    await page.context().clearCookies()
    await enterAs(page, house, 'board')
    await go(page, '/history')
    await isSeen(page, [])
    await page.context().clearCookies()
    await enterAs(page, house, 'resident')
    await go(page, '/contacts')
    await isSeen(page, ['/contacts'])
    // Their session has ended: the next page is a guest's.
    await page.context().clearCookies()
    await go(page, '/')
    await isSeen(page, [])
    await cut(page)
    await go(page, '/contacts')
    expect(await page.locator('h1').innerText()).toBe('You’re offline')
  })

  it('are not stored when they come after a sign-out, or after a page of someone else', async () => {
    const page = await whoSaw('resident', ['/contacts'])
    await isSeen(page, ['/contacts'])
    const reader = await page.evaluate(
      `caches.match('/contacts').then(({ headers }) => headers.get('X-Reader'))`,
    )
    /** A page that the server answered in that epoch arrives. */
    const arrives = (who: unknown, since: string) =>
      worker(page).evaluate(`keepSeen(
        new URL('/incidents', location.origin),
        new Response('<title>Reports</title>', {
          headers: { 'Content-Type': 'text/html', 'X-Keep-Page': 'yes', 'X-Reader': '${who}' },
        }),
        ${since},
      )`)
    await worker(page).evaluate('globalThis.before = seenEpoch(), null')
    await arrives(reader, 'before')
    expect(await seen(page)).toEqual(['/contacts', '/incidents'])
    await page.evaluate(`document.querySelector('form[action="/sign-out"]').submit()`)
    await page.waitForURL(/notice=signedOut/)
    await arrives(reader, 'before')
    expect(await seen(page)).toEqual([])
    await worker(page).evaluate('globalThis.before = seenEpoch(), null')
    await arrives('another', 'seenEpoch()')
    await arrives(reader, 'before')
    const readers = await page.evaluate(
      `caches.match('/incidents').then(({ headers }) => headers.get('X-Reader'))`,
    )
    expect([await seen(page), readers]).toEqual([['/incidents'], 'another'])
  })

  it('have their photos and “My reports”, until someone else holds the phone', async () => {
    const fields = { assetId: String(await house.lift()), title: 'Scratched', severity: 'low' }
    const body = multipart(fields, [{ bytes: await picture('png') }])
    const { id } = await maya.json('/api/incidents', { body })
    const page = await whoSaw('resident', ['/my-reports', `/incidents/${id}`])
    await isSeen(page, [`/incidents/${id}`, '/my-reports'])
    const kept = () => page.evaluate<number>(photosKept)
    expect(await kept()).toBe(1)
    await cut(page)
    await go(page, '/my-reports')
    await page.getByText('This page is from').waitFor()
    await page.getByRole('link', { name: 'Scratched' }).click()
    const photo = page.locator('img[src$=".thumb.jpg"]').first()
    await photo.scrollIntoViewIfNeeded()
    await expect
      .poll(() => photo.evaluate((img) => (img as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
    await cut(page, false)
    await page.context().clearCookies()
    await enterAs(page, house, 'board')
    await go(page, '/history')
    await expect.poll(kept, patience).toBe(0)
    await cut(page)
    await go(page, `/incidents/${id}`)
    expect(await page.locator('h1').innerText()).toBe('You’re offline')
  })

  it('stay when everyone gets the last known status, because the database is away', async () => {
    const page = await whoSaw('resident', ['/contacts'])
    await isSeen(page, ['/contacts'])
    await worker(page).evaluate(`keepSeen(
      new URL('/', location.origin),
      new Response('', { headers: { 'Content-Type': 'text/html', 'Cache-Control': 'no-store' } }),
    )`)
    expect(await seen(page)).toEqual(['/contacts'])
  })

  it('are never those of staff, at most 20, and a week old at most', async () => {
    const page = await whoSaw('manager', ['/contacts', '/incidents'])
    expect(await seen(page)).toEqual([])
    await page.context().clearCookies()
    await enterAs(page, house, 'resident')
    await go(page, '/contacts')
    await isSeen(page, ['/contacts'])
    await page.evaluate(`caches.open('seen-1').then(async (cache) => {
      const page = await cache.match('/contacts')
      const text = await page.text()
      const put = (path, ago) => {
        const headers = new Headers(page.headers)
        headers.set('X-Kept-At', new Date(Date.now() - ago).toISOString())
        return cache.put(path, new Response(text, { headers }))
      }
      for (let n = 1; n <= 25; n += 1) await put('/incidents/' + n, n * 60_000)
      await put('/assets/1', 8 * 86_400_000)
    })`)
    await go(page, '/incidents')
    await expect.poll(async () => (await seen(page)).length, patience).toBe(20)
    expect(await seen(page)).toContain('/contacts')
    expect(await seen(page)).not.toContain('/assets/1')
    expect(await seen(page)).toContain('/incidents')
  })

  it('have no fault at 320 px, in Spanish and in the dark', async () => {
    const report = await neighbour.reports(await house.lift())
    const options = { viewport: { width: 320, height: 640 }, colorScheme: 'dark', locale: 'es' }
    const page = await whoSaw('resident', [`/incidents/${report}`, '/contacts'], options)
    await isSeen(page, ['/contacts', `/incidents/${report}`])
    await cut(page)
    for (const path of [`/incidents/${report}`, '/history']) {
      await go(page, path)
      expect([...(await violationsOpened(page)), ...(await layoutFaults(page))]).toEqual([])
    }
  })
})
