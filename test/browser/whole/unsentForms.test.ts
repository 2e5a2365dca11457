import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { keptReports } from '../../support/waitingReports.js'
import { layoutFaults, violationsOpened } from '../audit.js'

/** A worker starts slowly on a busy machine. */
const patience = { timeout: 100_000 }

describe.skipIf(withoutBrowser)('a form that is never sent later, without a connection', () => {
  const house = useHouse()
  const browser = useBrowser()
  const { maya, neighbour } = house

  /** A page of this person, in a browser whose worker has what it needs. */
  async function open(who: string | null, path: string, options = {}): Promise<Page> {
    const page = await browser.open({ serviceWorkers: 'allow', ...options })
    if (who) await enterAs(page, house, who)
    await page.goto(`${house.origin()}/`)
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await expect.poll(() => page.evaluate('caches.match("/offline").then(Boolean)'), patience).toBe(true)
    await page.goto(house.origin() + path)
    return page
  }
  const cut = (page: Page, is = true) => page.context().setOffline(is)
  const notSent = (page: Page) => page.getByRole('heading', { name: 'Not sent: you’re offline' }).waitFor()
  const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' }).click()
  const inMain = (page: Page, name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).first()

  it('says so, and stops following at another try', async () => {
    const report = await maya.reports(await house.lift())
    const page = await open('resident', `/incidents/${report}`)
    await cut(page)
    await inMain(page, 'Unfollow this report').click()
    await notSent(page)
    expect(await keptReports(page)).toEqual([])
    await tryAgain(page)
    await notSent(page)
    await cut(page, false)
    await tryAgain(page)
    await page.waitForURL(/notice=unfollowed/)
  })

  it('of staff has what was typed, is sent once by another try, and stores nothing', async () => {
    const report = await neighbour.reports(await house.lift())
    const page = await open('manager', `/incidents/${report}`)
    await page.locator('textarea[name=body]').first().fill('The <engineer> comes\nat "ten"')
    await cut(page)
    await page.evaluate(`document.querySelector('textarea[name=body]').form.requestSubmit()`)
    await notSent(page)
    expect(await page.locator('blockquote').innerText()).toBe('The <engineer> comes\nat "ten"')
    expect([await keptReports(page), await page.locator('input[type=file]').count()]).toEqual([[], 0])
    await cut(page, false)
    await tryAgain(page)
    await page.waitForURL(/notice=/)
    const bodies = await query('select body from incident_updates where incident_id = $1', [report])
    // Forms end lines by two characters.
    expect(bodies.map(({ body }) => String(body).replaceAll('\r', ''))).toEqual([
      'The <engineer> comes\nat "ten"',
    ])
  })

  it('repeats no password', async () => {
    const page = await open(null, '/sign-in')
    await page.locator('#email').fill('resident@example.com')
    await page.locator('#password').fill('my secret words')
    await cut(page)
    await page.locator('#password').press('Enter')
    await notSent(page)
    await page.getByText('Go back to the form').waitFor()
    expect(await page.content()).not.toContain('my secret words')
  })

  it('to sign out says that one is signed in, after the kept pages are gone', async () => {
    const page = await open('resident', '/contacts')
    const seen = () => page.evaluate('caches.match("/contacts").then(Boolean)')
    await expect.poll(seen, patience).toBe(true)
    await cut(page)
    await page.evaluate(`document.querySelector('form[action="/sign-out"]').submit()`)
    await notSent(page)
    await page.getByText('You’re still signed in').waitFor()
    await expect.poll(seen, patience).toBe(false)
    await cut(page, false)
    await tryAgain(page)
    await page.waitForURL(/notice=signedOut/)
  })

  it('of another site is not sent in our name', async () => {
    const report = await neighbour.reports(await house.lift())
    const page = await open('resident', '/')
    const action = `${house.origin()}/incidents/${report}/updates`
    const site = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(
        `<form method="post" action="${action}"><input name="formKey" value="11111111-1111-4111-8111-111111111111">
         <input name="body" value="From elsewhere"><button>Win</button></form>`,
      )
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    try {
      await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
      await page.getByRole('button', { name: 'Win' }).click()
      await page.waitForURL(action)
      await page.locator('h1').waitFor()
    } finally {
      site.closeAllConnections()
      site.close()
    }
    expect(await query('select id from incident_updates where incident_id = $1', [report])).toEqual([])
  })

  it('has no fault at 320 px, in Spanish and in the dark', async () => {
    const report = await neighbour.reports(await house.lift())
    const size = { width: 320, height: 640 }
    const page = await open('manager', `/incidents/${report}`, {
      viewport: size,
      colorScheme: 'dark',
      locale: 'es',
    })
    await page.locator('textarea[name=body]').first().fill('Palabra'.repeat(30))
    await cut(page)
    await page.evaluate(`document.querySelector('textarea[name=body]').form.requestSubmit()`)
    await page.locator('#unsent blockquote').waitFor()
    expect([...(await violationsOpened(page)), ...(await layoutFaults(page))]).toEqual([])
  })
})
