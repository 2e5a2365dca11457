import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { userIdOf } from '../support/accounts.js'
import { emptyOutbox } from '../support/email/messages.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { ownPassword } from '../support/house/newcomer.js'
import { column } from '../support/rows.js'

const house = useHouse()
const password = ownPassword
let people = 0

beforeEach(emptyOutbox)

it('the form of a new account is filled in by no link', async () => {
  const link =
    '/admin/users/new?name=IT+Support&email=attacker@example.com&role=admin&password=hunter2hunter2&active=false'
  const page = await house.page('admin', link)
  expect(page('#name').attr('value') ?? '').toBe('')
  expect(page('#email').attr('value') ?? '').toBe('')
  expect(page('#role option[selected]').attr('value')).toBe('resident')
  expect(page('main').html()).not.toMatch(/attacker|IT Support|hunter2/)
})

describe('people', () => {
  it('with a password sign in at once, and no one is shown it', async () => {
    const email = newAddress()
    const answer = await house.ask('admin', '/api/admin/users', {
      json: { name: 'New Person', email, role: 'manager', password, active: true },
    })
    expect(answer.status).toBe(201)
    const text = await answer.text()
    const { id, ...shown } = JSON.parse(text)
    expect(answer.headers.get('location')).toBe(`/api/admin/users/${id}`)
    expect(shown).toEqual({
      name: 'New Person',
      email,
      role: 'manager',
      active: true,
      unitId: null,
      unitName: null,
      locale: 'en',
      hasPassword: true,
      secondFactor: false,
      linked: false,
      isMobileReporter: false,
      lastSeenAt: null,
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(text).not.toMatch(/argon|quiet/)
    expect(await maySignIn(email.toUpperCase())).toBe(true)
    expect(await invitations()).toEqual([])
    const [entry] = await entriesOf(id)
    expect(entry!.action).toBe('user.created')
    expect(entry!.changes.password).toEqual({ before: null, after: '••••' })
    expect(JSON.stringify(await query('select * from audit_entries'))).not.toMatch(/argon2|quiet rainy/)
  })

  it('without one are invited, when they are active', async () => {
    const { id, hasPassword } = await add()
    expect(hasPassword).toBe(false)
    const inactive = await add({ active: false })
    expect(await invitations()).toEqual([id])
    expect((await patch(inactive.id, { active: true })).status).toBe(200)
    expect(await invitations()).toEqual([id, inactive.id])
    expect((await patch(id, { email: newAddress() })).status).toBe(200)
    expect(await invitations()).toEqual([id, inactive.id, id])
  })

  it('with a wrong field are refused at that field', async () => {
    const format = 'Enter an email address in the correct format, like name@example.com'
    for (const [given, field, text] of [
      [{ name: ' ' }, 'name', 'Enter a name'],
      [{ email: 'a@b\r\nBcc: c@d.example' }, 'email', format],
      [{ email: 'MANAGER@example.com' }, 'email', 'This email address is already in use'],
      [{ role: 'king' }, 'role', 'Choose resident, board, manager or admin'],
      [{ role: undefined }, 'role', 'Select a role'],
      [{ active: 'perhaps' }, 'active', 'Active must be true or false'],
      [{ unitId: 999_999 }, 'unitId', 'Select one of the flats in the building'],
      [{ locale: 'tlh' }, 'locale', 'Select one of the languages'],
      [{ password: 'eleven char' }, 'password', 'Choose a password of at least 12 characters'],
    ] as const) {
      const answer = await house.ask('admin', '/api/admin/users', {
        json: { name: 'X', email: newAddress(), role: 'resident', active: true, ...given },
      })
      expect([answer.status, (await answer.json()).errors]).toEqual([422, { [field]: [text] }])
    }
  })

  it('sent twice with the same key are one, and no digest of the password is kept for that', async () => {
    const json = { name: 'X', email: newAddress(), role: 'resident', active: true, password }
    const addWithKey = (given: object, key: string) =>
      house.json('admin', '/api/admin/users', { json: given, headers: { 'idempotency-key': key } })
    const [first, again] = [await addWithKey(json, 'twice-1'), await addWithKey(json, 'twice-1')]
    expect(again).toEqual(first)
    const digests = () => column<string>(`select digest from idempotency_keys where key = 'twice-1'`)
    const [before] = await digests()
    await addWithKey({ ...json, password: 'another fine long one' }, 'twice-1')
    expect(await digests()).toEqual([before])
  })

  it('of one address are one, also when two come at once', async () => {
    const email = newAddress()
    const answers = await Promise.all(
      [email, email.toUpperCase()].map((each) =>
        house.ask('admin', '/api/admin/users', {
          json: { name: 'X', email: each, role: 'board', active: true },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
  })

  it('are found by name, address and flat, filtered and sorted', async () => {
    const emails = async (asked: string) =>
      (await house.json('admin', `/api/admin/users?${asked}`)).map(({ email }: { email: string }) => email)
    expect(await emails('q=maya')).toEqual(['resident@example.com'])
    expect(await emails('q=1204')).toEqual(['resident@example.com'])
    expect(await emails('role=board')).toContain('board@example.com')
    expect(await emails('role=board')).not.toContain('manager@example.com')
    const { id, email } = await add({ active: false })
    expect(await emails('active=false')).toContain(email)
    expect(await emails('active=true')).not.toContain(email)
    expect((await emails(''))[0]).toBe(email)
    const named = (await house.json('admin', '/api/admin/users?sort=name&limit=500')).map((u: any) => u.name)
    expect(named).toHaveLength((await query('select from users')).length)
    expect(named.indexOf('Anil Mistry')).toBeLessThan(named.indexOf('Maya Okafor'))
    expect((await house.ask('admin', '/api/admin/users?role=king')).status).toBe(400)
    const page = await house.page('admin', '/admin/users?role=resident&active=false')
    expect(page(`a[href="/admin/users/${id}"]`).length).toBe(1)
    expect(page('main').text()).not.toContain('Tomasz')
  })
})

describe('a change of a person', () => {
  it.each([
    ['role', { role: 'board' }],
    ['password', { password: 'another fine long one' }],
    ['activation', { active: false }],
  ])('of %s ends their sessions at the next request', async (_what, json) => {
    const { id, email } = await add({ password })
    const cookie = await house.signIn(email, password)
    expect((await house.me(cookie)).id).toBe(id)
    expect((await patch(id, json)).status).toBe(200)
    expect(await house.me(cookie)).toBeNull()
  })

  it('of name, flat or language does not', async () => {
    const { id, email } = await add({ password })
    const cookie = await house.signIn(email, password)
    const [unit] = await house.json('guest', '/api/units')
    expect(
      await (await patch(id, { name: 'Other Name', unitId: unit.id, locale: 'en' })).json(),
    ).toMatchObject({ name: 'Other Name', unitId: unit.id, unitName: expect.stringContaining(' · ') })
    expect((await house.me(cookie)).name).toBe('Other Name')
    expect(await (await patch(id, { unitId: null })).json()).toMatchObject({
      unitId: null,
      name: 'Other Name',
    })
  })

  it('of the password replaces it, and the log only says so', async () => {
    const { id, email } = await add({ password })
    await patch(id, { password: 'another fine long one' })
    expect([await maySignIn(email), await maySignIn(email, 'another fine long one')]).toEqual([false, true])
    expect((await entriesOf(id)).find(({ action }) => action === 'user.updated')!.changes).toEqual({
      password: { before: '••••', after: '••••' },
    })
    expect((await patch(id, { password: email })).status).toBe(422)
    expect((await patch(id, { name: 'Some Body' })).status).toBe(200)
    expect(await maySignIn(email, 'another fine long one')).toBe(true)
  })

  it('to inactive closes the account until it is active again', async () => {
    const { id, email } = await add({ password })
    await patch(id, { active: false })
    expect(await maySignIn(email)).toBe(false)
    await patch(id, { active: true })
    expect(await maySignIn(email)).toBe(true)
    expect(await invitations()).toEqual([])
  })

  it('of oneself keeps the session it was made with', async () => {
    const { id, email } = await add({ password, role: 'admin' })
    const [cookie, other] = [await house.signIn(email, password), await house.signIn(email, password)]
    const answer = await house.ask({ cookie }, `/api/admin/users/${id}`, {
      method: 'PATCH',
      json: { password: 'another fine long one' },
    })
    expect(answer.status).toBe(200)
    expect([(await house.me(cookie)).id, await house.me(other)]).toEqual([id, null])
  })

  it('of the account of the app is refused', async () => {
    const [{ id }] = (await query('select id from users where is_mobile_reporter')) as [any]
    for (const asked of [
      { method: 'PATCH', json: { name: 'Me' } },
      { method: 'PATCH', json: { active: false } },
      { method: 'DELETE' },
    ]) {
      const answer = await house.ask('admin', `/api/admin/users/${id}`, asked)
      expect([answer.status, (await answer.json()).code]).toEqual([409, 'mobile_reporter'])
    }
    for (const act of ['sign-out', 'invitation'])
      expect((await house.ask('admin', `/api/admin/users/${id}/${act}`, { json: {} })).status).toBe(409)
  })
})

describe('the last active admin', () => {
  /** Makes all others inactive; returns the id of the one that is left. */
  const leaveOneAdmin = async () => {
    const admins = await house.json('admin', '/api/admin/users?role=admin&active=true&limit=500')
    const id = await userIdOf('admin@example.com')
    for (const other of admins) if (other.id !== id) await patch(other.id, { active: false })
    return id
  }

  it('is neither made another nor deleted', async () => {
    const id = await leaveOneAdmin()
    const deleted = house.ask('admin', `/api/admin/users/${id}`, { method: 'DELETE' })
    for (const answer of [
      await patch(id, { role: 'resident' }),
      await patch(id, { active: false }),
      await deleted,
    ])
      expect([answer.status, (await answer.json()).code]).toEqual([409, 'last_admin'])
  })

  it('remains when two demote each other at once, again and again', async () => {
    const set = (role: string) =>
      query(`update users set role = $1 where email = 'admin@example.com'`, [role])
    await leaveOneAdmin()
    for (let round = 0; round < 2; round++) {
      const pair = [await add({ password, role: 'admin' }), await add({ password, role: 'admin' })]
      const cookies = await Promise.all(pair.map(({ email }) => house.signIn(email, password)))
      await set('resident')
      const demote = (who: 0 | 1, whom: 0 | 1) =>
        house.ask({ cookie: cookies[who]! }, `/api/admin/users/${pair[whom]!.id}`, {
          method: 'PATCH',
          json: { role: 'resident' },
        })
      const answers = await Promise.all([demote(0, 1), demote(1, 0)])
      const admins = await query(`select id from users where role = 'admin' and active`)
      await set('admin')
      for (const { id } of pair) await patch(id, { active: false })
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(admins).toHaveLength(1)
    }
  })
})

describe('deleting a person', () => {
  it('works while there is no history', async () => {
    const { id } = await add()
    expect((await house.ask('admin', `/api/admin/users/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await house.ask('admin', `/api/admin/users/${id}`)).status).toBe(404)
    expect((await entriesOf(id)).at(-1)!.action).toBe('user.deleted')
  })

  it('is refused with one, and the page offers to make the account inactive', async () => {
    const id = await userIdOf('resident@example.com')
    const answer = await house.ask('admin', `/api/admin/users/${id}`, { method: 'DELETE' })
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'user_has_history'])
    const page = await house.page('admin', `/admin/users/${id}/delete`)
    expect(page('main').text()).toMatch(/\d+ reports.*Make the account inactive instead/s)
    expect(page('main form').length).toBe(0)
  })
})

it('signing out everywhere ends every session of a person, and is audited', async () => {
  const { id, email } = await add({ password })
  const cookies = [await house.signIn(email, password), await house.signIn(email, password)]
  expect((await house.ask('admin', `/api/admin/users/${id}/sign-out`, { json: {} })).status).toBe(200)
  for (const cookie of cookies) expect(await house.me(cookie)).toBeNull()
  expect((await entriesOf(id)).at(-1)).toEqual({
    action: 'user.signed_out_everywhere',
    changes: { sessions: { before: 2, after: 0 } },
  })
  expect(await maySignIn(email)).toBe(true)
})

it('an invitation is sent again on demand; whoever has a password gets a link for a new one', async () => {
  const { id } = await add()
  const invite = (userId: number) => house.ask('admin', `/api/admin/users/${userId}/invitation`, { json: {} })
  expect((await invite(id)).status).toBe(200)
  expect(await invitations()).toEqual([id, id])
  const known = await userIdOf('manager@example.com')
  await invite(known)
  expect(await query(`select recipient_id from outbox where event = 'account.reset'`)).toEqual([
    { recipientId: known },
  ])
  await patch(id, { active: false })
  const refused = await invite(id)
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'user_inactive'])
})

describe('the pages of people', () => {
  const filled = (more: Record<string, string> = {}) => ({
    name: 'By Form',
    email: newAddress(),
    role: 'board',
    unitId: '',
    locale: 'en',
    active: 'true',
    password: '',
    ...more,
  })

  it('add a person, keep what was typed when it is refused, but never a password', async () => {
    const refused = await house.submit(
      'admin',
      '/admin/users',
      filled({ email: 'nobody', password: 'eleven char' }),
    )
    const html = await refused.text()
    expect(refused.status).toBe(422)
    expect(html).toContain('value="nobody"')
    expect(html).toContain('value="board" selected')
    expect(html).not.toContain('eleven char')
    const made = await house.submit('admin', '/admin/users', filled({ unitId: '3' }))
    expect(made.status).toBe(303)
    const page = await house.page('admin', made.headers.get('location')!)
    expect(page('h1').text()).toBe('By Form')
    expect(page('#unitId').val()).toBe('3')
    expect(page('#password').val()).toBe('')
    expect(page('main').text()).toContain('Resend invitation')
  })
})

function newAddress() {
  return `somebody${++people}@example.com`
}

/** An admin adds a person; returns them as JSON. */
function add(json: object = {}) {
  return house.json('admin', '/api/admin/users', {
    json: { name: 'Some Body', email: newAddress(), role: 'resident', active: true, ...json },
  })
}

/** An admin changes a person. */
function patch(id: number, json: object, who: Who = 'admin') {
  return house.ask(who, `/api/admin/users/${id}`, { method: 'PATCH', json })
}

/** What the log says was done to this person, the oldest first. */
function entriesOf(id: number) {
  return query<{ action: string; changes: any }>(
    `select action, changes from audit_entries where entity = 'user' and entity_id = $1 order by id`,
    [id],
  )
}

/** Whom an invitation waits for. */
function invitations() {
  return column<number>(`select recipient_id as id from outbox where event = 'account.invited'`)
}

async function maySignIn(email: string, given = password) {
  return (await house.attemptSignIn({ email, password: given })).status === 200
}
