import { describe, expect, it } from 'vitest'
import { tidy } from '../../src/app/tidy.js'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { newKeyPair } from '../../src/platform/process/webPushKeys.js'
import { bounds } from '../../src/vocabulary/limits.js'
import { leaveSessionsIdle } from '../support/accounts.js'
import { cookieOf, deviceIn } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { type Newcomer, ownPassword } from '../support/house/newcomer.js'
import {
  configureWebPush,
  newBrowser,
  subscriptionOf,
  type TestBrowser,
} from '../support/push/subscription.js'
import { column } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'
import { tableOf } from '../support/tables.js'

const house = useHouse()
configureWebPush()

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('a browser that is to be notified', () => {
  it('is listed for its person alone, by name, without the address and the keys of its push service', async () => {
    const [who, browser] = [await house.newcomer(), newBrowser()]
    const answer = await register(who, browser)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    const listed = {
      id: expect.any(Number),
      browser: 'Firefox',
      system: 'Linux',
      current: true,
      createdAt: expect.any(String),
    }
    expect(JSON.parse(text)).toEqual(listed)
    expect((await accountOf(who)).browsers).toEqual([listed])
    const page = await house.page('guest', '/account?tab=notifications', from(who))
    expect(page('h2#browsers').parent().text()).toContain('Firefox on Linux (this device)')
    const { p256dh, auth } = subscriptionOf(browser)
    const entries = JSON.stringify(await query('select * from audit_entries'))
    for (const secret of [browser.endpoint, p256dh, auth])
      for (const shown of [text, page.html(), entries]) expect(shown).not.toContain(secret)
  })

  it('that says the same again writes nothing, and has one subscription, the newest', async () => {
    const [who, old, fresh] = [await house.newcomer(), newBrowser(), newBrowser()]
    const first = await (await register(who, old)).json()
    const before = await query('select count(*) from audit_entries')
    expect(await (await register(who, old)).json()).toEqual(first)
    expect(await query('select count(*) from audit_entries')).toEqual(before)
    await register(who, fresh)
    expect([await ownersOf(old), await ownersOf(fresh)]).toEqual([[], [who.id]])
  })

  it('is the person’s who registers it last, and no one else learns of it', async () => {
    const [one, two, browser] = [await house.newcomer(), await house.newcomer(), newBrowser()]
    await register(one, browser)
    const answer = await register(two, browser)
    expect(await answer.text()).not.toMatch(new RegExp(`Newcomer|${one.email}`))
    expect(await ownersOf(browser)).toEqual([two.id])
    expect((await accountOf(one)).browsers).toEqual([])
  })

  it('is taken over by a phone that has the same token, and back', async () => {
    const [who, browser] = [await house.newcomer(), newBrowser()]
    await register(who, browser)
    const phone = { token: browser.endpoint, platform: 'ios' }
    expect((await house.ask('board', '/api/devices', { json: phone })).status).toBe(200)
    expect((await accountOf(who)).browsers).toEqual([])
    await register(who, browser)
    expect(await ownersOf(browser)).toEqual([who.id])
  })

  it(`are ${bounds.devices} of one person at most: the oldest is forgotten`, async () => {
    const who = await house.newcomer()
    const browsers = Array.from({ length: bounds.devices + 2 }, () => newBrowser())
    // Each in a browser of its own, which has no cookie of ours yet.
    const cookie = who.cookie.replace(deviceIn(who.cookie), '')
    for (const browser of browsers) await register({ cookie }, browser)
    expect((await accountOf(who)).browsers.length).toBe(bounds.devices)
    expect([await ownersOf(browsers[0]!), await ownersOf(browsers.at(-1)!)]).toEqual([[], [who.id]])
  })
})

describe('a subscription', () => {
  const wrong: [object, string][] = [
    [{ endpoint: undefined }, 'endpoint'],
    [{ endpoint: `https://8.8.8.8/${'x'.repeat(2_048)}` }, 'endpoint'],
    [{ endpoint: 'http://8.8.8.8/' }, 'endpoint'],
    [{ p256dh: 5 }, 'p256dh'],
    [{ p256dh: Buffer.alloc(65, 4).toString('base64url') }, 'p256dh'],
    [{ auth: 'AAAA' }, 'auth'],
    [{ serverKey: newKeyPair().publicKey }, 'serverKey'],
    [{ serverKey: undefined }, 'serverKey'],
  ]
  it('that is none is refused, and says what to do', async () => {
    const who = await house.newcomer()
    for (const [given, field] of wrong) {
      const answer = await register(who, newBrowser(), given)
      const { errors } = await answer.json()
      expect([answer.status, Object.keys(errors)]).toEqual([422, [field]])
      expect(errors[field][0]).toMatch(/^[A-Z].{10}/)
    }
    expect((await accountOf(who)).browsers).toEqual([])
  })

  it('goes to no address that webhooks may not go to, nor to one the office has opened for them', async () => {
    const who = await house.newcomer()
    const hostile = tableOf<{ url: string; problem: string | null }>('webhookAddresses')
      .filter(({ problem }) => problem !== null)
      .map(({ url }) => url)
    const addresses = [...hostile, ...hostile.map((url) => url.replace(/^http:/i, 'https:'))]
    const allowed: string[] = []
    for (const endpoint of perRun({ quick: { every: 9 }, whole: addresses }))
      if ((await register(who, newBrowser(), { endpoint })).status !== 422) allowed.push(endpoint)
    expect(allowed).toEqual([])
    expect(await query('select from devices where user_id = $1', [who.id])).toEqual([])
  })

  it('is refused where browsers get no messages, and the page offers none', async () => {
    const who = await house.newcomer()
    const before = config.webPush
    config.webPush = null
    expect((await register(who, newBrowser(), { serverKey: before!.publicKey })).status).toBe(422)
    const page = await house.page('guest', '/account?tab=notifications', from(who))
    expect([page('#notify').length, page('#browsers').length, page('script').length]).toEqual([0, 0, 0])
    config.webPush = before
  })
})

describe('the page of an account', () => {
  it('gives the script our public key and its words, and takes a browser away without one', async () => {
    const [who, browser] = [await house.newcomer(), newBrowser()]
    const unasked = await house.page('guest', '/account?tab=notifications', from(who))
    expect(unasked('#notify').attr()).toMatchObject({ 'data-key': config.webPush!.publicKey })
    expect(unasked('#notify').attr('data-here')).toBeUndefined()
    expect(unasked('#notify').text()).toBe('')
    expect(unasked('script[src]').attr('src')).toMatch(/^\/static\/notify\./)
    await register(who, browser)
    const page = await house.page('guest', '/account?tab=notifications', from(who))
    expect(page('#notify').attr('data-here')).toBe('')
    const form = page('form[action^="/account/browsers/"]')
    const answer = await house.ask({ cookie: who.cookie }, form.attr('action')!, {
      form: { formToken: String(form.find('[name=formToken]').val()) },
      headers: { accept: 'text/html' },
    })
    expect(answer.status).toBe(303)
    expect(await ownersOf(browser)).toEqual([])
  })

  it('takes away no one else’s browser', async () => {
    const [one, two, browser] = [await house.newcomer(), await house.newcomer(), newBrowser()]
    const { id } = await (await register(one, browser)).json()
    const answer = await house.ask('guest', `/api/account/browsers/${id}`, { ...from(two), method: 'DELETE' })
    expect(answer.status).toBe(404)
    expect(await ownersOf(browser)).toEqual([one.id])
  })
})

describe('a browser is notified no more', () => {
  const admin = (path: string, asked: object) => house.json('admin', path, asked)
  const ends: [string, (who: Newcomer) => Promise<unknown>][] = [
    ['it signs out', (who) => house.ask('guest', '/api/auth/sign-out', { ...from(who), json: {} })],
    [
      'its session is ended from elsewhere',
      async (who) => {
        const other = await signInAgain(who)
        const { sessions } = await accountOf(other)
        const { id } = sessions.find(({ current }: { current: boolean }) => !current)
        await house.ask('guest', `/api/account/sessions/${id}`, { ...from(other), method: 'DELETE' })
      },
    ],
    [
      'all others are signed out',
      async (who) => {
        const other = await signInAgain(who)
        await house.ask('guest', '/api/account/sessions', { ...from(other), method: 'DELETE' })
      },
    ],
    [
      'all others are signed out after its own session has run out',
      async (who) => {
        await runOut(who)
        const [, other] = [await signInAgain(who), await signInAgain(who)]
        await house.ask('guest', '/api/account/sessions', { ...from(other), method: 'DELETE' })
      },
    ],
    [
      'the password is changed elsewhere',
      async (who) => {
        const other = await signInAgain(who)
        const json = { currentPassword: ownPassword, password: 'another quiet afternoon' }
        await house.ask('guest', '/api/account/password', { ...from(other), json })
      },
    ],
    ['an admin signs the person out', ({ id }) => admin(`/api/admin/users/${id}/sign-out`, { json: {} })],
    [
      'the role changes',
      ({ id }) => admin(`/api/admin/users/${id}`, { method: 'PATCH', json: { role: 'board' } }),
    ],
    [
      'the account is closed',
      ({ id }) => admin(`/api/admin/users/${id}`, { method: 'PATCH', json: { active: false } }),
    ],
    ['the person is erased', ({ id }) => house.ask('admin', `/api/admin/users/${id}/erase`, { json: {} })],
    [
      'somebody else signs in there',
      async (who) => signInAgain(await house.newcomer(), deviceIn(who.cookie)),
    ],
  ]
  /** So long no one came that the session is over, and its row is gone, too. */
  async function runOut({ id }: Newcomer): Promise<void> {
    await leaveSessionsIdle(id, '9 days')
    await tidy(config.uploadDir)
  }

  it.each(ends)('once %s', async (_what, end) => {
    const [who, browser, other] = [await house.newcomer(), newBrowser(), newBrowser()]
    await register(who, browser)
    const bystander = await house.newcomer()
    await register(bystander, other)
    expect(await ownersOf(browser)).toEqual([who.id])
    await end(who)
    expect([await ownersOf(browser), await ownersOf(other)]).toEqual([[], [bystander.id]])
  })

  it('but not because a session runs out, and ends with the next one of the same person there', async () => {
    const [who, browser] = [await house.newcomer(), newBrowser()]
    await register(who, browser)
    await runOut(who)
    expect(await ownersOf(browser)).toEqual([who.id])
    const again = await signInAgain(who, deviceIn(who.cookie))
    expect((await accountOf(again)).browsers).toMatchObject([{ current: true }])
    await house.ask('guest', '/api/auth/sign-out', { ...from(again), json: {} })
    expect(await ownersOf(browser)).toEqual([])
  })
})

it('everything about a person has the browsers that are notified, with their addresses, apart from phones', async () => {
  const [who, browser] = [await house.newcomer(), newBrowser()]
  await register(who, browser)
  await house.ask('guest', '/api/devices', {
    ...from(who),
    json: { token: `phone-${who.id}`, platform: 'ios' },
  })
  const { browsers, phones } = await house.json('guest', '/api/account/data', from(who))
  expect(browsers).toEqual([
    { endpoint: browser.endpoint, userAgent: firefox, createdAt: expect.any(String) },
  ])
  expect(phones).toMatchObject([{ platform: 'ios' }])
})

/** A request from the Firefox of whoever has this cookie. */
function from({ cookie }: { cookie: string }) {
  return { headers: { cookie, 'user-agent': firefox } }
}

/** The browser asks to be notified, and says this of itself. */
function register(who: { cookie: string }, browser: TestBrowser, given: object = {}) {
  return house.ask('guest', '/api/account/browsers', {
    ...from(who),
    json: { ...subscriptionOf(browser), ...given },
  })
}

function accountOf(who: { cookie: string }) {
  return house.json('guest', '/api/account', from(who))
}

/** Whose browser it is that is notified at this address. */
function ownersOf({ endpoint }: TestBrowser) {
  return column<number>('select user_id as id from devices where token = $1', [endpoint])
}

/** Signs in in the browser that has this cookie, or in another. */
async function signInAgain({ email }: Newcomer, device = ''): Promise<{ cookie: string }> {
  const headers: Record<string, string> = device ? { cookie: device } : {}
  const answer = await house.attemptSignIn({ email, password: ownPassword }, { headers })
  return { cookie: cookieOf(answer) }
}
