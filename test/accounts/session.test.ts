import { createHash } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { leaveSessionsIdle, outliveSessions } from '../support/accounts.js'
import { cookieOf } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { count } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'
import { eachWithEach } from '../support/tables.js'

const house = useHouse()

describe('signing in', () => {
  it('answers with the user and sets a cookie that acts as them', async () => {
    const answer = await house.attemptSignIn({ email: 'Manager@Example.com' })
    expect(answer.status).toBe(200)
    const { user } = await answer.json()
    expect(user).toEqual({
      id: expect.any(Number),
      name: expect.any(String),
      email: 'manager@example.com',
      role: 'manager',
    })
    expect(await house.me(cookieOf(answer))).toEqual(user)
    const [cookie] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/httponly/i)
    expect(cookie).toMatch(/samesite=lax/i)
    expect(cookie).not.toMatch(/secure|domain/i)
  })

  it.each([
    [{ email: ['a'], password: 'x' }, 422],
    [{ email: 'manager@example.com', password: 'x'.repeat(1025) }, 422],
    [{ email: 'mobile-reporter@caretaker.invalid', password: 'x' }, 401],
  ])('refuses %j', async (given, status) => {
    expect((await house.attemptSignIn(given)).status).toBe(status)
  })

  it('never adopts an id the browser came with, and the one it had is dead', async () => {
    const first = await house.signIn('resident@example.com')
    const second = await house.attemptSignIn({ email: 'manager@example.com' }, { headers: { cookie: first } })
    expect(await house.me(first)).toBeNull()
    expect((await house.me(cookieOf(second))).role).toBe('manager')
    const invented = await house.attemptSignIn(
      { email: 'manager@example.com' },
      { headers: { cookie: 'caretaker=attacker.x' } },
    )
    expect(cookieOf(invented)).not.toContain('caretaker=attacker')
  })

  it('stores only the hash of an id, which opens nothing', async () => {
    const cookie = await house.signIn('resident@example.com')
    const id = /caretaker=([^;.]+)/.exec(cookie)![1]!
    expect(await count('sessions where id_hash = $1', [createHash('sha256').update(id).digest()])).toBe(1)
    const forged = cookie.replace(id, createHash('sha256').update(id).digest('base64url'))
    expect(await house.me(forged)).toBeNull()
  })
})

describe('a session', () => {
  it('ends at sign-out, and the cookie is worth nothing after', async () => {
    const cookie = await house.signIn('resident@example.com')
    expect((await house.ask({ cookie }, '/api/auth/sign-out', { method: 'POST' })).status).toBe(204)
    expect(await house.me(cookie)).toBeNull()
    expect((await house.ask({ cookie }, '/api/contacts')).status).toBe(401)
  })

  it.each([
    ['a new epoch', startEpoch],
    ['idleness', (id: number) => leaveSessionsIdle(id, '7 days 1 second')],
    ['age', outliveSessions],
  ])('ends with %s', async (_what, end) => {
    const { id, cookie } = await house.newcomer()
    await end(id)
    expect(await house.me(cookie)).toBeNull()
  })

  it('acts with the role the user has now', async () => {
    const { id, cookie } = await house.newcomer({ role: 'board' })
    await query(`update users set role = 'resident' where id = $1`, [id])
    expect((await house.me(cookie)).role).toBe('resident')
  })

  it('stays alive while it is used', async () => {
    const { id, cookie } = await house.newcomer()
    await leaveSessionsIdle(id, '6 days')
    expect(await house.me(cookie)).toMatchObject({ id })
    const used = `sessions where user_id = $1 and last_seen_at > now() - interval '1 minute'`
    expect(await count(used, [id])).toBe(1)
  })

  it('is ignored beside an Authorization header', async () => {
    const cookie = await house.signIn('manager@example.com')
    const answer = await house.ask({ cookie }, '/api/contacts', {
      headers: { authorization: 'Bearer wrong' },
    })
    expect(answer.status).toBe(401)
  })
})

it('the sign-in page keeps the address, never the password, when it did not match', async () => {
  const answer = await house.submit('guest', '/sign-in', {
    email: 'resident@example.com',
    password: 'not-this-one',
    next: '/report',
  })
  expect(answer.status).toBe(401)
  const html = await answer.text()
  expect(html).toContain('value="resident@example.com"')
  expect(html).toContain('name="next" value="/report"')
  expect(html).not.toContain('not-this-one')
  expect(html).toMatch(/<title>Error: /)
})

it('a form without browser headers needs its hidden token on page addresses, and none under /api', async () => {
  const page = await house.ask('guest', '/sign-in', { headers: { accept: 'text/html' } })
  const cookie = cookieOf(page)
  const formToken = /name="formToken" value="([^"]+)"/.exec(await page.text())![1]!
  const form = { email: 'resident@example.com', password: demoPassword }
  expect((await house.ask({ cookie }, '/sign-in', { form })).status).toBe(403)
  expect((await house.ask('guest', '/sign-in', { form: { ...form, formToken } })).status).toBe(403)
  expect((await house.ask({ cookie }, '/sign-in', { form: { ...form, formToken } })).status).toBe(303)
  expect((await house.ask('guest', '/api/auth/sign-in/email', { form })).status).toBe(200)
})

describe('a request another site made a browser send', () => {
  const kinds = [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'text/plain',
    'application/json',
  ]
  const origins: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
  ]

  const foreign = perRun({ quick: { everyValue: true }, whole: eachWithEach(kinds, origins) })
  it.each(foreign)('as %s with %j is refused', async (type, headers) => {
    for (const path of [
      '/api/incidents',
      '/report',
      '/api/auth/sign-in/email',
      '/api/incidents/1/updates',
      '/sign-out',
    ]) {
      const answer = await house.ask('resident', path, {
        body: '{}',
        headers: { 'content-type': type, ...headers },
      })
      expect(answer.status).toBe(403)
    }
  })

  it('is no matter for the mobile key', async () => {
    const answer = await house.ask('mobile', '/api/incidents', {
      json: { assetId: 1, title: 'x', severity: 'low' },
      headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(201)
  })
})

describe('a sign-in that is under way while the account changes', () => {
  /**
   * Holds back what a sign-in writes, as a busy hash queue does, until the password has changed.
   */
  async function meanwhileChanged(attempt: () => Promise<Response>): Promise<Response> {
    const other = new pg.Client({ connectionString: house.url() })
    await other.connect()
    try {
      await other.query('begin; lock table sessions, pending_sign_ins in share row exclusive mode')
      const answer = attempt()
      await expect
        .poll(
          async () =>
            (
              await query(
                `select from pg_locks where not granted
                   and database = (select oid from pg_database where datname = current_database())`,
              )
            ).length,
        )
        .toBeGreaterThan(0)
      await other.query(
        `update users set session_epoch = session_epoch + 1 where email = 'board@example.com'; commit`,
      )
      return await answer
    } finally {
      await other.end()
    }
  }

  it('opens nothing: its password was the old one', async () => {
    const answer = await meanwhileChanged(() => house.attemptSignIn({ email: 'board@example.com' }))
    expect(await house.me(cookieOf(answer))).toBeNull()
  })
})

/** What a changed password does to the sessions of before. */
async function startEpoch(userId: number): Promise<void> {
  await query('update users set session_epoch = session_epoch + 1 where id = $1', [userId])
}
