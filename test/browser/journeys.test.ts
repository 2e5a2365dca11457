import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { demoPassword } from '../../src/app/start.js'
import { query } from '../../src/platform/db/database.js'
import { actsOn } from '../support/acts.js'
import { useApp } from '../support/app.js'
import { enterAs, useBrowser, withoutBrowser } from '../support/browser.js'
import { anIncident } from '../support/builders/incident.js'
import { picture } from '../support/pictures.js'

// Without a browser on the machine there is nothing to drive; CI installs one and insists (REQUIRE_BROWSER).
describe.skipIf(withoutBrowser)('what people do most, counted in acts on a phone', () => {
  const app = useApp()
  const browser = useBrowser()
  let assetId: number
  let id: number

  beforeEach(async () => {
    const { assets } = await app.json('guest', '/api/status')
    assetId = assets.find(({ status }: { status: string }) => status === 'operational').id
    id = await anIncident({ assetId, title: 'It rattles', severity: 'low' })
  })

  async function openAs(who: string | null, path: string): Promise<Page> {
    const page = await browser.open()
    if (who) await enterAs(page, app, who)
    await page.goto(app.origin() + path)
    return page
  }
  const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name })

  it('an incident is acknowledged from its page in 2', async () => {
    const page = await openAs('manager', `/incidents/${id}`)
    const acts = actsOn(page)
    await acts.tap(button(page, 'Acknowledge'))
    await page.waitForURL(/notice=/)
    expect(acts.total()).toBeLessThanOrEqual(2)
  })

  it('an update with a promise is posted in 5', async () => {
    const page = await openAs('manager', `/incidents/${id}`)
    const acts = actsOn(page)
    await acts.tap(page.getByRole('link', { name: 'Post an update' }))
    await acts.fill(page.getByLabel('Update for residents'), 'The part comes tomorrow.')
    await acts.fill(page.getByLabel('Expected back'), '2099-01-01T10:00')
    await acts.tap(button(page, 'Post an update'))
    await page.waitForURL(/notice=/)
    expect(acts.total()).toBeLessThanOrEqual(5)
  })

  it('the boiler report of three weeks ago is found in 3', async () => {
    const [asset] = await query<{ id: number }>(`select id from assets where name ilike '%boiler%'`)
    const old = await anIncident({ assetId: asset!.id, title: 'Only cold water', severity: 'low' })
    await query(`update incidents set created_at = now() - interval '21 days' where id = $1`, [old])
    const page = await openAs('manager', '/admin')
    const acts = actsOn(page)
    const search = page.getByRole('banner').getByRole('searchbox')
    await acts.fill(search, 'boiler')
    await search.press('Enter')
    await page.waitForURL(/q=boiler/)
    await acts.tap(page.getByRole('link', { name: 'Only cold water' }))
    await page.waitForURL(`**/incidents/${old}`)
    expect(acts.total()).toBeLessThanOrEqual(3)
  })

  it('reports are exported as a spreadsheet in 3', async () => {
    const page = await openAs('manager', '/incidents')
    const acts = actsOn(page)
    const download = page.waitForEvent('download')
    await acts.tap(page.getByRole('link', { name: /CSV|spreadsheet/i }))
    expect((await download).suggestedFilename()).toMatch(/\.csv$/)
    expect(acts.total()).toBeLessThanOrEqual(3)
  })

  it('a guest reports with a photo in 11', async () => {
    const page = await openAs(null, `/r/${assetId}`)
    const acts = actsOn(page)
    await acts.fill(page.getByLabel('What’s wrong?'), 'It smells of rubber')
    await acts.tap(page.getByLabel('Works, but not properly'))
    await page
      .getByLabel('Photos')
      .setInputFiles({ name: 'lift.png', mimeType: 'image/png', buffer: await picture('png') })
    acts.counts.taps++
    await acts.tap(button(page, 'Send report'))
    await page.waitForURL(/sign-in/)
    await acts.fill(page.locator('#email'), 'resident@example.com')
    await acts.fill(page.locator('#password'), demoPassword)
    await acts.tap(page.getByRole('main').getByRole('button', { name: 'Sign in' }).first())
    await page.waitForURL(/\/incidents\/\d+/)
    expect(acts.total()).toBeLessThanOrEqual(11)
  })

  it('a guest has it too in 4', async () => {
    const page = await openAs(null, `/r/${assetId}`)
    const acts = actsOn(page)
    await acts.tap(page.getByRole('link', { name: 'I have this too' }).first())
    await acts.fill(page.getByLabel('Your email address'), 'jo@outside.test')
    await acts.tap(button(page, 'Email me a link'))
    await page.waitForURL(/notice=followLinkSent/)
    expect(acts.total()).toBeLessThanOrEqual(4)
  })

  it('an incident is followed by email in 4', async () => {
    const page = await openAs(null, `/incidents/${id}`)
    const acts = actsOn(page)
    await acts.tap(page.locator('.follow summary'))
    await acts.fill(page.getByLabel('Your email address'), 'jo@outside.test')
    await acts.tap(button(page, 'Email me a link'))
    await page.waitForURL(/notice=followLinkSent/)
    expect(acts.total()).toBeLessThanOrEqual(4)
  })
})
