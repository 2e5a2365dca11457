import { load } from 'cheerio'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { unlinkPersonOf } from '../../../src/accounts/people/makeAdmin.js'
import { choicePrompt, signOutAddress } from '../../../src/accounts/singleSignOn/identityProvider.js'
import { query } from '../../../src/platform/db/database.js'
import { texts } from '../../../src/text/index.js'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import { userIdOf } from '../../support/accounts.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import { forgetIdentities, subject, subjectWith, useProvider } from '../../support/oidc/useProvider.js'
import {
  codeNow,
  forgetSecondFactors,
  letTimePass,
  requireSecondFactorOfStaff,
  secondFactorFor,
  secondFactorWithoutCodes,
  startSecondFactor,
} from '../../support/secondFactor.js'

const house = useHouse()
const sso = useProvider(house)

beforeEach(forgetSecondFactors)

describe('the account page', () => {
  it('links an identity after a recent sign-in, which then signs in, and ends the link again', async () => {
    sso.settings({ linkByEmail: false })
    sso.provider().subject = subject('someone-else')
    const { browser } = await sso.byPassword('resident@example.com')
    await browser.go('/account?tab=security')
    const leaving = await browser.send('form[action="/account/identities"]')
    expect(leaving.url.pathname).toBe('/account/identities/new')
    const asked = await browser.follow('a[href="/sign-in/oidc/link"]')
    expect(asked.$('main').text()).toContain('someone-else@example.com (House ID)')
    expect(asked.$('main').text()).toContain('resident@example.com')
    expect(await query('select from identities')).toHaveLength(0)
    const linked = await browser.send(confirm)
    expect(linked.url.pathname).toBe('/account')
    expect(linked.$('section:has(#single-sign-on)').text()).toContain('House ID, as someone-else@example.com')

    const other = await sso.signIn(subject('someone-else'))
    expect((await sso.who(other.browser)).email).toBe('resident@example.com')
    await browser.go('/account?tab=security')
    const ended = await browser.send(unlink)
    expect(ended.$('.notice').text()).toBe(texts.en.notices.identityUnlinked)
    expect(await sso.who(other.browser)).toBeNull()
    expect((await sso.who(browser)).email).toBe('resident@example.com')
    expect(await sso.who((await sso.signIn(subject('someone-else'))).browser)).toBeNull()
  })

  it('asks who one is before it links or unlinks, when the sign-in is old', async () => {
    await sso.signIn(subject('resident'))
    const { browser } = await sso.byPassword('resident@example.com')
    await letTimePass()
    await browser.go('/account?tab=security')
    expect((await browser.send(unlink)).status).toBe(403)
    expect((await browser.go('/sign-in/oidc/link')).url.pathname).toBe('/account')
    expect(await query('select from identities')).toHaveLength(1)
  })

  it('does not link what is linked to someone else', async () => {
    await sso.signIn(subject('board'))
    sso.provider().subject = subject('board')
    const { browser } = await sso.byPassword('resident@example.com')
    await browser.go('/sign-in/oidc/link')
    const page = await browser.send(confirm)
    expect(page.status).toBe(409)
    expect(page.$('section:has(#single-sign-on) .warning').text()).toBe(problems.identity_taken.detail)
    expect(await query('select from identities')).toHaveLength(1)
  })

  it('asks the provider who it is, though it still knows someone, and links no one unasked', async () => {
    const { browser } = await sso.signIn(subject('board'))
    await forgetIdentities()
    await browser.go(`${house.origin()}/account`)
    await browser.send('form[action="/sign-out"]')
    await browser.go(`${house.origin()}/sign-in`)
    const typed = { email: 'manager@example.com', password: demoPassword }
    await browser.send('form[action="/sign-in"]', typed)
    const { location } = await browser.peek('/sign-in/oidc/link')
    expect(location!.searchParams.get('prompt')).toBe('login')
    const asked = await browser.go(location!)
    expect(asked.$('main').text()).toContain('board@example.com (House ID)')
    expect(await query('select from identities')).toHaveLength(0)
  })

  it('asks who it is as a provider names its prompts, or with the password where it cannot choose', () => {
    const prompt = (known?: string[]) =>
      choicePrompt({ issuer: 'https://provider.example', prompt_values_supported: known }).prompt ?? null
    expect(prompt(['login', 'select_account'])).toBe('select_account')
    expect([prompt(['none', 'login']), prompt(['none']), prompt()]).toEqual(['login', null, 'login'])
    expect(choicePrompt({ issuer: 'https://accounts.google.com' }).prompt).toBe('select_account')
  })

  describe('confirming a link', () => {
    const offered = async (browser: Browser) => {
      sso.provider().subject = subject('someone-else')
      await browser.go('/sign-in/oidc/link')
      return browser.field(confirm, 'offer')
    }
    const confirmFrom = async (browser: Browser, fields: Record<string, string>) => {
      await browser.go('/account?tab=security')
      const formToken = browser.field('form[action="/account/identities"]', 'formToken')
      return browser.go('/account/identities/confirmation', { formToken, ...fields })
    }
    const linked = () => query('select from identities')

    it('takes an offer of this session alone, whole and fresh', async () => {
      const { browser } = await sso.byPassword('resident@example.com')
      const { browser: other } = await sso.byPassword('board@example.com')
      const { browser: second } = await sso.byPassword('resident@example.com')
      const offer = await offered(browser)
      const [text, seal] = offer.split('.') as [string, string]
      const forged = Buffer.from(
        Buffer.from(text, 'base64url').toString().replace('someone-else', 'anybody'),
      ).toString('base64url')
      for (const bad of ['', 'x', '.', text, `${forged}.${seal}`])
        expect((await confirmFrom(browser, { offer: bad })).status, bad).toBe(409)
      for (const stranger of [other, second])
        expect((await confirmFrom(stranger, { offer })).status).toBe(409)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
      const late = await confirmFrom(browser, { offer }).finally(() => vi.useRealTimers())
      expect(late.status).toBe(409)
      expect(late.$('section:has(#single-sign-on) .warning').text()).toBe(problems.sign_in_over.detail)
      const elsewhere = { 'sec-fetch-site': 'cross-site', cookie: browser.cookie(house.origin()) }
      const foreign = { form: { offer }, headers: elsewhere }
      expect((await house.ask('guest', '/account/identities/confirmation', foreign)).status).toBe(403)
      expect(await linked()).toHaveLength(0)
      expect((await confirmFrom(browser, { offer })).$('.notice').text()).toBe(
        texts.en.notices.identityLinked,
      )
      expect(await linked()).toHaveLength(1)
    })

    it('asks for the password when the sign-in has grown old, and then goes on', async () => {
      const { browser } = await sso.byPassword('resident@example.com')
      await offered(browser)
      await letTimePass()
      const asked = await browser.send(confirm)
      expect([asked.status, (await linked()).length]).toEqual([403, 0])
      const done = await browser.send(confirm, { againPassword: demoPassword })
      expect([done.status, (await linked()).length]).toEqual([200, 1])
    })
  })

  it('keeps the last way in', async () => {
    const email = 'without.password@outside.test'
    await house.user({ email })
    const { browser } = await sso.signIn(subjectWith(email))
    const page = await browser.go('/account?tab=security')
    expect(page.$(unlink)).toHaveLength(0)
    const [{ id }] = (await query<{ id: number }>('select id from identities')) as [{ id: number }]
    const headers = { cookie: browser.cookie(house.origin()) }
    const answer = await house.ask('guest', `/api/account/identities/${id}`, { method: 'DELETE', headers })
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'identity_needed'])
  })

  it('shows and ends no one else’s', async () => {
    await sso.signIn(subject('board'))
    const [{ id }] = (await query<{ id: number }>('select id from identities')) as [{ id: number }]
    expect((await house.ask('resident', `/api/account/identities/${id}`, { method: 'DELETE' })).status).toBe(
      404,
    )
    expect((await house.json('resident', '/api/account')).identities).toEqual([])
    expect((await house.json('board', '/api/account')).identities).toMatchObject([{ id, name: 'House ID' }])
  })
})

describe('an act that needs a recent sign-in', () => {
  it('goes on after signing in again at the provider, in another tab', async () => {
    const { browser } = await sso.signIn(subject('resident'))
    await letTimePass()
    await browser.go('/account?tab=security')
    const asked = await browser.send(unlink)
    expect(asked.status).toBe(403)
    expect(asked.$(again).attr('target')).toBe('_blank')
    const fields = Object.fromEntries(
      asked
        .$('main form input[name]')
        .toArray()
        .map((input) => [asked.$(input).attr('name')!, asked.$(input).attr('value') ?? '']),
    )
    const tab = await browser.follow(again)
    expect(tab.url.pathname).toBe('/sign-in/again')
    const done = await browser.go(asked.$('main form').attr('action')!, fields)
    expect([done.status, done.$('.notice').text()]).toEqual([200, texts.en.notices.identityUnlinked])
  })

  it('does not take a sign-in at the provider that is old, or of which it says nothing', async () => {
    const { browser } = await sso.signIn(subject('resident'))
    for (const auth_time of [Math.floor(Date.now() / 1000) - 3600, undefined]) {
      sso.provider().forge((usual) => ({ ...usual, auth_time }))
      const page = await browser.go('/sign-in/oidc/again')
      expect([page.status, page.$('h1').text()]).toEqual([403, problems.provider_not_asked.title])
    }
    const fresh = await sso.signIn(subject('resident'))
    const headers = { cookie: fresh.browser.cookie(house.origin()) }
    expect((await house.ask('guest', '/api/account/sessions', { method: 'DELETE', headers })).status).toBe(
      403,
    )
  })

  it('takes no one else at the provider', async () => {
    const { browser } = await sso.signIn(subject('resident'))
    await sso.signIn(subject('board'))
    sso.provider().subject = subject('board')
    browser.cookies(sso.provider().issuer).clear()
    expect((await browser.go('/sign-in/oidc/again')).status).toBe(403)
    expect((await sso.who(browser)).email).toBe('resident@example.com')
  })
})

describe('the second factor', () => {
  const desk = async (browser: Browser) => (await browser.go('/admin')).status

  it.each([
    ['counts when the provider says that it asked for one', ['pwd', 'otp', 'mfa'], 200],
    ['does not count when it says a password alone', ['pwd'], 403],
    ['does not count when it says nothing', undefined, 403],
  ])('%s', async (_what, amr, status) => {
    await requireSecondFactorOfStaff()
    sso.provider().forge((usual) => ({ ...usual, amr }))
    const { browser } = await sso.signIn(subject('board'))
    expect(await desk(browser)).toBe(status)
  })

  it('of the account is asked for after the provider, unless that asked for one', async () => {
    await secondFactorWithoutCodes(await userIdOf('board@example.com'))
    const { browser, page } = await sso.signIn(subject('board'), '/contacts')
    expect([page.url.pathname, await sso.who(browser)]).toEqual(['/sign-in/code', null])
    sso.provider().forge((usual) => ({ ...usual, amr: ['mfa'] }))
    const proven = await sso.signIn(subject('board'))
    expect((await sso.who(proven.browser)).role).toBe('board')
  })
})

describe('a second factor that the house demands', () => {
  const path = '/account/second-factor'
  const submitFrom = async (browser: Browser, to: string, form = {}) => {
    const answer = await house.submit({ cookie: browser.cookie(house.origin()) }, to, form)
    const title = (load(await answer.text())('#errors h2').text() || null) as string | null
    return { status: answer.status, title }
  }
  const refused = { status: 409, title: problems.second_factor_elsewhere.title }

  it('is not set up by a password alone where the account is linked, however far that has come', async () => {
    await sso.signIn(subject('board'))
    const { browser } = await sso.byPassword('board@example.com')
    const secret = await startSecondFactor(house, browser.cookie(house.origin()))
    await requireSecondFactorOfStaff()
    expect(await submitFrom(browser, `${path}/confirmation`, { code: codeNow(secret) })).toEqual(refused)
    await forgetSecondFactors()
    await requireSecondFactorOfStaff()
    expect(await submitFrom(browser, path)).toEqual(refused)
    const [{ id }] = (await query<{ id: number }>('select id from identities')) as [{ id: number }]
    expect((await submitFrom(browser, `/account/identities/${id}/unlink`)).status).toBe(409)
    expect(await query('select from identities')).toHaveLength(1)
    expect(await query('select from second_factors')).toHaveLength(0)
    expect((await browser.go('/admin')).status).toBe(403)
  })

  it.each([
    ['in a session that began at the provider', async () => (await sso.signIn(subject('board'))).browser],
    [
      'by a password of an account that is not linked',
      async () => (await sso.byPassword('board@example.com')).browser,
    ],
    [
      'where that provider is no longer configured',
      async () => {
        await sso.signIn(subject('board'))
        const { browser } = await sso.byPassword('board@example.com')
        sso.settings({ issuer: 'https://another.example' })
        return browser
      },
    ],
    [
      'within the hour of a password of the command line',
      async () => {
        await sso.signIn(subject('board'))
        await query(
          `update users set password_open_until = now() + interval '1 hour' where email = 'board@example.com'`,
        )
        return (await sso.byPassword('board@example.com')).browser
      },
    ],
  ])('is set up %s', async (_what, begun) => {
    const browser = await begun()
    await requireSecondFactorOfStaff()
    await secondFactorFor(house, browser.cookie(house.origin()))
    expect((await browser.go(`${house.origin()}/admin`)).status).toBe(200)
    await query('update users set password_open_until = null')
  })
})

describe('a link that its owner cannot end', () => {
  const entries = async () =>
    query<{ action: string; via: string }>(
      'select action, via from audit_entries where entity_id = $1 order by id desc limit 1',
      [await userIdOf('board@example.com')],
    )
  const notified = async () =>
    query(
      `select from outbox where recipient_id = $1 and payload ->> 'notice' = 'identity_unlinked'
       and payload ->> 'by' = 'office'`,
      [await userIdOf('board@example.com')],
    )

  it.each([
    [
      'by an admin',
      'web',
      async (id: number) => {
        const admin = await sso.byPassword('admin@example.com')
        await admin.browser.go(`/admin/users/${id}`)
        const page = await admin.browser.send('form[action$="/unlink"]')
        expect(page.$('.notice').text()).toBe(texts.en.notices.linksRemoved)
        expect(page.$('form[action$="/unlink"]')).toHaveLength(0)
      },
    ],
    ['on the command line', 'cli', async () => unlinkPersonOf('Board@example.com')],
  ])('is ended %s, who ends the sessions and tells the person', async (_what, via, unlinked) => {
    const { browser } = await sso.signIn(subject('board'))
    await emptyOutbox()
    await unlinked(await userIdOf('board@example.com'))
    expect(await query('select from identities')).toHaveLength(0)
    expect(await sso.who(browser)).toBeNull()
    expect(await entries()).toEqual([{ action: 'user.identities_removed', via }])
    expect(await notified()).toHaveLength(1)
  })

  it('is no one’s who has none', async () => {
    const none = `/api/admin/users/${await userIdOf('resident@example.com')}/unlink`
    await emptyOutbox()
    expect((await house.json('admin', none, { json: {} })).linked).toBe(false)
    expect(await query(`select from outbox where payload ->> 'notice' = 'identity_unlinked'`)).toHaveLength(0)
    await expect(unlinkPersonOf('nobody@example.com')).rejects.toThrow()
  })
})

describe('signing out', () => {
  it('ends the session here, and leads by a link to the end of the one there', async () => {
    const { browser } = await sso.signIn(subject('resident'))
    const page = await browser.send('form[action="/sign-out"]')
    expect([page.status, await sso.who(browser)]).toEqual([200, null])
    expect(page.headers.get('cache-control')).toContain('no-store')
    const there = new URL(page.$('main a.button').attr('href')!)
    expect(there.searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(there.searchParams.get('post_logout_redirect_uri')).toBe(`${house.origin()}/`)
    const asked = await browser.go(there)
    expect([asked.status, asked.url.origin]).toEqual([200, sso.provider().issuer])
  })

  it('gives the provider a hint only where it leaves the address short enough for servers in front', async () => {
    const hintAfter = async (token: string | null) => {
      const address = await signOutAddress(token, `${house.origin()}/`)
      expect(address!.searchParams.get('client_id')).toBe('caretaker')
      return address!.searchParams.get('id_token_hint')
    }
    expect(await hintAfter('x'.repeat(4096))).toHaveLength(4096)
    expect([await hintAfter('x'.repeat(4097)), await hintAfter(null)]).toEqual([null, null])
    sso
      .provider()
      .forge((usual) => ({ ...usual, groups: Array.from({ length: 400 }, (_, i) => `group ${i}`) }))
    const { browser } = await sso.signIn(subject('resident'))
    const page = await browser.send('form[action="/sign-out"]')
    const there = new URL(page.$('main a.button').attr('href')!)
    expect([there.href.length < 8_000, there.searchParams.get('client_id')]).toEqual([true, 'caretaker'])
  })

  it.each([
    ['began by a password', async () => (await sso.byPassword('resident@example.com')).browser],
    [
      'began at a provider that is no longer configured',
      async () => {
        const { browser } = await sso.signIn(subject('resident'))
        ;(await import('../../../src/platform/process/config.js')).config.singleSignOn = null
        return browser
      },
    ],
  ])('of a session that %s ends here', async (_what, begun) => {
    const browser = await begun()
    await browser.go(`${house.origin()}/account`)
    const page = await browser.send('form[action="/sign-out"]')
    expect([page.url.pathname, await sso.who(browser)]).toEqual(['/', null])
  })
})

type Browser = Awaited<ReturnType<typeof sso.guest>>

const { problems } = texts.en
const again = 'a[href="/sign-in/oidc/again"]'
const confirm = 'form[action="/account/identities/confirmation"]'
const unlink = 'form[action$="/unlink"]'
