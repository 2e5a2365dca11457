import { beforeEach, describe, expect, it } from 'vitest'
import { makeAdmin } from '../../src/accounts/people/makeAdmin.js'
import { query } from '../../src/platform/db/database.js'
import { mailedLinks } from '../support/accounts.js'
import { emptyOutbox, takeMessages } from '../support/email/messages.js'
import { cookieOf, deviceIn } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { ownPassword } from '../support/house/newcomer.js'
import { count } from '../support/rows.js'
import { secondFactorFor } from '../support/secondFactor.js'

const house = useHouse()
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
let members = 0

beforeEach(async () => {
  await forgetCounts()
  await emptyOutbox()
})

describe('a sign-in', () => {
  it('in a browser the account was not used in is told by email, the first of all is not', async () => {
    const { email } = await member()
    const first = deviceIn(cookieOf(await signInFrom(email)))
    expect(await notified()).toEqual([])
    await signInFrom(email, { cookie: first })
    expect(await notified()).toEqual([])
    await signInFrom(email, { 'user-agent': firefox })
    const { emails } = await takeMessages()
    expect(emails.map(({ to, subject }) => [to.address, subject])).toEqual([
      [email, 'New sign-in to your account'],
    ])
    const { text, html, headers } = emails[0]!
    expect(text).toContain('Device: Firefox on Linux.')
    expect(text).toContain('If this wasn’t you')
    expect(text + html).not.toContain('127.0.0.1')
    expect(headers['List-Unsubscribe']).toBeUndefined()
  })

  it('is known again by the browser’s cookie, for each account by itself, and not by one made up', async () => {
    const [one, other] = [await member(), await member()]
    const cookie = deviceIn(cookieOf(await signInFrom(one.email)))
    await signInFrom(other.email)
    await signInFrom(other.email, { cookie })
    expect(await notified()).toEqual([[other.email, 'New sign-in to your account']])
    await signInFrom(other.email, { cookie })
    expect(await notified()).toEqual([])
    await signInFrom(one.email, { cookie: cookie.replace(/=[^;]*/, '=made-up') })
    expect(await notified()).toHaveLength(1)
    const rows = await query<{ hash: string }>(`select encode(device_hash, 'hex') as hash from known_devices`)
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length)
  })

  it('is told three times a day at most, however many browsers there are, and fifty are remembered', async () => {
    const { id, email } = await member()
    await signInFrom(email)
    await query(
      `insert into known_devices (user_id, device_hash, last_seen_at)
       select $1, sha256(i::text::bytea), now() - interval '1 day' from generate_series(1, 60) i`,
      [id],
    )
    for (let i = 0; i < 5; i++) await signInFrom(email)
    expect(await notified()).toHaveLength(3)
    expect(await count('known_devices where user_id = $1', [id])).toBe(50)
  })
})

describe('a changed account', () => {
  it('is told of a new password chosen by a link or on the command line', async () => {
    const { email } = await member()
    await house.ask('guest', '/api/auth/forgot-password', { json: { email } })
    const [link] = await mailedLinks()
    await emptyOutbox()
    await house.ask('guest', `/api/auth${link!.path}`, { json: { password: 'a fourth quiet evening' } })
    await makeAdmin({ email, name: 'x', password: 'a fifth quiet evening' })
    const emails = (await takeMessages()).emails.filter(
      ({ subject }) => subject === 'Your password was changed',
    )
    expect(emails.map(({ to }) => to.address)).toEqual([email, email])
    expect(emails.map(({ text }) => text.includes('The building office did this.'))).toEqual([false, true])
  })

  it('made an admin from the command line, cannot be entered by a link of before', async () => {
    const { email } = await member()
    await house.ask('guest', '/api/auth/forgot-password', { json: { email } })
    const [link] = await mailedLinks()
    await makeAdmin({ email, name: 'x', password: 'a sixth quiet evening' })
    const late = { json: { password: 'of someone who has the link' } }
    expect((await house.ask('guest', `/api/auth${link!.path}`, late)).status).toBe(404)
    expect(await house.signIn(email, 'a sixth quiet evening')).toContain('caretaker')
  })

  it('of the app is made no admin', async () => {
    const [user] = await query<{ email: string }>('select email from users where is_mobile_reporter')
    const refused = makeAdmin({ email: user!.email, name: 'x', password: 'a seventh quiet evening' })
    await expect(refused).rejects.toMatchObject({ code: 'mobile_reporter' })
  })

  it('is told of its own and the office’s new password', async () => {
    const { id, email } = await member()
    const cookie = await house.signIn(email, ownPassword)
    const json = { currentPassword: ownPassword, password: 'another quiet evening' }
    await house.ask({ cookie }, '/api/account/password', { json })
    await change(id, { password: 'a third quiet evening' })
    expect(await notified()).toEqual([
      [email, 'Your password was changed'],
      [email, 'Your password was changed'],
    ])
  })

  it('is told of another address at the former one, and of nothing else there', async () => {
    const { id, email } = await member()
    const moved = `moved${++members}@outside.test`
    await change(id, { email: moved, password: 'another quiet evening' })
    const { emails } = await takeMessages()
    expect(emails.map(({ to, subject }) => [to.address, subject])).toEqual([
      [email, 'Your email address was changed'],
      [email, 'Your password was changed'],
    ])
    for (const { text, html } of emails) expect(text + html).not.toContain(moved)
    await change(id, { email: moved.toUpperCase() })
    expect(await notified()).toEqual([])
  })

  it('without a password yet is only invited at its new address', async () => {
    const { id } = await member({ password: undefined })
    const moved = `moved${++members}@outside.test`
    await change(id, { email: moved })
    expect((await notified()).map(([to]) => to)).toEqual([moved])
  })

  it('is told of everything about its second factor, in its own language', async () => {
    const { email } = await member({ locale: 'es' })
    const cookie = await house.signIn(email, ownPassword)
    const { codes } = await secondFactorFor(house, cookie)
    await house.submit({ cookie }, '/account/second-factor/recovery-codes')
    await house.submit({ cookie }, '/account/second-factor/off')
    const again = await secondFactorFor(house, cookie)
    const headers = { cookie: deviceIn(cookie) }
    await house.attemptSignIn({ email, password: ownPassword, code: again.codes[0] }, { headers })
    const { emails } = await takeMessages()
    expect(emails.map(({ subject }) => subject)).toEqual([
      'La verificación en dos pasos está activada',
      'Tiene códigos de recuperación nuevos',
      'La verificación en dos pasos está desactivada',
      'La verificación en dos pasos está activada',
      'Se usó un código de recuperación',
    ])
    const all = emails.map(({ text, html }) => text + html).join()
    for (const hidden of [...codes, ...again.codes, again.secret]) expect(all).not.toContain(hidden)
  })
})

/** Someone who was never signed in, with a password unless it is taken away. */
async function member(given: { password?: undefined; locale?: string } = {}) {
  const email = `member${++members}@outside.test`
  const id = await house.user({ email, password: ownPassword, ...given })
  return { id, email }
}

/** Signs in by password, in a browser that sends these headers. */
function signInFrom(email: string, headers: Record<string, string> = {}) {
  return house.attemptSignIn({ email, password: ownPassword }, { headers })
}

/** An admin changes an account. */
function change(id: number, json: object) {
  return house.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json })
}

/** Whom the emails that wait go to, and their subjects. */
async function notified() {
  return (await takeMessages()).emails.map(({ to, subject }) => [to.address, subject])
}
