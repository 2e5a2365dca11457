import { beforeAll, describe, expect, it } from 'vitest'
import { enterAs, useBrowser, withoutBrowser } from '../support/browser.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { eventually } from '../support/run/eventually.js'

const house = useHouse()

describe('a refused form', () => {
  const refused: [Who, string, Record<string, string>, number][] = [
    ['resident', '/report', { description: 'typed' }, 422],
    ['resident', '/incidents/46/updates', {}, 422],
    ['resident', '/account', { name: '', locale: 'en' }, 422],
    ['manager', '/admin/contacts/1', { name: 'Somebody', version: 'an older version' }, 409],
    ['manager', '/admin/acknowledge', {}, 422],
    ['guest', '/forgot-password', { email: '' }, 422],
  ]

  it('may be kept for the way back to it, by the browser of its sender alone', async () => {
    for (const [who, path, form, status] of refused) {
      const answer = await house.submit(who, path, form)
      const kept = answer.headers.get('cache-control')
      expect([path, answer.status, kept]).toEqual([path, status, 'private, no-cache'])
    }
  })

  it('is kept nowhere as data, where it shows a secret, or as any other problem', async () => {
    const cookie = await house.signIn('board@example.com')
    const page = '/account/second-factor'
    const begun = await house.submit({ cookie }, page)
    expect(begun.status).toBe(303)
    const answers = [
      await house.submit({ cookie }, `${page}/confirmation`, { code: 'x' }),
      await house.ask('resident', '/api/incidents', { json: {} }),
      await house.submit('resident', '/admin/assets'),
      await house.submit('resident', '/incidents/999999/updates', { body: 'x' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 403, 404])
    for (const answer of answers) expect(answer.headers.get('cache-control')).toMatch(/no-store/)
  })
})

/** One case of what test/browser/whole looks at in full. */
describe.skipIf(withoutBrowser)('in a browser', () => {
  const browser = useBrowser()

  it('a refused form tells a screen reader what is wrong, and is found on the way back while signed in', async () => {
    const page = await browser.open()
    await enterAs(page, house, 'resident')
    await page.goto(`${house.origin()}/report`)
    const words = 'It rattles and smells of oil'
    await page.getByText('Add details or hide my name').click()
    await page.locator('#description').fill(words)
    await page.getByRole('button', { name: 'Send report' }).click()
    const summary = await page.getByRole('alert').ariaSnapshot()
    expect(summary).toContain('heading "There is a problem" [level=2]')
    expect(summary.match(/link ".*?"/g)).toEqual([
      'link "Select what’s broken"',
      'link "Say what’s wrong, in a few words"',
    ])
    expect(await page.getByRole('main').ariaSnapshot()).toContain('textbox "What’s wrong?" [invalid]')
    await page.getByText('Menu', { exact: true }).click()
    await page.locator('header nav').getByRole('link', { name: 'Reports', exact: true }).click()
    await page.waitForURL('**/incidents')
    const answer = await page.goBack()
    expect([answer?.status(), await page.locator('#description').inputValue()]).toEqual([422, words])

    await page.getByText('Menu', { exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/?notice=signedOut')
    await page.locator('p.notice', { hasText: 'You’re signed out.' }).waitFor()
    const left = page.url()
    await page.goBack().catch(() => null)
    // Chromium may still be on its way to what it shows in place of the page.
    const shown = await eventually(() => {
      if (page.url() === left) throw new Error('still the page before')
      return page.content()
    })
    expect(shown).not.toContain(words)
    browser.complaints.length = 0
  })

  it('the list of reports follows what is typed, and Enter finds the same without scripts', async () => {
    const json = { assetId: 1, severity: 'low' } as const
    for (const title of ['Quagga in the lift', 'Otter in the pool']) await house.report({ ...json, title })
    for (const javaScriptEnabled of [true, false]) {
      const page = await browser.open({ javaScriptEnabled })
      await page.goto(`${house.origin()}/incidents`)
      await page.getByLabel('Search reports').focus()
      await page.keyboard.type('quagg')
      if (!javaScriptEnabled) await page.keyboard.press('Enter')
      await expect
        .poll(() => page.locator('#found .incidents .title').allInnerTexts())
        .toEqual(['Quagga in the lift'])
      expect(await page.getByLabel('Search reports').inputValue()).toBe('quagg')
      await expect.poll(() => page.url()).toContain('q=quagg')
    }
    expect(browser.complaints.splice(0)).toEqual([])
  })

  describe('the lobby’s screen', () => {
    beforeAll(async () => {
      for (let n = 1; n <= 18; n++) {
        const name = `Riser valve ${n}${' of the plant room'.repeat(n % 7)}`
        const assetId = await house.asset({ name, towerId: 1 + (n % 2), category: 'Valve' })
        if (n > 9) await house.report({ assetId, title: 'Leaks', severity: 'critical' })
      }
    })

    it('cuts nothing off, and tells the states apart by shape without colours of ours', async () => {
      const page = await browser.open({ viewport: { width: 1920, height: 1080 }, forcedColors: 'active' })
      await page.goto(`${house.origin()}/display?page=1`)
      expect(await page.locator('header p').last().innerText()).toMatch(/of [2-9]/)
      const over = await page.evaluate<number[]>(
        '[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]',
      )
      expect(Math.max(...over)).toBeLessThanOrEqual(0)
      await page.goto(house.origin())
      const icons = await Promise.all(
        ['operational', 'maintenance', 'degraded', 'down'].map((status) =>
          page.locator(`.overview .icon:has(use[href="#i-${status}"])`).first().screenshot(),
        ),
      )
      expect(new Set(icons.map((icon) => icon.toString('base64'))).size).toBe(4)
    })
  })
})
