import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { lastActOn, mailedLinks } from '../support/accounts.js'
import { emptyOutbox } from '../support/email/messages.js'
import { cookieOf } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { ownPassword } from '../support/house/newcomer.js'

const house = useHouse()
const password = ownPassword
let invitations = 0

beforeEach(emptyOutbox)

it('the email of an invitation that is tried again has a new token, and both work until one is used', async () => {
  const { path } = await invitedPerson()
  await query('update outbox set sent_at = null, next_attempt_at = now()')
  const [second] = await mailedLinks()
  expect(second!.path).not.toBe(path)
  for (const each of [path, second!.path]) expect((await house.ask('guest', each)).status).toBe(200)
  await choosePassword(second!.path)
  for (const each of [path, second!.path]) expect((await house.ask('guest', each)).status).toBe(404)
})

describe('the link of an invitation', () => {
  it('takes a password, signs the person in, and is used up', async () => {
    const { id, path, email } = await invitedPerson()
    const answer = await choosePassword(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/?notice=welcome'])
    expect([answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).toEqual([
      'private, no-store',
      'no-referrer',
    ])
    expect(await house.me(cookieOf(answer))).toMatchObject({ id, email })
    expect(await lastActOn(id)).toMatchObject({ action: 'user.signed_in', actorId: id })
    const [entry] = await query(
      `select actor_id, changes from audit_entries where action = 'user.invitation_accepted' and entity_id = $1`,
      [id],
    )
    expect(entry).toEqual({ actorId: id, changes: { password: { before: null, after: '••••' } } })
    await house.signIn(email, password)
    const again = await choosePassword(path, 'somebody else chose this')
    expect([again.status, await again.text()]).toEqual([
      404,
      expect.stringContaining('This link has expired'),
    ])
    await house.signIn(email, password)
  })

  it('works as JSON', async () => {
    const { id, path, email } = await invitedPerson('Jay Son')
    const address = `/api/auth${path}`
    expect(await house.json('guest', address)).toEqual({ name: 'Jay Son', email })
    const short = await house.ask('guest', address, { json: { password: 'short' } })
    expect([short.status, (await short.json()).errors]).toEqual([
      422,
      { password: ['Choose a password of at least 12 characters'] },
    ])
    const answer = await house.ask('guest', address, { json: { password } })
    expect(await answer.json()).toEqual({ user: { id, name: 'Jay Son', email, role: 'resident' } })
    expect((await house.me(cookieOf(answer))).id).toBe(id)
    const over = await house.ask('guest', address, { json: { password } })
    expect([over.status, (await over.json()).code]).toEqual([404, 'link_over'])
  })

  it('with a wrong password says at the field what is wrong, and stays good', async () => {
    const { path } = await invitedPerson()
    for (const [given, text] of [
      ['eleven char', 'Choose a password of at least 12 characters'],
      ['x'.repeat(201), 'The password must be 200 characters or fewer'],
    ] as const) {
      const answer = await choosePassword(path, given)
      const html = await answer.text()
      expect([answer.status, answer.headers.get('referrer-policy')]).toEqual([422, 'no-referrer'])
      expect(html).toContain(`<a href="#password">${text}</a>`)
      expect(html).not.toContain(given)
    }
    expect((await choosePassword(path)).status).toBe(303)
  })

  it('used twice at once is used once', async () => {
    const { id, path } = await invitedPerson()
    const answers = await Promise.all([choosePassword(path), choosePassword(path, 'another fine long one')])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404])
    const entries = await query(
      `select from audit_entries where action = 'user.invitation_accepted' and entity_id = $1`,
      [id],
    )
    expect(entries).toHaveLength(1)
  })

  it('signs out whoever else was signed in here', async () => {
    const { id, path } = await invitedPerson()
    const before = await house.signIn('resident@example.com')
    const answer = await choosePassword(path, password, before)
    expect((await house.me(cookieOf(answer))).id).toBe(id)
    expect(await house.me(before)).toBeNull()
  })

  it.each([
    ['another address', { email: 'moved.away@example.com' }],
    ['a password of the office', { password: 'another fine long one' }],
    ['the account being closed', { active: false }],
  ])('ends with %s', async (_why, json) => {
    const { id, path } = await invitedPerson()
    await house.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json })
    expect((await house.ask('guest', path)).status).toBe(404)
  })
})

/** Invites someone new and opens their email. */
async function invitedPerson(name = 'Nora New') {
  const { id, email } = await house.json('admin', '/api/admin/users', {
    json: { name, email: `new${++invitations}@example.com`, role: 'resident', active: true },
  })
  const [link] = await mailedLinks()
  return { id, email, ...link! }
}

/** Sends the form behind the link, from a browser with this cookie. */
function choosePassword(path: string, chosen = password, cookie = '') {
  return house.submit({ cookie }, path, { password: chosen })
}
