import { describe, expect, it } from 'vitest'
import { useHouse } from '../../../support/house/house.js'
import { keys } from '../../../support/keys.js'
import { emptyBodies, type Headers, sendBytes } from '../../../support/routes/assertions/emptyBodies.js'

const house = useHouse()

/** Sends exactly these bytes after the header, and no header of a client. */
const sent = (method: string, path: string, headers: Headers, bytes = '') =>
  sendBytes(house, method, path, headers, bytes)

describe('a request without a body', () => {
  it.each(emptyBodies.filter(({ type }) => type.includes('json') || type === 'nonsense'))(
    'deletes what it should as $type with $framing',
    async ({ type, sending: [headers, bytes] }) => {
      const cookie = await house.signIn('admin@example.com')
      const path = `/api/admin/webhooks/${await house.subscription()}`
      const heard = await sent('DELETE', path, { cookie, 'content-type': type, ...headers }, bytes)
      expect(heard.status).toBe(204)
      expect((await house.ask('admin', path)).status).toBe(404)
    },
  )

  it('still has the type of a body refused once it has one, however it comes', async () => {
    const cookie = await house.signIn('admin@example.com')
    const path = `/api/admin/webhooks/${await house.subscription()}`
    for (const [headers, bytes] of [
      [{ 'content-length': '3' }, 'a=b'],
      [{ 'transfer-encoding': 'chunked' }, '3\r\na=b\r\n0\r\n\r\n'],
    ] as [Headers, string][])
      expect(
        (await sent('DELETE', path, { cookie, 'content-type': 'text/plain', ...headers }, bytes)).status,
      ).toBe(415)
    expect((await house.ask('admin', path)).status).toBe(200)
  })
})

describe('a header that is there and empty', () => {
  it.each([
    'authorization',
    'idempotency-key',
    'accept',
    'if-none-match',
    'range',
    'if-modified-since',
    'origin',
    'sec-fetch-site',
    'content-type',
    'accept-encoding',
    'accept-language',
  ])('%s changes nothing', async (name) => {
    const cookie = await house.signIn('resident@example.com')
    for (const path of ['/api/status', '/', '/api/incidents', '/api/auth/get-session', '/static/app.js'])
      expect(await sent('GET', path, { cookie, [name]: '' }), path).toEqual(
        await sent('GET', path, { cookie }),
      )
    const report = JSON.stringify({ assetId: 4, title: 'Dark', severity: 'low' })
    const framed = { cookie, 'content-type': 'application/json', 'content-length': String(report.length) }
    if (name === 'content-type') return
    expect((await sent('POST', '/api/incidents', { ...framed, [name]: '' }, report)).status).toBe(201)
  })
})

describe('JSON with an Authorization header', () => {
  const report = JSON.stringify({ assetId: 4, title: 'Dark', severity: 'low' })
  const bearer = { authorization: `Bearer ${keys.MOBILE_API_KEY}` }
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  const post = (headers: Headers, text: string) =>
    sent('POST', '/api/incidents', { 'content-length': String(text.length), ...headers }, text)

  it.each<[string, Headers]>([
    ['without a type', {}],
    ['with an empty type', { 'content-type': '' }],
    ['as text/plain', { 'content-type': 'text/plain' }],
    ['as fetch sends a text', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['as text in capitals', { 'content-type': ' Text/Plain ; charset=utf-8' }],
  ])('%s is read as JSON', async (_how, type) => {
    expect((await post({ ...bearer, ...type }, report)).status).toBe(201)
    expect((await post({ ...bearer, ...type }, `\r\n ${report}`)).status).toBe(201)
    expect(await post({ ...bearer, ...type }, report.slice(0, -1))).toEqual({
      status: 400,
      code: 'malformed_body',
    })
    const inChunks = { ...bearer, ...type, 'transfer-encoding': 'chunked' }
    expect((await sent('POST', '/api/incidents', inChunks, chunked(report))).status).toBe(201)
    expect((await post({ ...bearer, ...type }, '{}')).status).toBe(422)
  })

  it('is refused as every other type, and a text that is no JSON as before', async () => {
    const refused = { status: 415, code: 'unsupported_type' }
    const missing = { status: 422, code: 'type_missing' }
    for (const type of [
      'text/html',
      'text/json',
      'text/plainer',
      'application/xml',
      'text/plain; charset=utf-16',
    ])
      expect(await post({ ...bearer, 'content-type': type }, report), type).toEqual(refused)
    expect(await post({ ...bearer, 'content-type': 'text/plain' }, 'title=x')).toEqual(refused)
    expect(await post(bearer, 'title=x')).toEqual(missing)
  })

  it('is what that header makes of it: a session is refused as before, and a wrong key is no one', async () => {
    const cookie = await house.signIn('resident@example.com')
    expect((await post({ cookie, 'content-type': 'text/plain' }, report)).status).toBe(415)
    expect((await post({ cookie, authorization: '', 'content-type': 'text/plain' }, report)).status).toBe(415)
    expect((await post({ cookie }, report)).code).toBe('type_missing')
    const wrong = { cookie, authorization: 'Bearer wrong', 'content-type': 'text/plain' }
    expect((await post(wrong, report)).status).toBe(401)
  })

  it('reads comments and large bodies of machines too', async () => {
    const id = await house.report({ severity: 'low' })
    const body = JSON.stringify({ body: 'Still dark' })
    const plain = { 'content-type': 'text/plain', 'content-length': String(body.length) }
    expect((await sent('POST', `/api/incidents/${id}/updates`, { ...bearer, ...plain }, body)).status).toBe(
      201,
    )
    const email = JSON.stringify({ from: 'a@x.example', subject: 'Dark', text: 'x'.repeat(2_000_000) })
    const inbound = {
      authorization: `Bearer ${keys.INBOUND_EMAIL_SECRET}`,
      'content-type': 'text/plain',
      'content-length': String(email.length),
    }
    expect((await sent('POST', '/api/inbound-email', inbound, email)).status).toBe(200)
  })
})
