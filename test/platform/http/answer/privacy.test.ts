import { describe, expect, it } from 'vitest'
import { query } from '../../../../src/platform/db/database.js'
import { demoPassword } from '../../../../src/vocabulary/people/demo.js'
import { userIdOf } from '../../../support/accounts.js'
import { type Asker, cookieOf, staff, type Who } from '../../../support/house/asking.js'
import { useHouse } from '../../../support/house/house.js'
import { scalar } from '../../../support/rows.js'

const house = useHouse()

describe('every answer', () => {
  it('that refuses someone known stays out of every cache', async () => {
    for (const who of known) {
      const refused = [
        await house.ask(who, '/api/nothing'),
        await house.ask(who, '/incidents/999999', { headers: { accept: 'text/html' } }),
        await house.ask(who, '/api/incidents', { json: {} }),
        await house.ask(who, '/api/admin/users/1', { method: 'PUT', json: {} }),
        await house.ask(who, '/api/incidents?status=none'),
        await house.ask(who, '/api/cron/sweep', { json: {} }),
      ]
      for (const answer of refused) {
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.headers.get('cache-control'), answer.url).toBe('private, no-store')
      }
    }
  })

  it('that is a page names its reader by a mark, and phones keep none of staff', async () => {
    const pageFor = async (who: Asker, path: string) => {
      const { headers } = await house.ask(who, path, { headers: { accept: 'text/html' } })
      return { reader: headers.get('x-reader'), mayKeep: headers.has('x-keep-page') }
    }
    expect(await pageFor('guest', '/incidents')).toEqual({ reader: 'guest', mayKeep: true })
    const residents = await Promise.all(
      (['resident', 'george.adeyemi@example.com'] as const).map((who) => pageFor(who, '/contacts')),
    )
    for (const { reader, mayKeep } of residents) {
      expect(reader).toMatch(/^[\w-]{20,}$/)
      expect(mayKeep).toBe(true)
    }
    expect(residents[0]!.reader).not.toBe(residents[1]!.reader)
    expect((await pageFor('resident', '/account')).mayKeep).toBe(false)
    for (const who of staff)
      for (const path of ['/contacts', '/incidents'])
        expect((await pageFor(who, path)).mayKeep, `${who} ${path}`).toBe(false)
  })

  it('to a write does, too, signing in and out included', async () => {
    const signedIn = await house.ask('guest', '/api/auth/sign-in/email', {
      json: { email: 'board@example.com', password: demoPassword },
    })
    const headers = { ...same, cookie: cookieOf(signedIn) }
    const [incident] = await house.json('guest', '/api/incidents')
    for (const answer of [
      signedIn,
      await house.ask('guest', `/api/incidents/${incident.id}/follow`, { method: 'POST', json: {}, headers }),
      await house.ask('guest', '/sign-out', { form: {}, headers }),
    ]) {
      expect(answer.status).toBeLessThan(400)
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
    }
  })

  it('that is the same for everybody may stay, and is a 304 to whoever has it', async () => {
    await repairAll()
    for (const who of ['guest', 'resident', 'manager', 'mobile'] as const)
      for (const path of ['/', '/live', '/api/status', '/api/openapi.json']) {
        const first = await house.ask(who, path)
        const again = await house.ask(who, path, { headers: { 'if-none-match': first.headers.get('etag')! } })
        const theirs = path === '/' && who !== 'guest' && who !== 'mobile'
        expect([again.status, again.headers.get('cache-control')], `${who} ${path}`).toEqual([
          304,
          theirs ? 'private, no-store' : 'private, no-cache',
        ])
        if (!theirs && path !== '/')
          expect(await first.text()).toBe(await (await house.ask('guest', path)).text())
      }
  })

  it('with a photo may stay, but for one that only its sender may see', async () => {
    const [photo] = await query<{ path: string }>('select path from photos limit 1')
    const answer = await house.ask('resident', `/api/photos/${photo!.path}`)
    expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    const path = photo!.path
    const { user } = await house.json('resident', '/api/auth/get-session')
    const id = await scalar<number>('select id from photos where path = $1', [path])
    await query('update photos set path = $2 where id = $1', [id, path.replace(/^./, 'z')])
    await query(
      'insert into staged_photos (id, user_id, path, width, height, bytes) values (gen_random_uuid(), $1, $2, 1, 1, 1)',
      [user.id, path],
    )
    const staged = await house.ask('resident', `/api/photos/${path}`)
    expect([staged.status, staged.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect((await house.ask('manager', `/api/photos/${path}`)).status).toBe(404)
    await query('delete from staged_photos where path = $1', [path])
    await query('update photos set path = $2 where id = $1', [id, path])
  })
})

describe('the end of a session', () => {
  const cleared = (answer: Response) => answer.headers.get('clear-site-data')
  const dropped = (answer: Response) =>
    answer.headers.getSetCookie().some((cookie) => /^caretaker=;.*expires=Thu, 01 Jan 1970/i.test(cookie))
  const visit = (cookie: string, path = '/incidents', headers: Record<string, string> = {}) =>
    house.ask({ cookie }, path, { headers: { accept: 'text/html', ...headers } })

  const aged = (column: string) => async (cookie: string) => {
    const id = /caretaker=([^;.]+)/.exec(cookie)![1]!
    await query(`update sessions set ${column} where id_hash = sha256($1::bytea)`, [Buffer.from(id)])
  }
  const byAdmin = (path: string, asked: object) => async () => {
    const board = await userIdOf('board@example.com')
    expect((await house.ask('admin', `/api/admin/users/${board}${path}`, asked)).status).toBe(200)
  }
  const ends: [string, (cookie: string) => Promise<unknown>][] = [
    ['idle for too long', aged(`last_seen_at = now() - interval '8 days'`)],
    ['past its life', aged(`expires_at = now() - interval '1 second'`)],
    ['deactivated', byAdmin('', { method: 'PATCH', json: { active: false } })],
    ['ended by a new role', byAdmin('', { method: 'PATCH', json: { role: 'resident' } })],
    ['signed out everywhere', byAdmin('/sign-out', { json: {} })],
    ['signed out elsewhere', (cookie) => house.ask({ cookie }, '/api/auth/sign-out', { json: {} })],
    [
      'ended by a new password',
      byAdmin('', { method: 'PATCH', json: { password: 'a quite new pass phrase' } }),
    ],
  ]

  it.each(ends)('that is %s leaves nothing in the browser, once', async (_what, end) => {
    await query(
      `update users set active = true, role = 'board', password_hash = m.password_hash from users m
       where users.email = 'board@example.com' and m.email = 'manager@example.com'`,
    )
    const cookie = await house.signIn('board@example.com')
    expect(cleared(await visit(cookie))).toBeNull()
    await end(cookie)
    await expectForgotten(cookie)
  })

  it('that was signed with another secret does, too', async () => {
    const cookie = await house.signIn('resident@example.com')
    await expectForgotten(cookie.replace(/(caretaker=[^.;]*\.)[^;]*/, '$1forged'))
  })

  async function expectForgotten(cookie: string) {
    const first = await visit(cookie)
    expect([cleared(first), dropped(first)]).toEqual(['"cache"', true])
    const second = await visit(cookieOf(first).replace(/caretaker(\.sig)?=(; |$)/g, ''))
    expect([cleared(second), dropped(second)]).toEqual([null, false])
  }

  it('says so in the answer that ends it, and when somebody else signs in over it', async () => {
    const first = await house.signIn('resident@example.com')
    const over = await house.ask({ cookie: first }, '/api/auth/sign-in/email', {
      json: { email: 'manager@example.com', password: demoPassword },
    })
    expect([cleared(over), dropped(over)]).toEqual(['"cache"', false])
    const out = await house.ask({ cookie: cookieOf(over) }, '/sign-out', { form: {}, headers: same })
    expect([cleared(out), dropped(out)]).toEqual(['"cache"', true])
  })

  it('does not sign anybody out who comes back with a new one', async () => {
    const old = await house.signIn('resident@example.com')
    await house.ask({ cookie: old }, '/api/auth/sign-out', { json: {} })
    const again = await house.ask({ cookie: old }, '/sign-in', {
      form: { email: 'resident@example.com', password: demoPassword },
      headers: same,
    })
    const me = await house.ask({ cookie: cookieOf(again) }, '/api/auth/get-session')
    expect((await me.json()).user.email).toBe('resident@example.com')
    expect(again.headers.getSetCookie().filter((cookie) => cookie.startsWith('caretaker='))).toHaveLength(1)
  })

  it('waits for a whole page: a part of one may belong to a form that is still to be sent', async () => {
    const cookie = await house.signIn('resident@example.com')
    await house.ask({ cookie }, '/api/auth/sign-out', { json: {} })
    const part = await visit(cookie, '/live', { 'hx-request': 'true' })
    expect([cleared(part), dropped(part)]).toEqual([null, false])
    const bearer = await visit(cookie, '/api/incidents', { authorization: 'Bearer nobody' })
    expect([cleared(bearer), dropped(bearer)]).toEqual([null, false])
  })
})

const same = { 'sec-fetch-site': 'same-origin' }
const known: Who[] = ['resident', 'board', 'manager', 'admin', 'mobile']

/**
 * Ends all downtime: what is down has another uptime, and so the building
 * another tag, every few minutes.
 */
async function repairAll() {
  const incidents = await house.json('guest', '/api/incidents?limit=500')
  for (const { id, isDowntime, resolvedAt } of incidents)
    if (isDowntime && resolvedAt === null)
      await house.json('manager', `/api/incidents/${id}/updates`, {
        json: { body: 'Done', newStatus: 'resolved' },
      })
}
