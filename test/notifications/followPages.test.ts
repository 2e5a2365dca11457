import { describe, expect, it } from 'vitest'
import { maskedAddress } from '../../src/vocabulary/email/mailbox.js'
import { useHouse } from '../support/house/house.js'
import { browserOf, hiddenIn, linksTo } from '../support/links/guestBrowser.js'

const house = useHouse()

const lift = 7
const form = `form[action="/follow?assetId=${lift}"]`

describe('the page after someone without an account asks for updates', () => {
  it('names the address they typed, in that browser alone, with no second form below', async () => {
    const browser = browserOf(house)
    const page = await ask(browser, 'anna.guest@example.org')
    expect(page('h1').text()).toBe('Check your email')
    expect(page('[role=status]').text()).toContain('We’ll email a link to anna.guest@example.org (at most')
    expect(page('input[name=email]')).toHaveLength(0)
    expect(page('a:contains("Wrong address?")').attr('href')).toBe(`/follow?assetId=${lift}`)
    const other = await browserOf(house).page(`/follow?assetId=${lift}&notice=followLinkSent`)
    expect(other('main').text()).not.toContain('anna')
    expect(other('[role=status]').text()).toContain('We’ll email you a link')
  })

  it('forgets the address when someone signs in', async () => {
    const browser = browserOf(house)
    await ask(browser, 'anna.guest@example.org')
    const signIn = { email: 'resident@example.com', password: 'caretaker-demo' }
    const fields = hiddenIn(await browser.page('/sign-in'), 'form[action="/sign-in"]')
    await browser.ask('/sign-in', { form: Object.assign(fields, signIn) })
    expect(await browser.user()).toBe('resident@example.com')
    expect(browser.cookie()).not.toMatch(/address=/)
  })

  it('says the same of an address with an account, and the app gets no cookie', async () => {
    const known = await ask(browserOf(house), 'resident@example.com')
    const unknown = await ask(browserOf(house), 'no.account@example.com')
    const words = (page: typeof known, address: string) => page('main').text().replaceAll(address, '…')
    expect(words(known, 'resident@example.com')).toBe(words(unknown, 'no.account@example.com'))
    const json = { email: 'anna.guest@example.org', assetId: lift }
    const answer = await house.ask('guest', '/api/follow', { json })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([202, []])
  })
})

describe('the page behind the link', () => {
  it('masks the address, because the email may have been forwarded, and leads to the lift', async () => {
    const browser = browserOf(house)
    await ask(browser, 'anna.guest@example.org')
    const { path } = (await linksTo('/follow')).find(({ to }) => to === 'anna.guest@example.org')!
    for (const method of ['GET', 'POST']) {
      const page = await browserOf(house).page(path, { method })
      expect(page('main').text()).toContain('We’ll send them to anna…@example.org.')
      expect(page('main').text()).not.toContain('anna.guest')
      expect(page(`main a[href="/assets/${lift}"]`).text()).toBe('Open South lift')
    }
  })

  it.each([
    ['anna.guest@example.org', 'anna…@example.org'],
    ['jo@example.org', 'j…@example.org'],
    ['x@example.org', '…@example.org'],
    ['josé@example.org', 'jo…@example.org'],
  ])('of %s shows %s', (address, masked) => {
    expect(maskedAddress(address)).toBe(masked)
  })
})

/** Asks for updates about the lift by its form, and reads the page that follows. */
async function ask(browser: ReturnType<typeof browserOf>, email: string) {
  const fields = hiddenIn(await browser.page(`/follow?assetId=${lift}`), form)
  const answer = await browser.ask(`/follow?assetId=${lift}`, { form: Object.assign(fields, { email }) })
  return (await browser.follow(answer)).page
}
