import { load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { change } from '../../src/platform/db/change.js'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { freshRules } from '../../src/vocabulary/auditActions.js'
import { type Actor, requireFresh, SignInAgain } from '../../src/vocabulary/people/actor.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { signInEveryoneAgain } from '../support/accounts.js'
import { cookieOf } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { ownPassword } from '../support/house/newcomer.js'
import { hiddenIn } from '../support/links/guestBrowser.js'
import { linkedIdentity, unusedProvider } from '../support/oidc/unusedProvider.js'
import { count, scalar } from '../support/rows.js'
import {
  codeNow,
  forgetSecondFactors,
  letTimePass,
  secondFactorFor,
  startSecondFactor,
} from '../support/secondFactor.js'

const house = useHouse()
let addresses = 0

beforeEach(() => Promise.all([forgetCounts(), signInEveryoneAgain(), forgetSecondFactors()]))

describe('what needs a sign-in of the last ten minutes', () => {
  it('has an example here, for each act with a rule', () => {
    expect(Object.keys(examplesByAct()).sort()).toEqual(
      guardedActs()
        .filter((act) => act !== onlyOnCommandLine)
        .sort(),
    )
  })

  it.each(cases())(
    '%s (%s) is refused to a session of eleven minutes, and done after signing in again',
    async (act, _what, example) => {
      const write = await example()
      await letTimePass()
      const before = await timesDone(act)
      const refused = await sendWrite(write)
      expect(refused.status).toBe(403)
      if (isApi(write.path)) expect((await refused.json()).code).toBe('sign_in_again')
      else expect(load(await refused.text())('#againPassword').length).toBe(1)
      expect(await timesDone(act)).toBe(before)

      await signInEveryoneAgain()
      const done = await sendWrite(write)
      expect(done.status, await done.clone().text()).toBeLessThan(400)
      expect(await timesDone(act)).toBe(before + 1)
    },
  )

  it('is what the rules say wherever it is done from: by people, never by the house itself', async () => {
    const [person] = await query<{ id: number; name: string }>('select id, name from users where role = $1', [
      'admin',
    ])
    const stale: Actor = { type: 'user', ...person!, role: 'admin', via: 'web' }
    const act = (actor: Actor, action: string) =>
      change(actor, async (c) => c.audit(action, person!.id, { role: { before: null, after: 'admin' } }))
    for (const action of guardedActs().filter((each) => each.startsWith('user.')))
      await expect(act(stale, action), action).rejects.toThrow(SignInAgain)
    await act({ ...stale, type: 'system', id: null, via: 'cli' }, 'user.made_admin')
    await act({ ...stale, authenticatedAt: new Date() }, 'user.made_admin')
    expect(() => requireFresh(stale, 'constructor', {}, new Date())).not.toThrow()
  })

  it('is not a name, a flat, an invitation, a report or one’s own settings', async () => {
    const [{ cookie }, other] = [await house.newcomer({ role: 'admin' }), await house.newcomer()]
    await letTimePass()
    const headers = { cookie }
    const patch = { method: 'PATCH', headers }
    const asked: [string, object, number][] = [
      [`/api/admin/users/${other.id}`, { ...patch, json: { name: 'Other', unitId: 1 } }, 200],
      [`/api/admin/users/${other.id}/invitation`, { json: {}, headers }, 200],
      ['/api/admin/users', { json: { ...newPerson(), role: 'resident' }, headers }, 201],
      ['/api/account', { ...patch, json: { name: 'Own' } }, 200],
      ['/api/admin/property', { ...patch, json: { name: 'House' } }, 200],
      ['/api/incidents', { json: { assetId: 1, title: 'x', severity: 'low' }, headers }, 201],
    ]
    for (const [path, request, status] of asked)
      expect((await house.ask('guest', path, request)).status, path).toBe(status)
  })
})

describe('signing in again', () => {
  /** An admin’s form, sent with a session that is too old; the page that comes back. */
  async function refusedForm() {
    const [{ cookie, email }, other] = [await house.newcomer({ role: 'admin' }), await house.newcomer()]
    await letTimePass()
    const path = `/admin/users/${other.id}`
    const typed = { name: 'Ann & "Bea" <x>', email: newAddress(), role: 'board', active: 'true' }
    const answer = await sendWrite({ cookie, path, sent: { ...typed, password: 'a loud sunny morning' } })
    const html = await answer.text()
    return { cookie, email, path, typed, html, page: load(html), id: other.id }
  }
  const hidden = (page: ReturnType<typeof load>) => hiddenIn(page, 'main form')

  it('is asked at the place, without script, and does what was asked with everything typed', async () => {
    const { cookie, path, typed, html, page, id } = await refusedForm()
    expect(page('main form').attr('action')).toBe(path)
    expect(hidden(page)).toMatchObject(typed)
    expect(html).not.toContain('a loud sunny morning')
    const silent = { cookie, accept: 'text/html' }
    const form = { ...hidden(page), password: 'a loud sunny morning', againPassword: ownPassword }
    const done = await house.ask('guest', path, { form, headers: silent })
    expect([done.status, done.headers.get('location')]).toEqual([303, `${path}?notice=saved`])
    const [row] = await query<object>('select name, email, role from users where id = $1', [id])
    expect(row).toEqual({ name: typed.name, email: typed.email, role: 'board' })
    await house.signIn(typed.email, 'a loud sunny morning')
  })

  it('gives the session another id, and the old one is dead', async () => {
    const { cookie, path, page } = await refusedForm()
    const done = await sendWrite({ cookie, path, sent: { ...hidden(page), againPassword: ownPassword } })
    expect(await house.me(cookie)).toBeNull()
    expect((await house.me(cookieOf(done))).role).toBe('admin')
    expect(await count(`audit_entries where action = 'user.signed_in_again'`)).toBeGreaterThan(0)
  })

  it('with a wrong password says so, keeps what was typed, and does nothing', async () => {
    const { cookie, path, typed, page, id } = await refusedForm()
    const again = await sendWrite({ cookie, path, sent: { ...hidden(page), againPassword: 'wrong' } })
    expect(again.status).toBe(403)
    const html = await again.text()
    expect(load(html)('#againPassword-error').length).toBe(1)
    expect(hidden(load(html))).toMatchObject(typed)
    expect(html).not.toContain('value="wrong"')
    expect(await scalar<string>('select role from users where id = $1', [id])).toBe('resident')
  })

  it('asks for the code, too, where there is a second factor', async () => {
    const { cookie } = await house.newcomer({ role: 'admin' })
    const { code } = await secondFactorFor(house, cookie)
    const other = await house.newcomer()
    await letTimePass()
    const path = `/admin/users/${other.id}/sign-out`
    const page = load(await (await sendWrite({ cookie, path, sent: {} })).text())
    expect(page('#againCode').attr('autocomplete')).toBe('one-time-code')
    const sent = { againPassword: ownPassword }
    expect((await sendWrite({ cookie, path, sent })).status).toBe(403)
    expect((await sendWrite({ cookie, path, sent: { ...sent, againCode: '000000' } })).status).toBe(403)
    expect((await sendWrite({ cookie, path, sent: { ...sent, againCode: await code() } })).status).toBe(303)
    expect(await house.me(other.cookie)).toBeNull()
  })

  it('is no way to guess a password', async () => {
    const { cookie, path } = await refusedForm()
    const guess = () => sendWrite({ cookie, path, sent: { role: 'board', againPassword: 'wrong' } })
    for (let i = 0; i < 10; i++) expect((await guess()).status).toBe(403)
    expect((await guess()).status).toBe(429)
    expect(
      (await sendWrite({ cookie, path, sent: { role: 'board', againPassword: ownPassword } })).status,
    ).toBe(429)
  })

  it('works along with JSON, or by signing in anew', async () => {
    const { cookie, email, path } = await refusedForm()
    const asked = (which: string, json: object) =>
      house.ask({ cookie: which }, `/api${path}`, { method: 'PATCH', json })
    expect((await asked(cookie, { role: 'manager' })).status).toBe(403)
    const along = await asked(cookie, { role: 'manager', againPassword: ownPassword })
    expect(along.status).toBe(200)
    await letTimePass()
    expect((await asked(await house.signIn(email), { role: 'board' })).status).toBe(200)
  })

  it('is what a changed password of one’s own comes to, unless a code is asked for', async () => {
    const { cookie, id } = await house.newcomer({ role: 'admin' })
    await letTimePass()
    const passwordChange = (which: string, currentPassword: string, next: string) =>
      house.ask({ cookie: which }, '/api/account/password', { json: { currentPassword, password: next } })
    expect((await passwordChange(cookie, ownPassword, 'another quiet evening')).status).toBe(204)
    const own = { method: 'PATCH', json: { email: newAddress() }, headers: { cookie } }
    expect((await house.ask('guest', `/api/admin/users/${id}`, own)).status).toBe(200)

    const other = await house.newcomer()
    await secondFactorFor(house, other.cookie)
    await letTimePass()
    expect((await passwordChange(other.cookie, ownPassword, 'another quiet evening')).status).toBe(204)
    const off = { method: 'DELETE', headers: { cookie: other.cookie } }
    expect((await house.ask('guest', '/api/account/second-factor', off)).status).toBe(403)
  })

  it('means nothing to a key, or to nobody', async () => {
    const json = { assetId: 1, title: 'x', severity: 'low', againPassword: demoPassword }
    expect((await house.ask('mobile', '/api/incidents', { json })).status).toBe(201)
    expect((await house.ask('guest', '/api/incidents', { json })).status).toBe(401)
  })
})

/**
 * A write that needs a recent sign-in, of the person whose cookie it is.
 * `sent` is a form's, or JSON's.
 */
type Write = { cookie: string; path: string; method?: string; sent?: Record<string, string> }

type Example = () => Promise<Write>

/** A write of an admin to the account of someone else, of the office. */
async function asAdmin(path: (id: number) => string, sent: Record<string, string>, method = 'POST') {
  const [{ cookie }, other] = [
    await house.newcomer({ role: 'admin' }),
    await house.newcomer({ role: 'manager' }),
  ]
  return { cookie, path: path(other.id), method, sent }
}

/** A write of an admin who has a second factor. */
async function withSecondFactor(path: string, more: Partial<Write> = {}): Promise<Write> {
  const { cookie } = await house.newcomer({ role: 'admin' })
  await secondFactorFor(house, cookie)
  return { cookie, path, sent: {}, ...more }
}

function newPerson() {
  return { name: 'New', email: newAddress() }
}

function newAddress() {
  return `again${++addresses}@outside.test`
}

/** An act that no request does. */
const onlyOnCommandLine = 'user.made_admin'

/** The acts that a rule guards; that of a sign-in guards nothing. */
function guardedActs(): string[] {
  const never = freshRules['user.signed_in']
  return Object.keys(freshRules).filter((act) => freshRules[act] !== never)
}

function cases() {
  return Object.entries(examplesByAct()).flatMap(([act, uses]) =>
    Object.entries(uses).map(([what, example]) => [act, what, example] as const),
  )
}

function isApi(path: string) {
  return path.startsWith('/api/')
}

function sendWrite({ cookie, path, method = 'POST', sent }: Write) {
  return isApi(path)
    ? house.ask({ cookie }, path, { method, json: sent })
    : house.submit({ cookie }, path, sent)
}

function timesDone(act: string) {
  return count('audit_entries where action = $1', [act])
}

/**
 * One use, or several, of each act there is a rule for: what is in `freshRules` and not here,
 * or not needed, is found.
 */
function examplesByAct(): Record<string, Record<string, Example>> {
  return {
    'user.updated': {
      email: () => asAdmin((id) => `/api/admin/users/${id}`, { email: newAddress() }, 'PATCH'),
      role: () => asAdmin((id) => `/api/admin/users/${id}`, { role: 'board' }, 'PATCH'),
      active: () => asAdmin((id) => `/admin/users/${id}`, { active: 'false' }),
      password: () =>
        asAdmin((id) => `/api/admin/users/${id}`, { password: 'a loud sunny morning' }, 'PATCH'),
      'one’s own address': async () => {
        const { id, cookie } = await house.newcomer({ role: 'admin' })
        const sent = { email: newAddress() }
        return { cookie, path: `/api/admin/users/${id}`, method: 'PATCH', sent }
      },
    },
    'user.created': {
      'of the office': () => asAdmin(() => '/api/admin/users', { ...newPerson(), role: 'board' }),
      admin: () => asAdmin(() => '/admin/users', { ...newPerson(), role: 'admin' }),
    },
    'user.deleted': {
      json: async () => {
        const id = await house.user()
        return {
          cookie: (await house.newcomer({ role: 'admin' })).cookie,
          path: `/api/admin/users/${id}`,
          method: 'DELETE',
        }
      },
    },
    'user.erased': {
      json: () => asAdmin((id) => `/api/admin/users/${id}/erase`, {}),
      form: () => asAdmin((id) => `/admin/users/${id}/erase`, {}),
      oneself: async () => ({
        cookie: (await house.newcomer()).cookie,
        path: '/api/account/erase',
        sent: {},
      }),
    },
    'user.signed_out_everywhere': { json: () => asAdmin((id) => `/api/admin/users/${id}/sign-out`, {}) },
    'user.session_ended': {
      json: async () => {
        const { cookie, email } = await house.newcomer()
        await house.signIn(email)
        const { sessions } = await house.json({ cookie }, '/api/account')
        const { id } = sessions.find(({ current }: { current: boolean }) => !current)
        return { cookie, path: `/api/account/sessions/${id}`, method: 'DELETE' }
      },
    },
    'user.signed_out_elsewhere': {
      form: async () => {
        const { cookie, email } = await house.newcomer()
        await house.signIn(email)
        return { cookie, path: '/account/sessions/end', sent: {} }
      },
    },
    'user.identity_link_started': {
      form: async () => {
        config.singleSignOn = unusedProvider
        return { cookie: (await house.newcomer()).cookie, path: '/account/identities', sent: {} }
      },
    },
    'user.identities_removed': {
      form: async () => {
        const [{ cookie }, { id }] = [await house.newcomer({ role: 'admin' }), await house.newcomer()]
        await linkedIdentity(id)
        return { cookie, path: `/admin/users/${id}/unlink`, sent: {} }
      },
    },
    'user.identity_unlinked': {
      form: async () => {
        const { id, cookie } = await house.newcomer()
        return { cookie, path: `/account/identities/${await linkedIdentity(id)}/unlink`, sent: {} }
      },
      json: async () => {
        const { id, cookie } = await house.newcomer()
        return { cookie, path: `/api/account/identities/${await linkedIdentity(id)}`, method: 'DELETE' }
      },
    },
    'user.second_factor_started': {
      form: async () => ({
        cookie: (await house.newcomer()).cookie,
        path: '/account/second-factor',
        sent: {},
      }),
    },
    'user.second_factor_on': {
      form: async () => {
        const { cookie } = await house.newcomer()
        const code = codeNow(await startSecondFactor(house, cookie))
        return { cookie, path: '/account/second-factor/confirmation', sent: { code } }
      },
    },
    'user.second_factor_off': {
      form: () => withSecondFactor('/account/second-factor/off'),
      json: () => withSecondFactor('/api/account/second-factor', { method: 'DELETE' }),
    },
    'user.recovery_codes_made': { form: () => withSecondFactor('/account/second-factor/recovery-codes') },
    'user.second_factor_reset': {
      form: async () => {
        const [{ cookie }, other] = [await house.newcomer({ role: 'admin' }), await house.newcomer()]
        await secondFactorFor(house, other.cookie)
        return { cookie, path: `/admin/users/${other.id}/second-factor-reset`, sent: {} }
      },
    },
    'property.updated': {
      secondFactorRequired: () =>
        withSecondFactor('/api/admin/property', { method: 'PATCH', sent: { secondFactorRequired: 'staff' } }),
      signUp: () => withSecondFactor('/api/admin/property', { method: 'PATCH', sent: { signUp: 'anybody' } }),
    },
  }
}
