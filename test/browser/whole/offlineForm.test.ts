import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import { clockOf, enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { picture } from '../../support/pictures.js'
import { serverKeys } from '../../support/push/subscription.js'
import { type KeptReport, keptReports, putReport } from '../../support/waitingReports.js'
import { layoutFaults, violationsOpened } from '../audit.js'

/** A worker starts slowly on a busy machine. */
const patience = { timeout: 100_000 }
const [labelOfTitle, keep] = ['What’s wrong?', 'Save report on this phone']

describe.skipIf(withoutBrowser)('the report form without a connection', () => {
  const house = useHouse()
  const browser = useBrowser()
  const push = config.webPush
  afterAll(() => {
    config.webPush = push
  })

  const keptPage = (page: Page) =>
    expect.poll(() => page.evaluate('caches.match("/report/offline").then(Boolean)'), patience).toBe(true)
  const cut = (page: Page, is = true) => page.context().setOffline(is)
  const go = (page: Page, path: string) => page.goto(house.origin() + path)

  /** A browser that was here once, as somebody, and has no connection now. */
  async function inTheLift(who: string | null, options = {}): Promise<Page> {
    const page = await browser.open({ serviceWorkers: 'allow', ...options })
    if (who) await enterAs(page, house, who)
    await go(page, '/')
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await keptPage(page)
    await cut(page)
    return page
  }

  async function lift(): Promise<{ id: number; name: string }> {
    const [found] = await query<{ id: number; name: string }>(
      `select id, name from assets where archived_at is null order by id limit 1`,
    )
    return found!
  }

  /** Opens the form by its sticker, writes and keeps. */
  async function wrote(page: Page, title: string, { photos = 0 } = {}): Promise<void> {
    await go(page, `/r/${(await lift()).id}`)
    await page.getByLabel(labelOfTitle).fill(title)
    await page.locator('#severity').check()
    if (photos) {
      const file = { name: 'a.png', mimeType: 'image/png', buffer: await picture('png') }
      await page.getByLabel('Choose photos').setInputFiles([file])
    }
    await page.getByRole('button', { name: keep }).click()
    await page.getByText('We’ve saved your report on this phone. It hasn’t been sent yet').waitFor()
  }

  const stored = (title: string) =>
    query(
      `select u.email, i.asset_id,
         (select count(*)::integer from photos p where p.incident_id = i.id) as photos
       from incidents i join users u on u.id = i.reporter_id where title = $1`,
      [title],
    )

  /** Opens the list with a connection and presses the button that says in whose name it goes. */
  async function sendAs(page: Page, name: string): Promise<void> {
    await cut(page, false)
    await go(page, '/report/waiting')
    await page.getByRole('button', { name: `Send now as ${name}`, exact: true }).click()
  }

  it('asks what the true form asks, above it the emergency number, and keeps no words for who comes next', async () => {
    const page = await inTheLift(null)
    const { id, name } = await lift()
    await go(page, `/report?assetId=${id}`)
    expect(await page.locator('#kept').innerText()).toMatch(/^You’re offline\. This page is from/)
    const tops = ['a[href^="tel:"]', 'form[data-offline]'].map((what) => page.locator(what).first())
    const [number, form] = await Promise.all(tops.map((each) => each.boundingBox()))
    expect(number!.y).toBeLessThan(form!.y)
    expect(await page.locator('#assetId option:checked').innerText()).toBe(name)
    const names = `[...new Set([...document.querySelector('form[data-offline]').elements].map((each) => each.name))]`
    const asked = await page.evaluate(names)
    // Nothing is kept without its title and its place.
    await page.getByRole('button', { name: keep }).click()
    expect(await page.locator(':invalid:is(input, select)').first().getAttribute('name')).toBe('title')
    await page.getByLabel(labelOfTitle).fill('Read by nobody')
    await page.locator('#assetId').selectOption('')
    await page.getByRole('button', { name: keep }).click()
    expect(await page.locator(':invalid:is(input, select)').first().getAttribute('name')).toBe('place')
    await page.locator('#assetId').selectOption('unit-1')
    await page.locator('#severity').check()
    await page.evaluate(`document.querySelector('#isAnonymous').closest('details').open = true`)
    await page.getByLabel('Hide my name from other residents').check()
    await page.getByRole('button', { name: keep }).click()
    await page.getByText('We’ve saved your report on this phone').waitFor()
    expect(await page.content()).not.toContain('Read by nobody')
    await page.goBack()
    await page.getByRole('button', { name: keep }).waitFor()
    expect(await page.getByLabel(labelOfTitle).inputValue()).toBe('')
    await cut(page, false)
    await go(page, '/report')
    expect(asked).toEqual(await page.evaluate(names.replace('form[data-offline]', 'form[action="/report"]')))
    await cut(page)
    await go(page, '/report?unitId=1')
    expect(await page.locator('#assetId').inputValue()).toBe('unit-1')
  })

  it('goes in nobody’s name who has not seen that it will, and from then on in theirs alone', async () => {
    const page = await inTheLift('resident')
    await wrote(page, 'By whom?')
    await page.context().clearCookies()
    await cut(page, false)
    await enterAs(page, house, 'board')
    // The page was shown without a connection, and named nobody.
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Check whose name it will be sent under').waitFor()
    expect(await stored('By whom?')).toEqual([])
    const shown = page.getByRole('button', { name: 'Send now as Eleanor Whitcombe' })
    await shown.waitFor()
    // Who is signed in changes once more while that page is open.
    await page.context().clearCookies()
    await enterAs(page, house, 'resident')
    await shown.click()
    await page.getByText('Check whose name it will be sent under').waitFor()
    expect(await stored('By whom?')).toEqual([])
    const archive = `update assets set archived_at = case when $2 then now() end where id = $1`
    const { id } = await lift()
    await query(archive, [id, true])
    await sendAs(page, 'Maya Okafor')
    await page.locator('#errors').waitFor()
    await query(archive, [id, false])
    await page.context().clearCookies()
    await enterAs(page, house, 'board')
    await go(page, '/report/waiting')
    await page.getByRole('button', { name: 'Send now', exact: true }).click()
    await page.getByText('Someone else is signed in. Only the person').waitFor()
    expect(await stored('By whom?')).toEqual([])
  })

  it('is not opened where no other report can be kept, and says so when one was not', async () => {
    const page = await inTheLift('resident')
    const at = await clockOf(page)
    const row = { at, fields: [], title: 'One of five', writer: 'x', state: 'waiting', bytes: 1 }
    for (const key of ['1', '2', '3', '4']) await putReport(page, { ...row, key })
    await go(page, '/report')
    await page.getByLabel(labelOfTitle).fill('The <sixth>')
    await page.locator('#assetId').selectOption({ index: 1 })
    await page.locator('#severity').check()
    await putReport(page, { ...row, key: '5' })
    await page.getByRole('button', { name: keep }).click()
    await page.getByText('We couldn’t save your report: this phone is full').waitFor()
    expect(await page.locator('#waiting').innerText()).toContain('The <sixth>')
    const other = await page.context().newPage()
    await other.goto(`${house.origin()}/report`)
    await other.getByText('This phone can’t hold more unsent reports').waitFor()
    await putReport(page, { ...row, key: '5', state: 'shown' })
    await page.reload()
    await page.getByText('We’ve saved your report on this phone. It hasn’t been sent yet').waitFor()
    expect((await keptReports(page)).map(({ title }) => title)).toContain('The <sixth>')
  })

  it('and what waited before outlive the worker that kept them', async () => {
    const page = await inTheLift('resident')
    await wrote(page, 'Kept by an older worker')
    await page.evaluate(`caches.open('kept-2').then((cache) => cache.put('/offline', new Response('older')))`)
    await cut(page, false)
    // Another script, as a new version has.
    config.webPush = { ...serverKeys, subject: 'mailto:office@building.example' }
    await page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found.update())')
    await expect.poll(() => page.evaluate('caches.keys()'), patience).toEqual(['kept-3'])
    await keptPage(page)
    await cut(page)
    await wrote(page, 'Kept by a newer worker')
    expect((await keptReports(page)).map(({ title }: KeptReport) => title).sort()).toEqual([
      'Kept by a newer worker',
      'Kept by an older worker',
    ])
    for (const left of [2, 1]) {
      expect((await keptReports(page)).length).toBe(left)
      await cut(page, false)
      await go(page, '/report/waiting')
      await page.getByRole('button', { name: 'Send now as Maya Okafor' }).first().click()
      await page.waitForURL(/notice=reported/)
    }
    expect(await stored('Kept by an older worker')).toHaveLength(1)
    expect(await stored('Kept by a newer worker')).toHaveLength(1)
  })

  it('is in the language last used, and without a fault there and on the list that it fills', async () => {
    const page = await inTheLift(null, { viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
    const faults = async () => [...(await violationsOpened(page)), ...(await layoutFaults(page))]
    await go(page, '/report')
    expect(await faults()).toEqual([])
    await cut(page, false)
    await go(page, '/language?locale=es&next=/')
    const kept = `caches.match('/report/offline').then((page) => page.headers.get('Content-Language'))`
    await expect.poll(() => page.evaluate(kept), patience).toBe('es')
    await cut(page)
    await go(page, '/report')
    await page.getByRole('heading', { level: 1, name: 'Reportar un problema' }).waitFor()
    expect(await faults()).toEqual([])
    const at = await clockOf(page)
    const row = { at, fields: [], writer: 'x', state: 'waiting', bytes: 1, photos: 2 }
    const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(4)
    await putReport(page, { ...row, key: '1', title: 'Esperando' })
    await putReport(page, { ...row, key: '2', title: long, writer: '' })
    await putReport(page, { ...row, key: '3', title: 'Rechazado', state: 'refused' })
    await putReport(page, { ...row, key: '4', title: 'Mostrado', state: 'shown' })
    await putReport(page, { key: '5', at, state: 'sent', address: '/incidents/1' })
    for (const where of ['/report/waiting', '/report/waiting?not=kept']) {
      await go(page, where)
      expect(await page.locator('#waiting > ul > li').count()).toBe(5)
      await page.evaluate(`document.querySelectorAll('details').forEach((each) => (each.open = true))`)
      expect(await faults()).toEqual([])
    }
  })
})
