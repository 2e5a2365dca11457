import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { query } from '../../../../src/platform/db/database.js'
import { useHouse } from '../../../support/house/house.js'
import { picture } from '../../../support/pictures.js'

/** What clients that were written from the specification alone send, and expect. */

const house = useHouse()

describe('a JSON body', () => {
  it.each(['application/merge-patch+json', 'application/hal+json', 'application/vnd.api+json'])(
    'is read as %s',
    async (type) => expect(await patched(type)).toEqual([200, 'After']),
  )

  it.each(['text/json', 'text/plain', 'application/xml', 'application/jsonl'])(
    'is refused as %s, and changes nothing',
    async (type) => expect(await patched(type)).toEqual([415, 'Before']),
  )

  it.each([
    ['without a type', {}],
    ['as a form, as curl sends it', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('%s is refused with the header to send', async (_how, type) => {
    const headers = { authorization: 'Bearer wrong', ...type }
    const [unauthenticated] = await sent('/api/incidents', headers as never, '{"title":"x"}')
    expect(unauthenticated).toBe(401)
    const cookie = await house.signIn('resident@example.com')
    const [status, text] = await sent('/api/incidents', { cookie, ...type } as never, ' {"title":"x&y=z"}')
    expect([status, JSON.parse(text).code]).toEqual([422, 'type_missing'])
    expect(JSON.parse(text).detail).toContain('Content-Type: application/json')
  })
})

describe('a field', () => {
  it('that is an id may be decimal text in JSON, and nothing else', async () => {
    const report = (assetId: unknown) =>
      house.ask('resident', '/api/incidents', { json: { assetId, title: 'x', severity: 'low' } })
    expect(await (await report('4')).json()).toMatchObject({ assetId: 4 })
    for (const wrong of ['4.0', ' 4', '4x', '0x4', '-4', '99999999999', ['4'], true])
      expect((await report(wrong)).status, String(wrong)).toBe(422)
    const [duplicate, target] = [await house.report({}), await house.report({})]
    const merged = { json: { targetId: String(target) } }
    expect(await house.json('manager', `/api/incidents/${duplicate}/merge`, merged)).toMatchObject({
      mergedInto: target,
    })
    const many = { json: { duplicateIds: [String(await house.report({}))] } }
    expect((await house.ask('manager', `/api/incidents/${target}/duplicates`, many)).status).toBe(200)
  })

  it.each([
    ['on', 201],
    ['true', 201],
    ['false', 201],
    ['yes', 422],
    ['1', 422],
  ])('that is a flag, in a form as %s: %s', async (isAnonymous, status) => {
    const form = { assetId: '4', title: 'x', severity: 'low', isAnonymous }
    expect((await house.ask('resident', '/api/incidents', { form })).status).toBe(status)
  })

  it('that is the recurrence may be empty, and means none', async () => {
    const json = { assetId: 1, title: 'x', ...times, recurrence: '' }
    const { id, recurrence } = await house.json('manager', '/api/admin/maintenance', { json })
    expect(recurrence).toBe('none')
    const path = `/api/admin/maintenance/${id}`
    await house.json('manager', path, { method: 'PATCH', json: { recurrence: 'weekly' } })
    expect(await house.json('manager', path, { method: 'PATCH', json: { recurrence: '' } })).toMatchObject({
      recurrence: 'none',
    })
  })

  it('that is a platform may be in any letter case', async () => {
    const json = { token: 'letter-case', platform: 'iOS' }
    expect(await house.json('resident', '/api/devices', { json })).toMatchObject({ platform: 'ios' })
  })

  it('of an incident may be sent back as it was read, its status, too, and none of another act', async () => {
    const id = await house.report({ status: 'acknowledged' })
    const path = `/api/incidents/${id}`
    const read = await house.json('manager', path)
    expect(await house.json('manager', path, { method: 'PATCH', json: read })).toEqual(read)
    const changed = { method: 'PATCH', json: { ...read, status: 'resolved' } }
    const answer = await house.ask('manager', path, changed)
    expect(answer.status).toBe(422)
    expect((await answer.json()).errors.status).toEqual([expect.stringContaining('/updates (newStatus)')])
    expect(await house.json('manager', path)).toEqual(read)
  })
})

describe('the list of incidents', () => {
  const { office } = house

  it('says with includeMerged which rows are duplicates, and of what', async () => {
    const [duplicate, target] = [await house.report({}), await house.report({})]
    await office.merges(duplicate, target)
    type Row = { id: number; mergedIntoId?: number | null }
    const list = (query: string) => house.json<Row[]>('guest', `/api/incidents?limit=1000${query}`)
    for (const flag of ['true', '1']) {
      const rows = await list(`&includeMerged=${flag}`)
      expect(rows.find(({ id }) => id === duplicate)?.mergedIntoId).toBe(target)
      expect(rows.find(({ id }) => id === target)?.mergedIntoId).toBeNull()
    }
    for (const flag of ['false', '0', '']) {
      const rows = await list(`&includeMerged=${flag}`)
      expect(rows.some((row) => row.id === duplicate || 'mergedIntoId' in row)).toBe(false)
    }
  })

  it.each([
    ['status=OPEN', 'status', 'open, acknowledged, in_progress, resolved, verified'],
    ['severity=urgent', 'severity', 'low, medium, high, critical'],
    ['includeMerged=yes', 'includeMerged', 'true, false'],
    ['status=open&status=verified', 'status', 'once'],
    ['status[]=open', 'status', 'without brackets'],
    ['assetId[0]=4', 'assetId', 'without brackets'],
    ['before=x', 'before', 'a whole number from 1 to 2147483647'],
    ['from=soon', 'from', 'a day such as 2026-05-31'],
    ['status=open&status=open', 'status', 'open, acknowledged, in_progress, resolved, verified'],
    ['status[]=open', 'status', 'open, acknowledged, in_progress, resolved, verified'],
  ])('%s: says which parameter is wrong, and what it may be', async (asked, field, detail) => {
    for (const path of ['/api/incidents', '/api/export/incidents.csv']) {
      if (field === 'before' && path.includes('export')) continue
      const answer = await house.ask('manager', `${path}?${asked}`, {
        headers: { accept: 'application/json' },
      })
      expect(answer.status, path).toBe(400)
      const problem = await answer.json()
      expect(problem.detail).toContain(`"${field}"`)
      expect(problem.detail).toContain(detail)
      expect(Object.keys(problem.errors)).toEqual([field])
    }
  })

  it('has 500 rows without a limit, and at most 1,000', async () => {
    await house.manyReports(1005, { title: "'Many'", asset_id: '5' })
    const length = async (asked: string) =>
      (await house.json<unknown[]>('guest', `/api/incidents?assetId=5${asked}`)).length
    expect(await length('')).toBe(500)
    expect(await length('&limit=2000')).toBeGreaterThan(500)
    expect(await length('&limit=2000')).toBeLessThanOrEqual(1000)
    await query(`delete from incidents where title = 'Many'`)
  })
})

it('the session is the first cookie, alone, and its value counts only whole', async () => {
  const json = { email: 'resident@example.com', password: 'caretaker-demo' }
  const answer = await house.ask('guest', '/api/auth/sign-in/email', { json })
  const pair = answer.headers.get('set-cookie')!.split(';')[0]!
  const session = async (cookie: string) => (await house.ask({ cookie }, '/api/auth/get-session')).json()
  expect(await session(pair)).toMatchObject({ user: { email: json.email } })
  expect(answer.headers.getSetCookie().filter((cookie) => cookie.includes('.sig='))).toHaveLength(1)
  const [name, value] = pair.split('=') as [string, string]
  const [id, signature] = value.split('.') as [string, string]
  for (const wrong of [id, `${id}.`, `${id}.${signature.slice(1)}`, `${signature}.${id}`, `.${signature}`])
    expect(await session(`${name}=${wrong}`), wrong).toBeNull()
})

it('pages of other sites may read that a public answer has not changed', async () => {
  const etag = (await house.ask('guest', '/api/status')).headers.get('etag')!
  const again = await house.ask('guest', '/api/status?x', { headers: { 'if-none-match': etag } })
  const fast = await house.ask('guest', '/api/status', { headers: { 'if-none-match': etag } })
  for (const answer of [again, fast])
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([304, '*'])
})

it('an email may have a photo as a data: URL', async () => {
  const contentBase64 = `data:image/jpeg;base64,${(await picture()).toString('base64')}`
  const attachments = [{ filename: 'a.jpg', contentBase64, contentType: 'image/jpeg' }]
  const json = { from: 'a@x.example', subject: 'With a photo', text: 'x', attachments }
  const { incidentId } = await house.json('inbound', '/api/inbound-email', { json })
  expect((await house.json('guest', `/api/incidents/${incidentId}`)).photos).toHaveLength(1)
})

const times = { startsAt: '2030-01-01T10:00:00Z', endsAt: '2030-01-01T11:00:00Z' }

const plan = () =>
  house.json('manager', '/api/admin/maintenance', { json: { assetId: 1, title: 'Before', ...times } })

/** Sends a PATCH of this type; returns the status of the answer, and the title after it. */
async function patched(type: string): Promise<[number, string]> {
  const path = `/api/admin/maintenance/${(await plan()).id}`
  const given = { method: 'PATCH', headers: { 'content-type': type }, body: '{"title":"After"}' }
  const { status } = await house.ask('manager', path, given)
  return [status, (await house.json('manager', path)).title]
}

/** Sends these bytes with these headers and no others of a client. */
function sent(path: string, headers: Record<string, string>, body: string): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const asked = request(house.origin() + path, { method: 'POST', headers }, async (answer) => {
      resolve([answer.statusCode!, Buffer.concat(await answer.toArray()).toString()])
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
