import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.js'
import { signInOn, useBrowser, withoutBrowser } from '../support/browser.js'
import { picture } from '../support/pictures.js'
import { itInWholeRun, sampled } from '../support/suite/extent.js'

// Without a browser on the machine there is nothing to drive; CI installs one and insists (REQUIRE_BROWSER).
describe.skipIf(withoutBrowser)('a resident reports a fault with a photo, staff fix it', () => {
  const app = useApp()
  const browser = useBrowser()

  const ways: [string, boolean][] = [
    ['with scripts', true],
    ['without scripts', false],
  ]
  it.each(sampled(ways, 2))('%s', async (_how, javaScriptEnabled) => {
    const { assets } = await app.json('guest', '/api/status')
    const asset = assets.find(({ status }: { status: string }) => status === 'operational')
    const title = `Stuck ${javaScriptEnabled ? 'with' : 'without'} scripts`

    const resident = await browser.open({ javaScriptEnabled })
    await signInOn(resident, app.origin(), 'resident')
    await resident.goto(`${app.origin()}/r/${asset.id}`)
    expect(await resident.getByLabel('What’s broken?').inputValue()).toBe(`asset-${asset.id}`)
    await resident.getByLabel('What’s wrong?').fill(title)
    await resident.getByLabel('Dangerous, or people can’t get in or out').check()
    await resident
      .getByLabel('Photos')
      .setInputFiles({ name: 'lift.png', mimeType: 'image/png', buffer: await picture('png') })
    await resident.getByRole('button', { name: 'Send report' }).click()
    await resident.waitForURL(/\/incidents\/\d+/)
    expect(await resident.getByRole('heading', { level: 1 }).innerText()).toBe(title)
    expect(await resident.getByRole('img', { name: /Photo 1 of 1/ }).count()).toBe(1)
    const incident = new URL(resident.url()).pathname

    await resident.goto(app.origin())
    const row = resident.locator(`#asset-${asset.id}`)
    expect(await row.innerText()).toContain('Out of service')
    expect(await resident.title()).toMatch(/out of service/)

    const manager = await browser.open({ javaScriptEnabled, viewport: { width: 1280, height: 900 } })
    await signInOn(manager, app.origin(), 'manager')
    for (const status of ['Seen by the office', 'Marked as fixed']) {
      await manager.goto(app.origin() + incident)
      await manager.getByLabel('Update for residents').fill(`Now ${status.toLowerCase()}`)
      await manager.getByLabel('New status').selectOption({ label: status })
      await manager.getByRole('button', { name: 'Post an update' }).click()
      await manager.waitForURL(/notice=updated/)
    }

    await resident.goto(app.origin())
    expect(await row.innerText()).toContain('Working')
    expect(browser.complaints).toEqual([])
  })

  itInWholeRun('leaves a refused form’s words and photo in place', async () => {
    const page = await browser.open({ javaScriptEnabled: false })
    await signInOn(page, app.origin(), 'resident')
    await page.goto(`${app.origin()}/report`)
    await page.getByLabel('More detail (optional)').fill('Since this morning')
    await page
      .getByLabel('Photos')
      .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await picture() })
    await page.getByRole('button', { name: 'Send report' }).click()
    // A press waits for the first byte of the next page, and a title has not come with that.
    await page.locator('#errors').waitFor()
    await page.waitForLoadState()
    expect(await page.title()).toMatch(/^Error: /)
    expect(await page.getByLabel('More detail (optional)').inputValue()).toBe('Since this morning')
    expect(await page.getByText('1 photo already attached').count()).toBe(1)
    await page.getByRole('link', { name: 'Enter a short title' }).click()
    expect(await page.evaluate('document.activeElement.id').catch(() => 'title')).toBe('title')
  })

  itInWholeRun('is told when nothing comes any more, and that something comes again', async () => {
    const page = await browser.open()
    await page.goto(app.origin())
    const poll = () =>
      page.evaluate(
        `htmx.ajax('GET', '/live', { source: '#live', target: '#live', swap: 'outerHTML' }).catch(() => {})`,
      )
    const offline = page.locator('#offline')
    expect(await offline.isVisible()).toBe(false)
    await page.route('**/live', (route) => route.abort('connectionfailed'))
    await poll()
    await offline.waitFor({ state: 'visible' })
    expect(await page.locator('#live [aria-busy], #live[aria-busy]').count()).toBe(0)
    await page.unroute('**/live')
    await poll()
    await offline.waitFor({ state: 'hidden' })
    await page.route('**/live', (route) => route.fulfill({ status: 503, body: '' }))
    await poll()
    await offline.waitFor({ state: 'visible' })
    await page.unroute('**/live')
    await offline.getByRole('link', { name: 'Try again' }).click()
    await page.waitForURL(`${app.origin()}/`)
    expect(await offline.isVisible()).toBe(false)
    browser.complaints.length = 0
  })

  itInWholeRun('sees a change within a poll, without losing an opened list of days', async () => {
    const page = await browser.open()
    await page.goto(app.origin())
    const details = page.locator('#live details').first()
    await details.locator('summary').click()
    const id = await details.getAttribute('id')
    const { assets } = await app.json('guest', '/api/status')
    const asset = assets.find(({ status }: { status: string }) => status === 'operational')
    await app.json('resident', '/api/incidents', {
      json: { assetId: asset.id, title: 'Gone', severity: 'critical' },
    })
    await page.evaluate(`htmx.ajax('GET', '/live', { source: '#live', target: '#live', swap: 'outerHTML' })`)
    await page.locator(`#asset-${asset.id}.down`).waitFor()
    expect(await page.locator(`#${id}`).getAttribute('open')).not.toBeNull()
    expect(await page.locator('#announcements').innerText()).toBe(`${asset.name}: Out of service`)
    expect(browser.complaints).toEqual([])
  })
})
