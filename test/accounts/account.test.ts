import { load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { lastActOn, userIdOf } from '../support/accounts.js'
import { cookieOf, type Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { ownPassword } from '../support/house/newcomer.js'

const house = useHouse()
const password = ownPassword

beforeEach(() => forgetCounts())

describe('one’s own account', () => {
  it('shows who one is, one’s flat, settings and sessions, and nothing secret', async () => {
    const { sessions, ...account } = await house.json('resident', '/api/account')
    expect(account).toEqual({
      id: await userIdOf('resident@example.com'),
      name: 'Maya Okafor',
      email: 'resident@example.com',
      role: 'resident',
      unitId: expect.any(Number),
      unitName: 'North Tower · 1204',
      locale: 'en',
      secondFactor: false,
      identities: [],
      browsers: [],
      notifications: {
        'created.mail': true,
        'created.push': true,
        'status.mail': true,
        'status.push': true,
        'comment.mail': true,
        'comment.push': true,
        'escalated.mail': true,
        'escalated.push': true,
        'merged.mail': true,
        'merged.push': true,
        'asset.mail': true,
      },
      followed: 'all',
      follows: [],
    })
    expect(sessions[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      browser: null,
      system: null,
      current: true,
      createdAt: expect.stringMatching(/Z$/),
      lastSeenAt: expect.stringMatching(/Z$/),
    })
    const staff = await house.json('board', '/api/account')
    expect(Object.keys(staff.notifications)).toEqual(
      expect.arrayContaining(['created.mail', 'sweep.mail', 'digest.mail']),
    )
  })

  it('takes a name and a language', async () => {
    const answer = await patch('manager', { name: ' Tomasz Z. ', locale: 'en', id: 1, unitName: 'x' })
    expect(await answer.json()).toMatchObject({
      name: 'Tomasz Z.',
      role: 'manager',
      email: 'manager@example.com',
    })
    expect(await lastActOn(await userIdOf('manager@example.com'))).toMatchObject({
      action: 'user.updated',
      changes: { name: { before: 'Tomasz Zieliński', after: 'Tomasz Z.' } },
    })
    const form = await house.submit('manager', '/account', { name: 'Tomasz Zieliński', locale: 'en' })
    expect(form.headers.get('location')).toBe('/account?notice=saved')
    expect((await house.json('manager', '/api/account')).name).toBe('Tomasz Zieliński')
  })

  it('leaves role and address to admins, and refuses what is wrong at its field', async () => {
    for (const [json, field] of [
      [{ name: 'Renamed', role: 'admin' }, 'role'],
      [{ name: 'Renamed', email: 'x@y.z' }, 'email'],
      [{ name: '' }, 'name'],
      [{ locale: 'tlh' }, 'locale'],
      [{ notifications: { 'status.mail': 'perhaps' } }, 'notifications'],
    ] as const) {
      const answer = await patch('manager', json)
      expect([answer.status, Object.keys((await answer.json()).errors)]).toEqual([422, [field]])
    }
    expect(await house.json('manager', '/api/account')).toMatchObject({
      name: 'Tomasz Zieliński',
      role: 'manager',
      email: 'manager@example.com',
    })
  })
})

describe('what one is told', () => {
  const stored = async (email: string) =>
    (await query('select notifications from users where email = $1', [email]))[0]!.notifications

  it('is chosen box by box, and a resident has no boxes of the staff', async () => {
    const page = await house.page('resident', '/account?tab=notifications')
    expect(page('input[name=on]').length).toBe(11)
    expect(page('table.notifications').text()).toContain('Receipt for my own report')
    expect((await house.page('board', '/account?tab=notifications'))('input[name=on]').length).toBe(13)
    const answer = await house.submit('resident', '/account/notifications', [
      ['on', 'status.mail'],
      ['on', 'merged.push'],
      ['on', 'digest.mail'],
    ])
    expect(answer.status).toBe(303)
    expect(await stored('resident@example.com')).toEqual({
      'created.mail': false,
      'created.push': false,
      'status.mail': true,
      'status.push': false,
      'comment.mail': false,
      'comment.push': false,
      'escalated.mail': false,
      'escalated.push': false,
      'merged.mail': false,
      'merged.push': true,
      'asset.mail': false,
    })
    const after = await house.page('resident', '/account?tab=notifications')
    expect(after('input[name=on]:checked').length).toBe(2)
    await house.submit('resident', '/account/notifications')
    expect(
      (await house.page('resident', '/account?tab=notifications'))('input[name=on]:checked').length,
    ).toBe(0)
  })

  describe.each(['resident', 'manager'] as const)('of the incidents a %s follows', (who) => {
    const email = `${who}@example.com`
    const chosen = async () =>
      (await house.page(who, '/account?tab=notifications'))('input[name=followed]:checked').attr('value')
    /** Turned off, by kind; new reports come to staff as the office, whatever they follow. */
    const off = {
      all: [],
      status: ['comment'],
      nothing: [
        'comment',
        'escalated',
        'merged',
        'status',
        ...(who === 'resident' ? ['created'] : []),
      ].sort(),
    }

    it('is chosen at once, and none of the choices once it was set one by one', async () => {
      for (const choice of ['status', 'nothing', 'all'] as const) {
        await patch(who, { notifications: { 'asset.mail': true } })
        const answer = await house.submit(who, '/account/followed', { followed: choice })
        expect([answer.status, await chosen()]).toEqual([303, choice])
        const account = await house.json(who, '/api/account')
        expect(account.followed).toBe(choice)
        const kinds = Object.entries(account.notifications).filter(([, on]) => !on)
        expect([...new Set(kinds.map(([name]) => name.split('.')[0]))].sort()).toEqual(off[choice])
        expect(await (await patch(who, { followed: choice })).json()).toMatchObject({ followed: choice })
      }
      await patch(who, { followed: 'status', notifications: { 'merged.mail': false } })
      expect((await house.json(who, '/api/account')).followed).toBeNull()
      expect(await chosen()).toBeUndefined()
      expect(await stored(email)).toMatchObject({ 'comment.mail': false, 'merged.mail': false })
      expect((await patch(who, { followed: 'some' })).status).toBe(422)
    })
  })

  it('is changed one by one as JSON, and unknown kinds are ignored', async () => {
    await patch('board', { notifications: { 'status.push': false } })
    await patch('board', { notifications: { 'digest.mail': false, 'weather.mail': true } })
    expect(await stored('board@example.com')).toEqual({ 'status.push': false, 'digest.mail': false })
    expect(await lastActOn(await userIdOf('board@example.com'))).toMatchObject({
      changes: { 'digest.mail': { before: true, after: false } },
    })
  })
})

describe('one’s password', () => {
  const change = (cookie: string, json: unknown) => house.ask({ cookie }, '/api/account/password', { json })

  it('is changed by whoever knows it, ends every other session and keeps this one', async () => {
    const { id, email } = await house.newcomer()
    const [here, there] = [await house.signIn(email), await house.signIn(email)]
    const next = 'another quiet evening'
    expect((await change(here, { currentPassword: ownPassword, password: next })).status).toBe(204)
    expect([(await house.me(here)).email, await house.me(there)]).toEqual([email, null])
    expect(await lastActOn(id)).toMatchObject({
      action: 'user.password_changed',
      changes: { password: { before: '••••', after: '••••' } },
    })
    await house.signIn(email, next)
    expect((await house.attemptSignIn({ email, password: ownPassword })).status).toBe(401)
  })

  it('is not changed without the present one, nor to a bad one', async () => {
    const cookie = await house.signIn('resident@example.com')
    for (const [json, field, text] of [
      [{ currentPassword: 'wrong', password }, 'currentPassword', 'The current password is wrong'],
      [{ password }, 'currentPassword', 'Enter your current password'],
      [
        { currentPassword: demoPassword, password: 'eleven char' },
        'password',
        'Choose a password of at least 12 characters',
      ],
    ] as [object, string, string][]) {
      const answer = await change(cookie, json)
      expect([answer.status, (await answer.json()).errors]).toEqual([422, { [field]: [text] }])
    }
  })

  it('never stands on the page again', async () => {
    const answer = await house.submit('resident', '/account/password', {
      currentPassword: 'my secret guess',
      password: 'eleven char',
    })
    const html = await answer.text()
    expect(answer.status).toBe(422)
    expect(html).toContain('<a href="#password-password">')
    expect(html).not.toMatch(/my secret guess|eleven char/)
  })
})

describe('one’s sessions', () => {
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 15_8 like Mac OS X) AppleWebKit/605.1.15 Version/15.6 Mobile/15E148 Safari/604.1'
  const desktop = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
  const email = 'admin@example.com'
  const account = (cookie: string) => house.ask({ cookie }, '/api/account').then((answer) => answer.json())

  it('are listed by device, this one first, and ended one by one', async () => {
    const [here, there] = [await signInFrom(email, desktop), await signInFrom(email, phone)]
    const { sessions } = await account(here)
    expect(sessions[0]).toMatchObject({ browser: 'Firefox', system: 'Linux', current: true })
    const other = sessions.find(({ system }: { system: string }) => system === 'iPhone')
    const page = await (
      await house.ask({ cookie: here }, '/account?tab=security', { headers: { accept: 'text/html' } })
    ).text()
    expect(page).toContain('<strong>Firefox on Linux</strong> (this device)')
    expect(page).toContain('<strong>Safari on iPhone</strong>')
    expect(page).not.toContain(`/account/sessions/${sessions[0].id}/end`)
    // By day and minute, as two of the same device are told apart by that alone.
    expect(page).toMatch(/signed in \w{3} \d+ \w{3}, \d\d:\d\d · last seen/)
    expect(page).toMatch(/aria-label="Sign out Safari on iPhone, signed in \w{3} \d+ \w{3}, \d\d:\d\d"/)
    const answer = await house.submit({ cookie: here }, `/account/sessions/${other.id}/end`)
    expect(answer.headers.get('location')).toBe('/account?tab=security&notice=sessionEnded')
    expect([(await house.me(here)).email, await house.me(there)]).toEqual([email, null])
    expect((await lastActOn(await userIdOf(email))).action).toBe('user.session_ended')
  })

  it('are five on the page, and all behind a link', async () => {
    const cookies = await Promise.all(Array.from({ length: 7 }, () => signInFrom(email, desktop)))
    const headers = { cookie: cookies[0]!, accept: 'text/html' }
    const shown = async (path: string) =>
      load(await (await house.ask('guest', path, { headers })).text())('.sessions li').length
    const all = (await account(cookies[0]!)).sessions.length
    expect(all).toBeGreaterThan(6)
    expect(await shown('/account?tab=security')).toBe(5)
    expect(await shown('/account?tab=security&sessions=all')).toBe(all)
  })

  it('of others are out of reach', async () => {
    const mine = await signInFrom(email, desktop)
    const { sessions } = await account(mine)
    const answer = await house.ask('resident', `/api/account/sessions/${sessions[0].id}`, {
      method: 'DELETE',
    })
    expect(answer.status).toBe(404)
    expect((await house.me(mine)).email).toBe(email)
  })

  it('are all ended but this one by one button', async () => {
    const [here, there] = [await signInFrom(email, desktop), await signInFrom(email, phone)]
    const answer = await house.ask({ cookie: here }, '/api/account/sessions', { method: 'DELETE' })
    expect(answer.status).toBe(204)
    expect([(await house.me(here)).email, await house.me(there)]).toEqual([email, null])
    expect((await account(here)).sessions).toHaveLength(1)
    expect(await lastActOn(await userIdOf(email))).toMatchObject({ action: 'user.signed_out_elsewhere' })
    const page = await (
      await house.ask({ cookie: here }, '/account?tab=security', { headers: { accept: 'text/html' } })
    ).text()
    expect(page).toContain('You’re not signed in anywhere else.')
  })
})

/** Signs in by password in a browser of this name; returns its cookies. */
async function signInFrom(email: string, userAgent: string, given = demoPassword) {
  const headers = { 'user-agent': userAgent }
  return cookieOf(await house.attemptSignIn({ email, password: given }, { headers }))
}

/** Someone changes their own account. */
function patch(who: Who, json: unknown) {
  return house.ask(who, '/api/account', { method: 'PATCH', json })
}
