import { randomUUID } from 'node:crypto'
import { load } from 'cheerio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts } from '../../support/house/limits.js'
import { browserOf, hiddenIn, letLinksAge, linksTo } from '../../support/links/guestBrowser.js'
import { unusedProvider } from '../../support/oidc/unusedProvider.js'

const house = useHouse()
const email = 'resident@example.com'

beforeEach(async () => {
  await emptyOutbox()
  await forgetCounts()
})
afterEach(() => {
  config.singleSignOn = null
})

describe('a mailed link to sign in', () => {
  it('signs in once, in the browser that asked, and leads where one wanted to go', async () => {
    const { browser, path } = await linkFor(email, browserOf(house), { next: '/my-reports' })
    expect((await browser.page(path!))('main').text()).toContain('Maya Okafor')
    expect(await browser.user()).toBeNull()
    const signed = await browser.ask(path!, { form: {} })
    expect([signed.status, signed.headers.get('location')]).toEqual([303, '/my-reports'])
    expect(await browser.user()).toBe(email)
    expect((await browser.ask(path!)).headers.get('location')).toBe('/my-reports')
    await browser.ask('/sign-out', { form: {} })
    expect((await browser.ask(path!)).status).toBe(404)
    await browser.ask(path!, { form: {} })
    expect(await browser.user()).toBeNull()
  })

  it('that is over leads to the other ways to sign in, with what it would have gone on to', async () => {
    const typed = `report:${randomUUID()}`
    const { browser, path } = await linkFor(email, browserOf(house), { next: '/my-reports', typed })
    await letLinksAge(16 * 60)
    const answer = await browser.ask(path!)
    expect(answer.status).toBe(404)
    const page = load(await answer.text())
    expect(page('form[action="/sign-in"] [formaction="/sign-in/link"]')).toHaveLength(1)
    expect(hiddenIn(page, 'form[action="/sign-in"]')).toMatchObject({ next: '/my-reports', typed })
  })

  it('is mailed five times in an hour, also to who asks many times at once', async () => {
    await Promise.all(
      Array.from({ length: 9 }, () => browserOf(house).ask('/sign-in/link', { form: { email } })),
    )
    expect(await linksTo('/sign-in/link')).toHaveLength(5)
  })

  it('goes to none of the office where only the provider signs them in, and signs none in then', async () => {
    const { browser, path } = await linkFor('manager@example.com')
    config.singleSignOn = { ...unusedProvider, only: true }
    expect((await browser.ask(path!, { form: {} })).status).toBe(401)
    expect(await browser.user()).toBeNull()
    expect((await linkFor('manager@example.com')).path).toBeNull()
    expect((await linkFor(email)).path).not.toBeNull()
  })
})

it('a language chosen on the way to the sign-in becomes the account’s, once', async () => {
  const { browser, path } = await linkFor(email)
  await browser.ask('/language?locale=es&next=/sign-in')
  await browser.ask(path!, { form: {} })
  expect((await browser.page('/account'))('html').attr('lang')).toBe('es')
  expect(await query('select locale from users where email = $1', [email])).toEqual([{ locale: 'es' }])
  await house.json('resident', '/api/account', { method: 'PATCH', json: { locale: 'en' } })
  await browser.ask('/sign-out', { form: {} })
  const again = await linkFor(email, browser)
  await browser.ask(again.path!, { form: {} })
  expect(await query('select locale from users where email = $1', [email])).toEqual([{ locale: 'en' }])
})

it('a page that asks who one is leads text browsers to the sign-in, as they show nothing of a 401', async () => {
  const answer = await house.ask('guest', '/account?x=1', { headers: { accept: 'text/html' } })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in?next=%2Faccount%3Fx%3D1'])
  expect((await browserOf(house).ask('/account')).status).toBe(401)
  expect((await house.ask('guest', '/api/contacts')).status).toBe(401)
})

/** Asks for a link by email; the browser that asked, and where the link leads, if there is one. */
async function linkFor(address: string, browser = browserOf(house), more: Record<string, string> = {}) {
  await browser.ask('/sign-in/link', { form: { email: address, ...more } })
  const [link] = await linksTo('/sign-in/link')
  return { browser, path: link?.path ?? null }
}
