import { describe, expect, it } from 'vitest'
import { makeAdmin } from '../../../src/accounts/people/makeAdmin.js'
import { query } from '../../../src/platform/db/database.js'
import { mintLink } from '../../../src/platform/links/emailLinks.js'
import { texts } from '../../../src/text/index.js'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import { userIdOf } from '../../support/accounts.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import {
  forgetIdentities,
  signInLink,
  subject,
  subjectWith,
  useProvider,
} from '../../support/oidc/useProvider.js'
import { column, scalar } from '../../support/rows.js'
import { letTimePass } from '../../support/secondFactor.js'

const house = useHouse()
const sso = useProvider(house)

const entriesOf = (userId: number) =>
  column<string>('select action from audit_entries where entity_id = $1 order by id', [userId])

describe('signing in at a provider', () => {
  it('goes there by a link, with PKCE, and comes back signed in to where one was', async () => {
    const browser = await sso.guest('/incidents?status=open')
    sso.provider().subject = subject('resident')
    const { status, location } = await browser.peek(
      (await browser.go(`${house.origin()}/sign-in?next=/incidents?status=open`)).$(signInLink).attr('href')!,
    )
    expect(status).toBe(303)
    expect(Object.fromEntries(location!.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile',
      redirect_uri: `${house.origin()}/sign-in/oidc/callback`,
    })
    const page = await browser.go(location!)
    expect([page.status, page.url.pathname + page.url.search]).toEqual([200, '/incidents?status=open'])
    expect((await sso.who(browser)).email).toBe('resident@example.com')
  })

  it('leaves no code in the address, and what it set is a session like any other', async () => {
    const { browser, page } = await sso.signIn(subject('board'))
    expect(page.url.href).toBe(`${house.origin()}/admin`)
    expect([...browser.cookies(house.origin()).keys()].some((name) => name.includes('oidc'))).toBe(false)
    expect(await entriesOf(await userIdOf('board@example.com'))).toEqual(
      expect.arrayContaining(['user.identity_linked', 'user.signed_in']),
    )
  })

  it('gives the browser a new session id and ends the one it had', async () => {
    const { browser } = await sso.signIn(subject('resident'))
    const old = browser.cookie(house.origin())
    sso.provider().subject = subject('board')
    await browser.go(`${house.origin()}/sign-in`)
    // The provider still knows the first: someone else sits down there.
    browser.cookies(sso.provider().issuer).clear()
    await browser.follow(signInLink)
    expect((await sso.who(browser)).role).toBe('board')
    expect(await house.me(old)).toBeNull()
  })

  it('may be under way in two tabs at once', async () => {
    sso.provider().subject = subject('resident')
    const browser = await sso.guest()
    const ways = [await browser.peek('/sign-in/oidc'), await browser.peek('/sign-in/oidc?next=/report')]
    expect((await browser.go(ways[1]!.location!)).url.pathname).toBe('/report')
    expect((await sso.who(browser)).email).toBe('resident@example.com')
  })

  it.each(['https://evil.test/', '/\\evil.test'])('leads nowhere else afterwards: %s', async (next) => {
    const { page } = await sso.signIn(subject('resident'), next)
    expect(page.url.href).toBe(`${house.origin()}/`)
  })

  it('knows a linked identity by its subject, whatever address it has by now', async () => {
    await sso.signIn(subject('resident'))
    sso.settings({ linkByEmail: false })
    const { browser } = await sso.signIn({ sub: 'resident', email: 'renamed@elsewhere.test' })
    expect((await sso.who(browser)).email).toBe('resident@example.com')
    const { browser: other } = await sso.signIn({ ...subject('stranger'), email: 'resident@example.com' })
    expect(await sso.who(other)).toBeNull()
  })

  it('links one account once, however many sign in at the same moment', async () => {
    sso.provider().subject = subject('resident')
    const browsers = await Promise.all(Array.from({ length: 4 }, () => sso.guest()))
    await Promise.all(browsers.map((browser) => browser.follow(signInLink)))
    for (const browser of browsers) expect((await sso.who(browser)).email).toBe('resident@example.com')
    expect(await query('select from identities')).toHaveLength(1)
  })

  it('tells the person by email that another way into the account was linked', async () => {
    await emptyOutbox()
    await sso.signIn(subject('resident'))
    const rows = await query<{ notice: string }>(
      `select payload ->> 'notice' as notice from outbox where recipient_id = $1 and event = 'account.notice'`,
      [await userIdOf('resident@example.com')],
    )
    expect(rows.map(({ notice }) => notice)).toContain('identity_linked')
  })

  it('needs a password where it is not configured', async () => {
    const link = async () => (await (await sso.guest()).go(`${house.origin()}/sign-in`)).$(signInLink).length
    expect(await link()).toBe(1)
    const { config } = await import('../../../src/platform/process/config.js')
    config.singleSignOn = null
    expect(await link()).toBe(0)
    for (const path of ['/sign-in/oidc', '/sign-in/oidc/callback?code=a&state=b'])
      expect((await house.ask('guest', path)).status, path).toBe(404)
  })
})

describe('somebody the office does not know', () => {
  it.each([
    ['has no account', subject('stranger'), true, 'identity_unknown'],
    [
      'has an account with an address, but that does not link',
      subject('resident'),
      false,
      'identity_unknown',
    ],
    ['has not confirmed it', { ...subject('resident'), email_verified: false }, true, 'identity_unverified'],
    ['has "true" for true', { ...subject('resident'), email_verified: 'true' }, true, 'identity_unverified'],
    ['is the app', { ...subject('x'), email: 'mobile-reporter@caretaker.invalid' }, true, 'identity_unknown'],
  ])('%s: is not signed in, and is told what to do', async (_what, person, linkByEmail, code) => {
    sso.settings({ linkByEmail })
    const users = await query('select from users')
    const { browser, page } = await sso.signIn(person, '/report')
    expect(await sso.who(browser)).toBeNull()
    expect(page.status).toBe(401)
    expect(page.$('#errors').text()).toContain(texts.en.problems[code as 'identity_unknown'].title)
    expect(page.$('input[name=next]').attr('value')).toBe('/report')
    expect(page.$('form[action="/sign-in"]')).toHaveLength(1)
    expect(await query('select from users')).toHaveLength(users.length)
    expect(await query('select from identities')).toHaveLength(0)
  })

  it('stays out with an account that is not active, linked or not', async () => {
    const { id, email } = await house.newcomer()
    await sso.signIn(subjectWith(email))
    await house.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json: { active: false } })
    for (const clear of [async () => {}, forgetIdentities]) {
      await clear()
      const { browser } = await sso.signIn(subjectWith(email))
      expect(await sso.who(browser)).toBeNull()
    }
  })

  it('cannot take over an account by an address that another identity of it has', async () => {
    await sso.signIn(subject('resident'))
    const { browser, page } = await sso.signIn({ ...subject('second'), email: 'resident@example.com' })
    expect(await sso.who(browser)).toBeNull()
    expect(page.$('#errors').text()).toContain('That’s a different account')
  })
})

describe('the role claim', () => {
  const roles = { roleClaim: 'realm_access.roles' }
  const withRoles = (email: string, given: unknown) => subjectWith(email, { realm_access: { roles: given } })

  it.each([
    ['raises', ['offline_access', 'manager', 'board'], 'manager'],
    ['takes a single word', 'board', 'board'],
    ['lowers where it is missing', undefined, 'resident'],
    ['knows no role by another spelling', ['ADMIN', 'Admin ', 'toString', 7, null], 'resident'],
  ])('%s', async (_what, given, role) => {
    const { email } = await house.newcomer({ role: 'manager' })
    sso.settings(roles)
    const { browser } = await sso.signIn(withRoles(email, given))
    expect((await sso.who(browser)).role).toBe(role)
  })

  it.each([
    ['https://example.com/roles', { 'https://example.com/roles': ['board'] }, 0],
    ['realm_access.roles', { realm_access: { roles: ['board'] } }, 0],
    // Only user information may have it.
    ['groups', {}, 1],
  ])('%s is asked of user information only where the ID token lacks it', async (roleClaim, claims, asks) => {
    sso.settings({ roleClaim })
    sso.provider().forge((usual) => ({ ...usual, ...claims }))
    sso.provider().asked.length = 0
    const { email } = await house.newcomer({ role: 'board' })
    await sso.signIn(subjectWith(email))
    expect(sso.provider().asked.filter((each) => each.endsWith(' /me'))).toHaveLength(asks)
  })

  it('is audited, and ends the sessions of the role before', async () => {
    const { email, cookie } = await house.newcomer({ role: 'manager' })
    sso.settings(roles)
    const { browser } = await sso.signIn(withRoles(email, ['board']))
    expect((await sso.who(browser)).role).toBe('board')
    expect(await house.me(cookie)).toBeNull()
    const changes = await scalar<unknown>(
      `select changes from audit_entries where action = 'user.role_mapped' order by id desc limit 1`,
    )
    expect(changes).toEqual({ role: { before: 'manager', after: 'board' } })
  })

  it('never takes the last admin away', async () => {
    sso.settings(roles)
    const { browser } = await sso.signIn(withRoles('admin@example.com', ['resident']))
    expect((await sso.who(browser)).role).toBe('admin')
  })

  it('is not asked where it is not configured', async () => {
    const { browser } = await sso.signIn(withRoles('resident@example.com', ['admin']))
    expect((await sso.who(browser)).role).toBe('resident')
  })
})

describe('OIDC_ONLY', () => {
  const codeOf = async (email: string, password = demoPassword) => {
    const answer = await house.attemptSignIn({ email, password })
    return answer.status === 200 ? 200 : (await answer.json()).code
  }

  it('closes the password to staff, who are told which way to go, and to no one else', async () => {
    sso.settings({ only: true })
    for (const role of ['board', 'manager', 'admin'])
      expect(await codeOf(`${role}@example.com`)).toBe('password_closed')
    expect(await codeOf('resident@example.com')).toBe(200)
    // No one with a wrong password learns who is staff.
    expect(await codeOf('board@example.com', 'wrong')).toBe('wrong_credentials')
    const { page } = await sso.byPassword('board@example.com')
    expect([page.status, page.$('#errors h2').text()]).toEqual([401, problems.password_closed.title])
    expect(page.$(signInLink)).toHaveLength(1)
    expect((await sso.who((await sso.signIn(subject('board'))).browser)).role).toBe('board')
  })

  it('closes every other door a password opens', async () => {
    const { browser } = await sso.signIn(subject('board'))
    sso.settings({ only: true })
    const who = { userId: await userIdOf('board@example.com') }
    const { token } = await mintLink({ purpose: 'reset', who, data: {} })
    for (const method of ['GET', 'POST']) {
      const answer = await house.ask('guest', `/api/auth/reset-password/${token}`, {
        method,
        ...(method === 'POST' ? { json: { password: 'a quiet rainy afternoon' } } : {}),
      })
      expect([answer.status, (await answer.json()).code]).toEqual([401, 'password_closed'])
    }
    await letTimePass()
    const headers = { cookie: browser.cookie(house.origin()) }
    const own = { currentPassword: demoPassword, password: 'a quiet rainy afternoon' }
    expect((await house.ask('guest', '/api/account/password', { json: own, headers })).status).toBe(422)
    const once = { method: 'DELETE', json: { againPassword: demoPassword }, headers }
    expect((await house.ask('guest', '/api/account/sessions', once)).status).toBe(403)
    await browser.go('/account?tab=security')
    expect((await browser.go('/account?tab=security')).$(unlink)).toHaveLength(0)
  })

  it('lets in for an hour whom the command line has given a password', async () => {
    sso.settings({ only: true })
    const [email, password] = ['admin@example.com', 'a quiet rainy afternoon']
    await makeAdmin({ email, name: 'Ada Admin', password })
    expect((await house.attemptSignIn({ email, password })).status).toBe(200)
    const browser = await sso.guest()
    await browser.send('form[action="/sign-in"]', { email, password })
    await letTimePass()
    await browser.go('/account?tab=security')
    const act = () => browser.send('form[action="/account/identities"]')
    expect((await act()).$('input[name=againPassword]')).toHaveLength(1)
    const form = 'main form[action="/account/identities"]'
    expect((await browser.send(form, { againPassword: password })).url.pathname).toBe(
      '/account/identities/new',
    )
    await letTimePass()
    await query('update users set password_open_until = now()')
    expect((await house.attemptSignIn({ email, password })).status).toBe(401)
    await browser.go('/account?tab=security')
    const closed = await act()
    expect([closed.status, closed.$('input[name=againPassword]').length]).toEqual([403, 0])
    expect(closed.$(again)).toHaveLength(1)
  })
})

describe('a form typed without a session', () => {
  it('goes on after signing in at the provider in another tab, with nothing lost', async () => {
    const { browser } = await sso.byPassword('resident@example.com')
    const form = await browser.go('/report')
    await query('delete from sessions')
    expect(form.$('form[action="/report"]')).toHaveLength(1)
    const page = await browser.send('form[action="/report"]', {
      title: 'The lamp is broken',
      severity: 'low',
    })
    expect(page.status).toBe(401)
    const typed = page.$('form[action="/sign-in/resume"] input[name=typed]').attr('value')!
    sso.provider().subject = subject('resident')
    const tab = await browser.follow(signInLink)
    expect(tab.url.pathname).toBe('/sign-in/again')
    const resumed = await browser.go('/sign-in/resume', { typed })
    expect(resumed.$('input[name=title]').attr('value')).toBe('The lamp is broken')
  })

  it('asks again as long as no one has signed in', async () => {
    const browser = await sso.guest()
    expect((await browser.go('/sign-in/resume', { typed: 'x' })).status).toBe(401)
  })
})

const { problems } = texts.en
const again = 'a[href="/sign-in/oidc/again"]'
const unlink = 'form[action$="/unlink"]'
