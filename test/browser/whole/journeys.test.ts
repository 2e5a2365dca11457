import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { actsOn } from '../../support/acts.js'
import { useApp } from '../../support/app.js'
import { answerSignIn, enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { anIncident } from '../../support/builders/incident.js'
import { picture } from '../../support/pictures.js'
import { scalar } from '../../support/rows.js'

const ways = [true, false]

describe.skipIf(withoutBrowser).each(ways)(
  'what people do most, in acts on a phone, scripts %s',
  (scripts) => {
    const app = useApp()
    const browser = useBrowser()
    let assetId: number
    let id: number

    beforeEach(async () => {
      await query(`update incidents set status = 'verified', acknowledged_at = coalesce(acknowledged_at, created_at),
      resolved_at = coalesce(resolved_at, now()), verified_at = coalesce(verified_at, now()) where status <> 'verified'`)
      const { assets } = await app.json('guest', '/api/status')
      assetId = assets.find(({ status }: { status: string }) => status === 'operational').id
      id = await anIncident({ assetId, title: 'It rattles', severity: 'low' })
    })

    /** A page of somebody, and the acts it took so far; the sign-in is not counted. */
    async function openAs(who: string | null, path: string) {
      const page = await browser.open({ javaScriptEnabled: scripts })
      if (who) await enterAs(page, app, who)
      await page.goto(app.origin() + path)
      return { page, acts: actsOn(page) }
    }
    const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name })

    it('a report is acknowledged from its page in 2, from the desk in 3, and once', async () => {
      const { page, acts } = await openAs('manager', `/incidents/${id}`)
      await acts.tap(button(page, 'Acknowledge'))
      await page.waitForURL(/notice=/)
      expect(acts.total()).toBeLessThanOrEqual(2)
      const second = await anIncident({ assetId, title: 'It squeaks', severity: 'low' })
      const [desk, other] = [
        await openAs('manager', '/admin?tab=new'),
        await openAs('manager', '/admin?tab=new'),
      ]
      await desk.acts.tap(desk.page.locator(`#row-${second} .act`))
      await desk.page.waitForURL(/notice=tap-acknowledge/)
      expect(desk.acts.total()).toBeLessThanOrEqual(3)
      expect(await desk.page.locator('.notice').innerText()).toContain(`INC-${second} acknowledged`)
      await other.page.locator(`#row-${second} .act`).click()
      await other.page.waitForURL(/notice=tap-already/)
      expect(await other.page.locator('.notice').innerText()).toContain('Nothing changed')
      await desk.page.goBack()
      expect(await desk.page.locator(`#row-${second}`).count()).toBe(0)
    })

    it('a duplicate is merged from the desk in 4, and that can be undone', async () => {
      const duplicate = await anIncident({ assetId, title: 'It rattles again', severity: 'low' })
      const { page, acts } = await openAs('manager', '/admin?tab=new')
      await acts.tap(page.locator(`#row-${duplicate} .row-menu summary`))
      await acts.tap(page.getByRole('button', { name: `Merge into INC-${id}` }))
      await acts.tap(page.getByRole('button', { name: 'Merge report' }))
      await page.waitForURL(/notice=tap-merge/)
      expect(acts.total()).toBeLessThanOrEqual(4)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.waitForURL(/notice=tap-unmerge/)
      expect(await page.locator(`#row-${duplicate}`).count()).toBe(1)
    })

    it('five duplicates are merged into their survivor in 3 taps', async () => {
      for (let i = 0; i < 5; i++) await anIncident({ assetId, title: 'Gutter leaks', severity: 'medium' })
      const survivor = await anIncident({ assetId, title: 'Gutter leaks', severity: 'medium' })
      const { page, acts } = await openAs('manager', `/incidents/${survivor}`)
      const preview = page.locator(`form[action="/incidents/${survivor}/duplicates/preview"]`)
      await acts.tap(page.locator('details', { has: preview }).locator('summary'))
      await acts.tap(preview.locator('button').last())
      await acts.tap(page.locator(`form[action="/incidents/${survivor}/duplicates"] button`).last())
      await page.waitForURL(/notice=mergedNow/)
      expect(acts.counts.taps).toBe(3)
      expect((await app.json('guest', `/api/incidents/${survivor}`)).duplicates).toHaveLength(5)
    })

    it('an update with status and promise is posted in 6, by one form', async () => {
      const { page, acts } = await openAs('manager', `/incidents/${id}`)
      await acts.tap(page.getByRole('link', { name: 'Post an update' }))
      await acts.fill(page.getByLabel('Update for residents'), 'The part comes tomorrow.')
      await page.getByLabel('New status').selectOption('in_progress')
      await acts.fill(page.getByLabel('Expected back'), '2099-01-01T10:00')
      await acts.tap(button(page, 'Post an update'))
      await page.waitForURL(/notice=/)
      expect(acts.total()).toBeLessThanOrEqual(5)
      const answered = await app.json('guest', `/api/incidents/${id}`)
      expect(answered).toMatchObject({
        status: 'in_progress',
        expectedBackAt: expect.stringContaining('2099'),
      })
      expect(answered.updates.at(-1).body).toBe('The part comes tomorrow.')
    })

    it('the boiler report of three weeks ago is found in 3, and all reports exported in 3', async () => {
      const old = await anIncident({
        assetId: await scalar<number>(`select id from assets where name ilike '%boiler%'`),
        title: 'Only cold water',
        severity: 'low',
      })
      await query(`update incidents set created_at = now() - interval '21 days' where id = $1`, [old])
      const { page, acts } = await openAs('manager', '/admin')
      const search = page.getByRole('banner').getByRole('searchbox')
      await acts.fill(search, 'boiler')
      await search.press('Enter')
      await page.waitForURL(/q=boiler/)
      await acts.tap(page.getByRole('link', { name: 'Only cold water' }).first())
      await page.waitForURL(`**/incidents/${old}`)
      expect(acts.total()).toBeLessThanOrEqual(3)
      const list = await openAs('manager', '/incidents')
      const download = list.page.waitForEvent('download')
      await list.acts.tap(list.page.getByRole('link', { name: /CSV|spreadsheet/i }))
      expect((await download).suggestedFilename()).toMatch(/\.csv$/)
      expect(list.acts.total()).toBeLessThanOrEqual(3)
    })

    it('a guest reports with a photo in 11', async () => {
      const { page, acts } = await openAs(null, `/r/${assetId}`)
      await acts.fill(page.getByLabel('What’s wrong?'), 'It smells of rubber')
      await acts.tap(page.getByLabel('Works, but not properly'))
      await page
        .getByLabel('Photos', { exact: true })
        .setInputFiles({ name: 'lift.png', mimeType: 'image/png', buffer: await picture('png') })
      await acts.tap(button(page, 'Send report'))
      await page.waitForURL(/sign-in/)
      await answerSignIn(page, 'resident')
      await page.waitForURL(/\/incidents\/\d+/)
      // The photo, two fields and a button of the sign-in.
      expect(acts.total() + 4).toBeLessThanOrEqual(11)
    })

    it('a guest follows what the sticker knows, or a report, by email in 4', async () => {
      for (const path of [`/r/${assetId}`, `/incidents/${id}`]) {
        const { page, acts } = await openAs(null, path)
        const isSticker = path.startsWith('/r/')
        const has = page.getByRole('link', { name: 'I have this too' }).first()
        await acts.tap(isSticker ? has : page.locator('.follow summary'))
        await acts.fill(page.getByLabel('Your email address'), 'jo@outside.test')
        await acts.tap(button(page, 'Email me a link'))
        await page.waitForURL(/notice=followLinkSent/)
        expect(acts.total()).toBeLessThanOrEqual(4)
      }
      expect(browser.complaints).toEqual([])
    })
  },
)
