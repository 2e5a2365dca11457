import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { useApp } from '../support/app.js'
import { enterAs, useBrowser, withoutBrowser } from '../support/browser.js'
import { sampled } from '../support/suite/extent.js'

type Way = { width: number; javaScriptEnabled: boolean; locale: string }

const ways: Way[] = [360, 1280].flatMap((width) =>
  [true, false].flatMap((javaScriptEnabled) =>
    ['en-GB', 'es-ES'].map((locale): Way => ({ width, javaScriptEnabled, locale })),
  ),
)

/** A title for each way, of words no other has: what is alike is ticked by itself. */
const alike = ['Gutter leaks', 'Hinge squeaks', 'Lamp flickers', 'Mat slips', 'Bell rings', 'Vent hums']
alike.push('Tile broken', 'Rail wobbles')

describe.skipIf(withoutBrowser)('a day with a building takes few acts', () => {
  const app = useApp()
  const browser = useBrowser()
  /** Not about the demo's own incidents, which are alike to each other. */
  const asset = async () => (await app.json('guest', '/api/status')).assets.at(-1) as { id: number }
  const report = async (title: string, assetId: number): Promise<number> =>
    (await app.json('resident', '/api/incidents', { json: { assetId, title, severity: 'medium' } })).id

  /** A page of somebody, and the taps and the typed fields it took so far; a fresh sign-in is not counted. */
  async function visit(who: string | null, { width, ...way }: Way) {
    const page = await browser.open({ ...way, viewport: { width, height: 800 } })
    if (who) await enterAs(page, app, who)
    const acts = { taps: 0, typed: 0 }
    return {
      page,
      acts,
      open: (path: string) => page.goto(app.origin() + path),
      async tap(what: Locator) {
        acts.taps += 1
        await what.click()
      },
      async type(what: Locator, text: string) {
        acts.typed += 1
        await what.fill(text)
      },
    }
  }

  describe.each(sampled(ways, ways.length))('at $width px, scripts $javaScriptEnabled, in $locale', (way) => {
    const name = `${way.width} ${way.javaScriptEnabled} ${way.locale}`

    it('a guest at the sticker has this too: two taps and an address', async () => {
      const { id } = await asset()
      const incident = await report(`Has it too ${name}`, id)
      const { page, acts, open, tap, type } = await visit(null, way)
      await open(`/r/${id}`)
      await tap(page.locator(`a[href="/follow?incidentId=${incident}"]`))
      await type(page.locator('#email'), `${name.replaceAll(' ', '')}@example.com`)
      await tap(page.locator('form[action^="/follow?"] button').last())
      await page.waitForURL(/notice=followLinkSent/)
      expect(acts).toEqual({ taps: 2, typed: 1 })
    })

    it('a resident at the sticker reports: two pages, the thing chosen, a title and a severity', async () => {
      const { id } = await asset()
      const { page, acts, open, tap, type } = await visit('resident', way)
      await open(`/r/${id}`)
      await type(page.locator('#title'), `Reported ${name}`)
      await tap(page.locator('#severity'))
      await tap(page.locator('form[action="/report"] > p:last-of-type > button'))
      await page.waitForURL(/\/incidents\/\d+\?notice=reported/)
      expect(acts).toEqual({ taps: 2, typed: 1 })
      expect(await query('select 1 from incidents where title = $1', [`Reported ${name}`])).toHaveLength(1)
    })

    it('the office answers with words, status and promise: one form', async () => {
      const incident = await report(`To answer ${name}`, (await asset()).id)
      const { page, acts, open, tap, type } = await visit('manager', way)
      await open(`/incidents/${incident}`)
      const form = page.locator(`form[action="/incidents/${incident}/updates"]`)
      await type(form.locator('[name=body]'), 'The engineer comes tomorrow')
      await form.locator('[name=newStatus]').selectOption('in_progress')
      await form.locator('[name=expectedBackAt]').fill('2099-01-02T10:00')
      await tap(form.locator('button').last())
      await page.waitForURL(/notice=updated/)
      expect(acts.taps).toBe(1)
      const answered = await app.json('guest', `/api/incidents/${incident}`)
      expect(answered).toMatchObject({
        status: 'in_progress',
        expectedBackAt: expect.stringContaining('2099'),
      })
      expect(answered.updates.at(-1).body).toBe('The engineer comes tomorrow')
    })

    it('the office acknowledges from the desk: one tap', async () => {
      const incident = await report(`To acknowledge ${name}`, (await asset()).id)
      const { page, acts, open, tap } = await visit('manager', way)
      await open('/admin?tab=new')
      await tap(page.locator(`#row-${incident} .act`).first())
      await expect
        .poll(async () => (await app.json('guest', `/api/incidents/${incident}`)).status)
        .toBe('acknowledged')
      expect(acts).toEqual({ taps: 1, typed: 0 })
    })

    it('the office makes five duplicates one: three taps', async () => {
      const { id } = await asset()
      const title = alike[ways.indexOf(way)]!
      for (let i = 0; i < 5; i++) await report(title, id)
      const survivor = await report(title, id)
      const { page, acts, open, tap } = await visit('manager', way)
      await open(`/incidents/${survivor}`)
      const preview = page.locator(`form[action="/incidents/${survivor}/duplicates/preview"]`)
      await tap(page.locator('details', { has: preview }).locator('summary'))
      await tap(preview.locator('button').last())
      await tap(page.locator(`form[action="/incidents/${survivor}/duplicates"] button`).last())
      await page.waitForURL(/notice=mergedNow/)
      expect(acts).toEqual({ taps: 3, typed: 0 })
      expect((await app.json('guest', `/api/incidents/${survivor}`)).duplicates).toHaveLength(5)
    })

    it('anybody finds a report of three weeks ago by a word: two acts', async () => {
      const incident = await report(`Gargoyle ${name}`, (await asset()).id)
      await query(`update incidents set created_at = now() - interval '21 days' where id = $1`, [incident])
      const { page, acts, open, type } = await visit('resident', way)
      await open('/incidents')
      const field = page.locator('#q')
      await type(field, 'gargoyle')
      await field.press('Enter')
      await page.locator(`main a[href="/incidents/${incident}"]`).first().waitFor()
      expect(acts).toEqual({ taps: 0, typed: 1 })
      expect(browser.complaints).toEqual([])
    })
  })
})
