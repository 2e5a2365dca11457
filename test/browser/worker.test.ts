import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { enterAs, useBrowser, withoutBrowser } from '../support/browser.js'
import { useHouse } from '../support/house/house.js'
import { picture } from '../support/pictures.js'
import { keptReports } from '../support/waitingReports.js'

/** A worker starts slowly on a busy machine. */
const patience = { timeout: 100_000 }

describe.skipIf(withoutBrowser)('a browser that loses its connection', () => {
  const house = useHouse()
  const browser = useBrowser()

  it('shows the last known status and the report form, without names, and sends the report once', async () => {
    const page = await browser.open({ serviceWorkers: 'allow' })
    const go = (path: string) => page.goto(house.origin() + path)
    const name = 'Maya Okafor'
    await enterAs(page, house, 'resident')
    await go('/')
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    for (const kept of ['/offline', '/report/offline', '/report/waiting'])
      await expect.poll(() => page.evaluate(`caches.match("${kept}").then(Boolean)`), patience).toBe(true)
    expect(await page.content()).toContain(name)

    await page.context().setOffline(true)
    await go('/')
    expect(await page.locator('#kept').innerText()).toMatch(
      /^You’re offline\. This status is from \d\d:\d\d\.$/,
    )
    expect(await page.locator('.assets li').count()).toBeGreaterThan(0)
    expect(await page.content()).not.toContain(name)
    await go('/account')
    expect(await page.locator('h1').innerText()).toBe('You’re offline')
    expect(await page.content()).not.toContain(name)

    await go('/r/1')
    await page.getByLabel('What’s wrong?').fill('Stuck in the lift')
    await page.locator('#severity').check()
    const file = { name: 'a.png', mimeType: 'image/png', buffer: await picture('png') }
    await page.getByLabel('Choose photos').setInputFiles([file])
    await page.getByRole('button', { name: 'Save report on this phone' }).click()
    await page.getByText('We’ve saved your report on this phone. It hasn’t been sent yet').waitFor()
    expect(await page.locator('#waiting').innerText()).toContain('Press “Send now” when you’re online')
    expect((await keptReports(page)).map(({ writer, photos }) => [writer, photos])).toEqual([['', 1]])

    const stored = () =>
      query(
        `select u.email, i.asset_id,
           (select count(*)::integer from photos p where p.incident_id = i.id) as photos
         from incidents i join users u on u.id = i.reporter_id where title = 'Stuck in the lift'`,
      )
    await page.context().setOffline(false)
    await go('/contacts')
    await page.getByText('You have an unsent report on this phone').waitFor()
    expect(await stored()).toEqual([])
    await go('/report/waiting')
    await page.getByRole('button', { name: `Send now as ${name}`, exact: true }).click()
    await page.waitForURL(/notice=reported/)
    expect(await stored()).toEqual([{ email: 'resident@example.com', assetId: 1, photos: 1 }])
    expect(await keptReports(page)).toEqual([])

    await go('/')
    expect(await page.locator('#kept').count()).toBe(0)
    // Of what else was looked at only the contacts and the report with its photo are kept.
    const addresses = await page.evaluate<string[]>(
      `caches.keys().then(async (names) => (await Promise.all(names.map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())`,
    )
    expect(
      [...new Set(addresses)].filter((path) => !/^\/(static|incidents|api\/photos)\//.test(path)).sort(),
    ).toEqual(['/', '/contacts', '/offline', '/report/offline', '/report/waiting'])
  })
})
