import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { strangerEmails } from '../../../src/vocabulary/countedLimits.js'
import { forgetEmailFollowers } from '../../support/email/emailFollowers.js'
import { takeMessages } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts } from '../../support/house/limits.js'
import { browserOf, hiddenIn } from '../../support/links/guestBrowser.js'
import { queryAfterFanOut } from '../../support/sending.js'

vi.hoisted(() => Object.assign(process.env, { TRUST_PROXY: 'true' }))

const house = useHouse()

beforeAll(() => house.json('admin', '/api/admin/property', { method: 'PATCH', json: { signUp: 'anybody' } }))
beforeEach(async () => {
  await forgetCounts()
  await forgetEmailFollowers()
})

describe('confirmations, after eight networks have asked for thirty each', () => {
  it.each([
    ['IPv4 addresses', (site: number) => `198.51.100.${site}`],
    ['networks of eight IPv6 sites', (site: number, i: number) => `2001:db8:${site}:${i}::1`],
  ])(
    'still come to people of other networks and domains: %s',
    { timeout: 240_000 },
    async (_name, network) => {
      const most = strangerEmails.perHour.confirmation
      const came = await flood(network)
      expect(came).toBeGreaterThan(most * 0.5)
      expect(came).toBeLessThan(most * 0.6)

      expect((await follow('203.0.113.9', 'honest@nice.example')).status).toBe(202)
      expect(await addresses()).toEqual(['honest@nice.example'])
      const { page } = await signUp('203.0.113.10', 'newcomer@honest.example')
      expect(page('h1').text()).toBe('Check your email')
      expect(await addresses()).toEqual(['newcomer@honest.example'])
    },
  )

  it('come to those networks, and from the sign-up page, when the hour is over', {
    timeout: 240_000,
  }, async () => {
    await flood((site) => `198.51.100.${site}`)
    const { page } = await signUp('198.51.100.1', 'newcomer@honest.example')
    // What the page says is true whether or not the email waits.
    expect(page('main').text()).toContain('it can take up to an hour')
    expect(await addresses()).toEqual([])
    const [row] = await queryAfterFanOut<{ wait: number }>(
      `select extract(epoch from next_attempt_at - now())::integer as wait from outbox
       where event = 'account.sign_up' and sent_at is null and failed_at is null`,
    )
    expect(row!.wait).toBeGreaterThan(3_000)
    expect(row!.wait).toBeLessThanOrEqual(3_600)
    await forgetCounts()
    await queryAfterFanOut(`update outbox set next_attempt_at = now() where event = 'account.sign_up'`)
    expect(await addresses()).toContain('newcomer@honest.example')
  })
})

describe('the emails of a day to one address', () => {
  it('are not all spent by one network that asks for them', async () => {
    for (let i = 0; i < strangerEmails.perDay + 1; i++) await follow('198.51.100.1', 'ada@home.example')
    expect(await addresses()).toHaveLength(strangerEmails.linksPerDay)
    await follow('203.0.113.9', 'ada@home.example')
    expect(await addresses()).toEqual(['ada@home.example'])
  })
})

const addresses = async () => (await takeMessages()).emails.map(({ to }) => to.address)

const follow = (network: string, email: string) =>
  house.ask('guest', '/api/follow', { json: { email, assetId: 7 }, headers: { 'x-forwarded-for': network } })

/** Someone without an account asks for a link to make one. */
async function signUp(network: string, email: string) {
  const browser = browserOf(house)
  const headers = { 'x-forwarded-for': network }
  const page = await browser.page('/sign-in', { headers })
  const form = { ...hiddenIn(page, 'form[action="/sign-in"]'), email }
  return browser.follow(await browser.ask('/sign-in/link', { form, headers }))
}

/**
 * Eight networks ask thirty times each, with six invented domains. Returns how many emails came.
 */
async function flood(network: (site: number, i: number) => string): Promise<number> {
  const statuses = new Set<number>()
  for (let site = 1; site <= 8; site++)
    for (let i = 0; i < 30; i++) {
      const { status } = await follow(network(site, i), `s${site}-${i}@invented${i % 6}.example`)
      statuses.add(status)
    }
  expect([...statuses]).toEqual([202])
  return (await addresses()).length
}
