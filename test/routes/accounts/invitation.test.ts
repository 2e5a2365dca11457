import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { lastActOn, mailedLinks } from '../../support/accounts.js'
import { cookieOf, useApp } from '../../support/app.js'
import { emptyOutbox, takeMessages } from '../../support/mail/messages.js'

const app = useApp()
const password = 'a quiet rainy afternoon'
const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
let n = 0

beforeEach(emptyOutbox)

/** Invites somebody new and opens their mail. */
async function invited(name = 'Nora New') {
  const { id, email } = await app.json('admin', '/api/admin/users', {
    json: { name, email: `new${++n}@example.com`, role: 'resident', active: true },
  })
  const [mail] = await mailedLinks()
  return { id, email, ...mail! }
}
const choose = (path: string, given: Record<string, string> = { password }, headers = {}) =>
  app.ask('guest', path, { form: given, headers: { ...ours, ...headers } })
const me = async (cookie: string) =>
  (await app.ask('guest', '/api/auth/get-session', { headers: { cookie } })).json()

describe('the mail of an invitation', () => {
  it('names the person and the house, says how long it works, and has no way to unsubscribe', async () => {
    await app.json('admin', '/api/admin/users', {
      json: { name: 'Nora New', email: 'nora@example.com', role: 'resident', active: true },
    })
    const { mails } = await takeMessages()
    expect(mails).toHaveLength(1)
    const [{ subject, text, html, headers, to }] = mails as [any]
    expect([subject, to]).toEqual([
      'Your account for Larkspur Court',
      { name: 'Nora New', address: 'nora@example.com' },
    ])
    expect(text).toMatch(/^Larkspur Court\n\nWelcome, Nora New\n/)
    expect(text).toMatch(/The link works once, until \w{3} \d+ \w{3}/)
    expect(text).toMatch(/Choose a password: http:\/\/localhost:3000\/invitation\/[\w-]{43}\n/)
    expect(html).toMatch(/href="http:\/\/localhost:3000\/invitation\/[\w-]{43}"/)
    expect(`${text}${html}${JSON.stringify(headers)}`).not.toMatch(/unsubscribe/i)
  })

  it('is the only place that has its token: neither the outbox nor any other table does', async () => {
    const { path } = await invited()
    const token = path.split('/')[2]!
    const tables = await query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    for (const { name } of tables) {
      const found = await query(`select 1 from "${name}" t where t::text like $1`, [`%${token}%`])
      expect(found, name).toEqual([])
    }
    const [row] = await query(`select payload from outbox where event = 'account.invited'`)
    expect(row).toEqual({ payload: {} })
  })

  it('that is tried again has a new token, and both work until one is used', async () => {
    const { path } = await invited()
    await query('update outbox set sent_at = null, next_attempt_at = now()')
    const [second] = await mailedLinks()
    expect(second!.path).not.toBe(path)
    for (const each of [path, second!.path]) expect((await app.ask('guest', each)).status).toBe(200)
    await choose(second!.path)
    for (const each of [path, second!.path]) expect((await app.ask('guest', each)).status).toBe(404)
  })
})

describe('the link of an invitation', () => {
  it('opens a page for that person, however often, and changes nothing by being opened', async () => {
    const { id, path, email } = await invited('Ola <b>New</b>')
    for (let i = 0; i < 3; i++) await app.ask('guest', path)
    const answer = await app.ask('guest', path, { headers: { accept: 'text/html' } })
    expect([
      answer.status,
      answer.headers.get('cache-control'),
      answer.headers.get('referrer-policy'),
    ]).toEqual([200, 'no-store', 'no-referrer'])
    const page = await app.page('guest', path)
    expect(page('h1').text()).toBe('Welcome')
    expect(page('main p').first().text()).toContain(
      'Hi Ola <b>New</b>. Choose a password to activate your Larkspur Court account.',
    )
    expect(page('#username').val()).toBe(email)
    expect(await query('select password_hash from users where id = $1', [id])).toEqual([
      { password_hash: null },
    ])
    expect((await lastActOn(id)).action).toBe('user.created')
  })

  it('takes a password, signs the person in, and is used up', async () => {
    const { id, path, email } = await invited()
    const answer = await choose(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/?notice=welcome'])
    expect([answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).toEqual([
      'private, no-store',
      'no-referrer',
    ])
    expect((await me(cookieOf(answer))).user).toMatchObject({ id, email })
    expect(await lastActOn(id)).toMatchObject({ action: 'user.signed_in', actorId: id })
    const [entry] = await query(
      `select actor_id, changes from audit_entries where action = 'user.invitation_accepted' and entity_id = $1`,
      [id],
    )
    expect(entry).toEqual({ actor_id: id, changes: { password: { before: null, after: '••••' } } })
    await app.signIn(email, password)
    const again = await choose(path, { password: 'somebody else chose this' })
    expect([again.status, await again.text()]).toEqual([
      404,
      expect.stringContaining('This link has expired'),
    ])
    await app.signIn(email, password)
  })

  it('works as JSON', async () => {
    const { id, path, email } = await invited('Jay Son')
    const address = `/api/auth${path}`
    expect(await app.json('guest', address)).toEqual({ name: 'Jay Son', email })
    const short = await app.ask('guest', address, { json: { password: 'short' } })
    expect([short.status, (await short.json()).errors]).toEqual([
      422,
      { password: ['Choose a password of at least 12 characters'] },
    ])
    const answer = await app.ask('guest', address, { json: { password } })
    expect(await answer.json()).toEqual({ user: { id, name: 'Jay Son', email, role: 'resident' } })
    expect((await me(cookieOf(answer))).user.id).toBe(id)
    const over = await app.ask('guest', address, { json: { password } })
    expect([over.status, (await over.json()).code]).toEqual([404, 'link_over'])
  })

  it.each([
    ['', 'Choose a password of at least 12 characters'],
    ['eleven char', 'Choose a password of at least 12 characters'],
    ['x'.repeat(201), 'The password must be 200 characters or fewer'],
  ])('with the password %j says at the field what is wrong, and stays good', async (given, text) => {
    const { path } = await invited()
    const answer = await choose(path, { password: given })
    const html = await answer.text()
    expect([answer.status, answer.headers.get('referrer-policy')]).toEqual([422, 'no-referrer'])
    expect(html).toContain(`<a href="#password">${text}</a>`)
    if (given) expect(html).not.toContain(given)
    expect((await choose(path)).status).toBe(303)
  })

  it('used twice at once is used once', async () => {
    const { id, path } = await invited()
    const answers = await Promise.all([choose(path), choose(path, { password: 'another fine long one' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404])
    const entries = await query(
      `select from audit_entries where action = 'user.invitation_accepted' and entity_id = $1`,
      [id],
    )
    expect(entries).toHaveLength(1)
  })

  it('signs out whoever else was signed in here', async () => {
    const { id, path } = await invited()
    const before = await app.signIn('resident@example.com')
    const answer = await choose(path, { password }, { cookie: before })
    expect((await me(cookieOf(answer))).user.id).toBe(id)
    expect(await me(before)).toBeNull()
  })

  it.each([
    ['it is too old', `update email_links set expires_at = now() where user_id = $1`],
    ['the account is not active', 'update users set active = false where id = $1'],
  ])('ends when %s', async (_why, sql) => {
    const { id, path } = await invited()
    await query(sql, [id])
    expect((await app.ask('guest', path)).status).toBe(404)
    expect((await choose(path)).status).toBe(404)
  })

  it('lasts seven days', async () => {
    const { id } = await invited()
    const [row] = await query<{ days: number }>(
      `select round(extract(epoch from expires_at - created_at) / 86400)::integer as days from email_links where user_id = $1`,
      [id],
    )
    expect(row!.days).toBe(7)
  })

  it.each([
    ['another address', { email: 'moved.away@example.com' }],
    ['a password of the office', { password: 'another fine long one' }],
    ['the account being closed', { active: false }],
  ])('ends with %s', async (_why, json) => {
    const { id, path } = await invited()
    await app.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json })
    expect((await app.ask('guest', path)).status).toBe(404)
    await app.ask('admin', `/api/admin/users/${id}`, {
      method: 'PATCH',
      json: { email: `gone${id}@example.com` },
    })
  })

  it('that was made up opens nothing, nor does the same token on the other page', async () => {
    const { path } = await invited()
    for (const each of [
      `/invitation/${'A'.repeat(43)}`,
      '/invitation/x',
      path.replace('invitation', 'reset-password'),
    ])
      expect((await app.ask('guest', each)).status, each).toBe(404)
  })
})
