import { load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { userIdOf } from '../support/accounts.js'
import { emptyOutbox } from '../support/email/messages.js'
import { useHouse } from '../support/house/house.js'
import { column } from '../support/rows.js'

const house = useHouse()

beforeEach(async () => {
  await emptyOutbox()
  // Those of the demo have been invited, and come some day.
  await query(`update users set password_hash = 'x' where password_hash is null and not is_mobile_reporter`)
  await query(`update users set active = false, email = id || '@left.test' where email like '%@home.test'`)
})

describe('residents from a spreadsheet', () => {
  it('are invited in the same change when that is ticked, and not without it', async () => {
    await house.json('admin', '/api/admin/import/residents', {
      json: { csv: sheet(people(2)), invite: true },
    })
    expect(await queued()).toEqual(['ada0@home.test', 'ada1@home.test'])
    await house.json('admin', '/api/admin/import/residents', { json: { csv: sheet(people(1, 7)) } })
    expect(await queued()).toHaveLength(2)
    const entries = await query(
      `select changes from audit_entries where action = 'user.all_invited' order by id desc limit 1`,
    )
    expect(entries).toEqual([{ changes: { invitations: { before: null, after: 2 } } }])
  })

  it('are offered it on the preview, and changed ones are not invited', async () => {
    const answer = await house.submit('admin', '/admin/import', { kind: 'residents', csv: sheet(people(1)) })
    const page = load(await answer.text())
    expect(page('input[name=invite]').attr('type')).toBe('checkbox')
    await house.json('admin', '/api/admin/import/residents', { json: { csv: sheet(people(1)) } })
    const renamed = sheet('Ada Lovelace,ada0@home.test')
    await house.json('admin', '/api/admin/import/residents', { json: { csv: renamed, invite: true } })
    expect(await queued()).toEqual([])
  })
})

describe('those without a password', () => {
  it('are invited once the office has seen how many and who they are', async () => {
    await house.json('admin', '/api/admin/import/residents', { json: { csv: sheet(people(3)) } })
    const page = await house.page('admin', '/admin/users')
    expect(page('form[action="/admin/users/invitations"]').length).toBe(0)
    expect(page('a[href="/admin/users/invitations"]').text()).toBe('Invite 3 people…')
    const question = await house.page('admin', '/admin/users/invitations')
    expect(question('h1').text()).toBe('Email 3 people an invitation?')
    expect(question('details li').text()).toMatch(/ada0@home.test.*ada1@home.test.*ada2@home.test/s)
    expect(await queued()).toEqual([])
    const form = question('form[action="/admin/users/invitations"]')
    expect(form.find('button').text()).toBe('Send 3 invitations')
    expect((await house.submit('admin', form.attr('action')!)).status).toBe(303)
    expect(await queued()).toHaveLength(3)
    const again = await house.ask('admin', '/admin/users/invitations', { headers: { accept: 'text/html' } })
    expect(again.headers.get('location')).toBe('/admin/users')
  })

  it('are invited by one press, no one twice, also when it is pressed twice at once', async () => {
    await house.json('admin', '/api/admin/import/residents', { json: { csv: sheet(people(3)) } })
    const answers = await Promise.all([inviteAll(), inviteAll()])
    expect(answers.map(({ invited }) => invited).sort()).toEqual([0, 3])
    expect(await queued()).toEqual(['ada0@home.test', 'ada1@home.test', 'ada2@home.test'])
    expect((await house.page('admin', '/admin/users'))('a[href$="invitations"]').length).toBe(0)
  })

  it('are those alone who have no other way in and may sign in', async () => {
    await house.json('admin', '/api/admin/import/residents', { json: { csv: sheet(people(2)) } })
    const id = await userIdOf('ada0@home.test')
    await house.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json: { active: false } })
    expect(await inviteAll()).toEqual({ invited: 1, waiting: 0 })
    expect(await queued()).toEqual(['ada1@home.test'])
    await query(`update outbox set created_at = now() - interval '25 hours' where event = 'account.invited'`)
    expect(await inviteAll()).toEqual({ invited: 1, waiting: 0 })
  })

  it('come in portions when there are very many', async () => {
    await house.json('admin', '/api/admin/import/residents', { json: { csv: sheet(people(510)) } })
    expect(await inviteAll()).toEqual({ invited: 500, waiting: 10 })
    expect(await inviteAll()).toEqual({ invited: 10, waiting: 0 })
  })
})

function people(n: number, from = 0) {
  return Array.from({ length: n }, (_, i) => `Ada ${from + i},ada${from + i}@home.test`).join('\n')
}

function sheet(rows: string) {
  return `name,email\n${rows}`
}

function queued() {
  return column<string>(
    `select u.email from outbox o join users u on u.id = o.recipient_id where o.event = 'account.invited'
     order by u.id`,
  )
}

function inviteAll() {
  return house.json('admin', '/api/admin/users/invitations', { json: {} })
}
