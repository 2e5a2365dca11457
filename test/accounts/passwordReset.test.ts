import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { lastActOn, mailedLinks, userIdOf } from '../support/accounts.js'
import { emptyOutbox } from '../support/email/messages.js'
import { cookieOf } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'

const house = useHouse()
const password = 'a quiet rainy afternoon'
const ask = (email: string) => house.ask('guest', '/api/auth/forgot-password', { json: { email } })

beforeEach(async () => {
  await emptyOutbox()
  await forgetCounts()
  await query('delete from email_links')
})

describe('asking for a new password', () => {
  it('is answered alike for every address, and only people with an active account get an email', async () => {
    await house.user({ email: 'gone@example.com', active: false })
    const answers = []
    for (const email of [
      'Manager@Example.com',
      'nobody@example.com',
      'gone@example.com',
      'mobile-reporter@caretaker.invalid',
    ]) {
      const answer = await ask(email)
      const headers = Object.fromEntries(answer.headers)
      delete headers['x-request-id']
      delete headers.date
      answers.push({ status: answer.status, headers, body: await answer.text() })
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ status: 200, body: '{"requested":true}' })
    const links = await mailedLinks()
    expect(links.map(({ to }) => to)).toEqual(['manager@example.com'])
  })

  it('writes into the log what was sent, without the address', async () => {
    const [{ last }] = (await query('select max(id) as last from audit_entries')) as [{ last: number }]
    await ask('manager@example.com')
    await ask('nobody@example.com')
    const rows = await query(
      `select actor_name, entity_id, changes from audit_entries where action = 'user.reset_requested' and id > $1`,
      [last],
    )
    expect(rows).toEqual([
      { actorName: 'Guest', entityId: await userIdOf('manager@example.com'), changes: {} },
    ])
  })

  it('works from the sign-in page without script', async () => {
    const signIn = await house.page('guest', '/sign-in')
    expect(signIn('main a[href="/forgot-password"]')).toHaveLength(1)
    const page = await house.page('guest', '/forgot-password')
    expect(page('form').last().attr('action')).toBe('/forgot-password')
    const answer = await house.submit('guest', '/forgot-password', { email: 'resident@example.com' })
    expect(answer.headers.get('location')).toBe('/sign-in?notice=linkSent')
    expect((await house.page('guest', '/sign-in?notice=linkSent'))('.notice').text()).toContain(
      'If that address has an account',
    )
    expect(await mailedLinks()).toHaveLength(1)
    const refused = await house.submit('guest', '/forgot-password', { email: ' ' })
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('Enter an email address'),
    ])
  })

  it('is throttled per address asked for, known or not, and fills no one’s mailbox', async () => {
    for (const email of ['manager@example.com', 'nobody@example.com']) {
      for (let i = 0; i < 5; i++) expect((await ask(email)).status).toBe(200)
      const limited = await ask(email.toUpperCase())
      expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true])
    }
    expect(await mailedLinks()).toHaveLength(5)
    expect((await ask('board@example.com')).status).toBe(200)
  })
})

describe('the link for a new password', () => {
  const linkFor = async (email: string) => {
    await ask(email)
    return (await mailedLinks())[0]!
  }

  it('sets the password once, ends every other session and signs in freshly', async () => {
    const id = await userIdOf('board@example.com')
    const before = await house.signIn('board@example.com')
    const { path } = await linkFor('board@example.com')
    await house.ask('guest', path)
    expect((await house.me(before)).id).toBe(id)
    const page = await house.page('guest', path)
    expect([page('h1').text(), page('#username').val()]).toEqual([
      'Choose a new password',
      'board@example.com',
    ])
    const answer = await house.submit({ cookie: before }, path, { password })
    expect(answer.status).toBe(303)
    const after = cookieOf(answer)
    expect(after).not.toBe(before)
    expect([await house.me(before), (await house.me(after)).id]).toEqual([null, id])
    expect((await ask('x@example.com')).status).toBe(200)
    const [entry] = await query(
      `select actor_id, changes from audit_entries where action = 'user.password_reset' and entity_id = $1`,
      [id],
    )
    expect(entry).toEqual({ actorId: id, changes: { password: { before: '••••', after: '••••' } } })
    expect((await lastActOn(id)).action).toBe('user.signed_in')
    const old = await house.attemptSignIn({ email: 'board@example.com' })
    expect(old.status).toBe(401)
    await house.signIn('board@example.com', password)
    expect((await house.submit('guest', path, { password })).status).toBe(404)
  })

  it('ends the other links of the same person', async () => {
    const [first, second] = [
      await linkFor('siobhan.kelly@example.com'),
      await linkFor('siobhan.kelly@example.com'),
    ]
    const answer = await house.ask('guest', `/api/auth${second.path}`, { json: { password } })
    expect(answer.status).toBe(200)
    for (const { path } of [first, second]) {
      const over = await house.ask('guest', path, { headers: { accept: 'text/html' } })
      expect(over.status).toBe(404)
      expect(over.headers.get('cache-control')).toBe('no-store')
      expect(await over.text()).toContain('href="/forgot-password"')
    }
  })
})
