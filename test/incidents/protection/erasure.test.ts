import { describe, expect, it } from 'vitest'
import { query, takeConnection } from '../../../src/platform/db/database.js'
import { erasedAddress } from '../../../src/vocabulary/people/personName.js'
import { aWholeEmail } from '../../support/email/wholeEmails.js'
import { useHouse } from '../../support/house/house.js'
import { multipart, picture } from '../../support/pictures.js'
import { count, insertRow } from '../../support/rows.js'
import { eventually } from '../../support/run/eventually.js'

const house = useHouse()
const password = 'a quiet rainy afternoon'
let n = 0

describe('a person who is erased', () => {
  it.each(['themselves', 'an admin'])(
    'by %s leaves name and address nowhere, and what they reported',
    async (by) => {
      const person = await someone()
      // Their signatures stand in the whole emails alone.
      expect(await tablesWith(person.name)).toEqual(expect.arrayContaining(['users', 'whole_emails']))
      const before = await house.json('guest', `/api/incidents/${person.incidentId}`)
      const answer =
        by === 'an admin'
          ? await erase(person.id)
          : await house.ask('guest', '/api/account/erase', { ...person.as, json: {} })
      expect(answer.status).toBe(204)
      expect(await tablesWith(person.name)).toEqual([])
      expect(await tablesWith(person.email)).toEqual([])
      const after = await house.json('guest', `/api/incidents/${person.incidentId}`)
      expect(after).toEqual({
        ...before,
        reporterName: 'Deleted person',
        updates: before.updates.map((update: object) => ({ ...update, authorName: 'Deleted person' })),
      })
      expect((await house.ask('guest', '/api/account', person.as)).status).toBe(401)
      const again = await house.ask('guest', '/api/auth/sign-in/email', {
        json: { email: person.email, password },
      })
      expect(again.status).toBe(401)
    },
  )

  it('leaves no former address in an email that waits to be sorted', async () => {
    const [name, former] = ['Ferdinand Mover', 'ferdinand.mover@former.example']
    const user = { name, email: former, role: 'resident', password }
    const { id } = await house.json('admin', '/api/admin/users', { json: user })
    await insertRow('held_emails', {
      received_at: new Date(),
      domain: 'former.example',
      reason: 'sender',
      sender_name: name,
      sender_address: former,
      title: 'The lamp',
      description: 'It is dark',
      skipped: '[]',
      user_id: id,
      sender_standing: 'account',
    })
    const json = { email: 'ferdinand@present.example' }
    await house.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json })
    await erase(id)
    expect(await tablesWith(name)).toEqual([])
    expect(await count(`held_emails where sender_address = '${former}'`)).toBe(0)
  })

  it('is named by no read of the log, and stays in it by number', async () => {
    const { id, name, email } = await someone()
    await house.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json: { name: `${name} Junior` } })
    await erase(id)
    const list = `/api/audit?limit=500`
    for (const path of [list, `${list}&actorId=${id}`, '/audit', '/api/export/audit.csv']) {
      const text = await (await house.ask('admin', path, { headers: { accept: '*/*' } })).text()
      for (const word of [name, email]) expect.soft(text.includes(word), `${word} at ${path}`).toBe(false)
    }
    const theirs = await house.json('admin', `${list}&actorId=${id}`)
    expect(theirs.length).toBeGreaterThan(0)
    expect(new Set(theirs.map((entry: any) => entry.actorName))).toEqual(new Set(['Deleted person']))
    const [updated] = await house.json('admin', `/api/audit?entity=user&entityId=${id}&action=user.updated`)
    expect(updated.changes).toEqual({ name: { before: null, after: null } })
    expect(
      await house.json('admin', `/api/audit?entity=user&entityId=${id}&action=user.erased`),
    ).toHaveLength(1)
  })

  it('can be erased again to no effect, and neither changed, invited nor listed', async () => {
    const { id, email } = await someone()
    await erase(id)
    const stored = await query('select * from users where id = $1', [id])
    expect((await erase(id)).status).toBe(204)
    expect(await query('select * from users where id = $1', [id])).toEqual(stored)
    const acts = await query(`select from audit_entries where action = 'user.erased' and entity_id = $1`, [
      id,
    ])
    expect(acts).toHaveLength(1)
    const change = { method: 'PATCH', json: { active: true } }
    expect((await house.ask('admin', `/api/admin/users/${id}`, change)).status).toBe(404)
    expect((await house.ask('admin', `/api/admin/users/${id}/invitation`, { json: {} })).status).toBe(404)
    expect(
      (await house.json('admin', '/api/admin/users?limit=500')).map((user: any) => user.id),
    ).not.toContain(id)
    const anew = { name: 'Another one', email, role: 'resident' }
    expect((await house.ask('admin', '/api/admin/users', { json: anew })).status).toBe(201)
  })

  it.each([
    ['a name', 'PATCH', '/api/account', { name: 'Quillon Zabrev again' }],
    ['a phone', 'POST', '/api/devices', { token: 'phone-late', platform: 'ios' }],
    ['a second factor', 'POST', '/account/second-factor', {}],
    ['what they follow', 'POST', '/api/follows', { assetId: 3 }],
    ['a session', 'POST', '/api/auth/sign-in/email', { password }],
  ])('keeps nothing of %s that was under way', async (_what, method, path, json) => {
    const { id, email, as } = await someone()
    const signsIn = 'password' in json
    const body = signsIn ? { email, ...json } : json
    const holder = await takeConnection()
    let asked: Promise<Response>
    try {
      await holder.query('begin')
      await holder.query('delete from sessions where user_id = $1', [id])
      await holder.query('delete from known_devices where user_id = $1', [id])
      await holder.query(
        `update users set name = 'Deleted person', email = $2, active = false, password_hash = null, unit_id = null,
           notifications = '{}', erased_at = now() where id = $1`,
        [id, erasedAddress(id)],
      )
      const sent = path.startsWith('/api/') ? { json: body } : { form: body }
      const headers = { 'sec-fetch-site': 'same-origin', ...(signsIn ? {} : as.headers) }
      asked = house.ask('guest', path, { headers, method, ...sent })
      await eventually(async () => {
        const waiting = await query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(waiting.length).toBeGreaterThan(0)
      })
    } finally {
      await holder.query('commit')
      holder.release()
    }
    expect((await asked).status).toBe(404)
    const kept = await query(
      `select name from users where id = $1 and name like '% again'
       union all select token from devices where token = 'phone-late'
       union all select 'factor' from second_factors where user_id = $1
       union all select 'follow' from email_follows where user_id = $1
       union all select 'session' from sessions where user_id = $1
       union all select 'device' from known_devices where user_id = $1`,
      [id],
    )
    expect(kept).toEqual([])
  })

  it('is neither the last admin nor the app', async () => {
    const { id } = await house.json('admin', '/api/account')
    const refused = await house.ask('admin', '/api/account/erase', { json: {} })
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'last_admin'])
    expect((await house.json('admin', '/api/account')).id).toBe(id)
    const [phone] = await query<{ id: number }>('select id from users where is_mobile_reporter')
    expect((await erase(phone!.id)).status).toBe(409)
  })

  it('is asked first by a page without script', async () => {
    const { id, name, as } = await someone()
    const own = await house.page('guest', '/account/erase', as)
    expect(own('form[action="/account/erase"] button')).toHaveLength(1)
    const page = await house.page('admin', `/admin/users/${id}/erase`)
    expect(page('h1').text()).toBe(`Delete ${name}’s account and data?`)
    const formToken = page(`form[action="/admin/users/${id}/erase"] input[name=formToken]`).attr('value')!
    const headers = { accept: 'text/html' }
    const answer = await house.ask('admin', `/admin/users/${id}/erase`, { headers, form: { formToken } })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/users?notice=erasedOne'])
    expect(await tablesWith(name)).toEqual([])
  })
})

it('everything about a person is theirs to download, and an admin’s at their request', async () => {
  const { id, name, email, as, incidentId } = await someone()
  await house.json('manager', `/api/incidents/${incidentId}/hide`, { json: {} })
  const own = await house.ask('guest', '/api/account/data', as)
  expect(own.headers.get('content-disposition')).toContain('attachment')
  const data = await own.json()
  expect(data).toMatchObject({
    account: { id, name, email },
    incidents: [{ id: incidentId, title: 'Lamp' }],
    comments: [{ incidentId, body: 'Still dark' }],
    phones: [{ platform: 'ios' }],
  })
  expect(data.photos).toHaveLength(2)
  for (const { address } of data.photos)
    expect((await house.ask('guest', new URL(address).pathname)).status).toBe(200)
  expect(data.followed.length).toBe(2)
  expect(data.acts.map(({ action }: any) => action)).toContain('incident.created')
  const { account: _own, ...rest } = data
  const { account: _asked, ...byAdmin } = await house.json('admin', `/api/admin/users/${id}/data`)
  expect(byAdmin).toEqual(rest)
})

it('emails that are proven to be a person’s are theirs to download whole, and go with the person', async () => {
  const { id, as, incidentId } = await someone()
  const { updates } = await house.json('guest', `/api/incidents/${incidentId}`)
  await aWholeEmail({ incidentId }, 'Lamp', 'My number is 555 0100')
  await aWholeEmail({ incidentId, updateId: updates[0].id }, 'Re: Lamp', 'Still dark, as I said')
  const data = await house.json('guest', '/api/account/data', as)
  expect(data.emails).toMatchObject([
    { incidentId, subject: 'Lamp', text: 'My number is 555 0100' },
    { incidentId, subject: 'Re: Lamp', text: 'Still dark, as I said' },
  ])
  const other = await house.json('resident', '/api/account/data')
  expect(JSON.stringify(other.emails)).not.toContain('555 0100')
  await erase(id)
  expect(await count(`whole_emails where incident_id = ${incidentId}`)).toBe(0)
  expect(await house.json('manager', '/api/incidents?q=0100')).toEqual([])
})

/** Somebody with a name and an address that nobody else has, who has used what there is to use. */
async function someone(role = 'resident') {
  n += 1
  const [name, email] = [`Quillon Zabrev${n}`, `quillon.zabrev${n}@example.net`]
  // By email first, when there was no account to be known by.
  const firstEmail = {
    from: `${name} <${email}>`,
    subject: `By mail ${n}`,
    text: `The lamp again\n\n-- \n${name}\n${email}`,
  }
  const { incidentId } = await house.emails(firstEmail)
  const answer = {
    ...firstEmail,
    subject: `Re: [INC-${incidentId}] By mail`,
    text: `And again\n\n-- \n${name}`,
  }
  await house.emails(answer)
  const { id } = await house.json('admin', '/api/admin/users', { json: { name, email, role, password } })
  const cookie = await house.signIn(email, password)
  const as = { headers: { cookie } }
  const json = (path: string, body: object) => house.json('guest', path, { ...as, json: body })
  const form = (path: string, fields: Record<string, string>, bytes: Buffer) =>
    house.json('guest', path, { ...as, body: multipart(fields, [{ bytes }]) })
  const bytes = await picture()
  const incident = await form('/api/incidents', { assetId: '3', title: 'Lamp', severity: 'low' }, bytes)
  await form(`/api/incidents/${incident.id}/updates`, { body: 'Still dark' }, bytes)
  await json('/api/devices', { token: `phone-${n}`, platform: 'ios' })
  await json(`/api/incidents/${(await house.json('guest', '/api/incidents'))[1].id}/follow`, {})
  // The same person by email, from where nobody proves that it is them.
  const unproven = { title: 'By mail', severity: 'low', source: 'email' }
  await insertRow('incidents', { ...unproven, reporter_email: email.toUpperCase() })
  return { id: id as number, name, email, cookie, as, incidentId: incident.id as number }
}

/**
 * Every text of the database that holds a word, by table; the log keeps what it says,
 * and nobody reads it there.
 */
async function tablesWith(word: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and has_table_privilege(oid, 'SELECT') order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await query(
      `select from ${name} t where lower(t::text) like '%' || lower($1) || '%' limit 1`,
      [word],
    )
    if (rows.length > 0) found.push(name)
  }
  return found.filter((name) => name !== 'audit_entries')
}

function erase(id: number): Promise<Response> {
  return house.ask('admin', `/api/admin/users/${id}/erase`, { json: {} })
}
