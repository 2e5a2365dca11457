import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useApp, type Who } from '../support/app.js'
import { enterAs, useBrowser, withoutBrowser } from '../support/browser.js'
import { eventually } from '../support/suite/eventually.js'
import { pairsOf } from '../support/suite/extent.js'

const app = useApp()
const html = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }

describe('a refused form', () => {
  const refused: [Who, string, Record<string, string>, number][] = [
    ['resident', '/report', { description: 'typed' }, 422],
    ['resident', '/incidents/46/updates', {}, 422],
    ['resident', '/account', { name: '', locale: 'en' }, 422],
    ['manager', '/admin/assets', { name: 'typed' }, 422],
    ['manager', '/admin/contacts/1', { name: 'Somebody', seen: 'an older version' }, 409],
    ['manager', '/admin/acknowledge', {}, 422],
    ['guest', '/forgot-password', { email: '' }, 422],
  ]

  it('may be kept for the way back to it, by the browser of its sender alone', async () => {
    for (const [who, path, form, status] of refused) {
      const answer = await app.ask(who, path, { form, headers: html })
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([
        path,
        status,
        'private, no-cache',
      ])
    }
  })

  it('is kept nowhere as data, where it shows a secret, or as any other problem', async () => {
    const cookie = await app.signIn('board@example.com')
    const page = '/account/second-factor'
    const begun = await app.ask('guest', page, { form: {}, headers: { ...html, cookie } })
    expect(begun.status).toBe(303)
    const answers = [
      await app.ask('guest', `${page}/confirmation`, { form: { code: 'x' }, headers: { ...html, cookie } }),
      await app.ask('resident', '/api/incidents', { json: {} }),
      await app.ask('resident', '/admin/assets', { form: {}, headers: html }),
      await app.ask('resident', '/incidents/999999/updates', { form: { body: 'x' }, headers: html }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 403, 404])
    for (const answer of answers) expect(answer.headers.get('cache-control')).toMatch(/no-store/)
  })
})

// Without a browser on the machine there is nothing to go back in; CI installs one and insists (REQUIRE_BROWSER).
describe.skipIf(withoutBrowser)('who goes back to a refused form', () => {
  const browser = useBrowser()

  async function refusedAt(page: Page, path: string, field: string, words: string, press: string) {
    await page.goto(app.origin() + path)
    await page.locator(field).fill(words)
    await page.getByRole('main').getByRole('button', { name: press }).click()
    await page.locator('.errors, #errors').first().waitFor()
    expect(await page.locator(field).inputValue()).toBe(words)
  }

  const forms: [string, string, string, string, string][] = [
    ['resident', '/report', '#description', 'It rattles and smells of oil', 'Send report'],
    ['manager', '/admin/assets/new', '#description', 'The one at the back', 'Add an asset'],
  ]

  it.each(pairsOf(forms, [true, false]).map(([form, scripts]) => [scripts, ...form] as const))(
    'finds what was typed (scripts: %s), as %s at %s',
    async (javaScriptEnabled, who, path, field, words, press) => {
      const page = await browser.open({ javaScriptEnabled })
      await enterAs(page, app, who)
      await refusedAt(page, path, field, words, press)
      await page.getByText('Menu', { exact: true }).click()
      await page.locator('header nav').getByRole('link', { name: 'Reports', exact: true }).click()
      await page.waitForURL('**/incidents')
      const answer = await page.goBack()
      expect([answer?.status(), await page.locator(field).inputValue()]).toEqual([422, words])
    },
  )

  it('finds nothing of it once the session has ended', async () => {
    const page = await browser.open()
    await enterAs(page, app, 'resident')
    await refusedAt(page, '/report', '#description', 'It rattles and smells of oil', 'Send report')
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
    expect(shown).not.toContain('It rattles and smells of oil')
    browser.complaints.length = 0
  })
})
