import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { useApp } from '../support/app.js'
import { anIncident } from '../support/builders/incident.js'
import { aSubscription } from '../support/builders/records.js'
import { keys } from '../support/keys.js'
import { type Endpoint, writeEndpoints } from '../support/routes/endpoints.js'
import { perRun } from '../support/suite/extent.js'

const app = useApp()

type Headers = Record<string, string>
type Heard = { status: number; code: string | null }

/** Sends exactly these bytes after the header, and no header of a client. */
async function sent(method: string, path: string, headers: Headers, bytes = ''): Promise<Heard> {
  const { hostname, port, host } = new URL(app.origin())
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${bytes}`)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  const text = Buffer.concat(chunks).toString()
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0),
    code: /"code":"(\w+)"/.exec(text)?.[1] ?? null,
  }
}

const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'nonsense',
]

/** The ways a request says that it has no body, with the bytes it sends. */
const framings: Record<string, [headers: Headers, bytes: string]> = {
  'no length': [{}, ''],
  'a length of 0': [{ 'content-length': '0' }, ''],
  'no chunk': [{ 'transfer-encoding': 'chunked' }, '0\r\n\r\n'],
}

const tries = Object.entries(framings).flatMap(([framing, sending]) =>
  types.map((type) => ({ framing, type, sending })),
)

/** Acts that end the session of whoever does them. */
const endsSession = /sign-out|sessions|browsers/
/** Nothing has this id, so that nothing is done; names are no ids. */
const addressOf = ({ path }: Endpoint) => path.replace(/:\w+|\{\*\w+\}/g, '999999')

describe('a request without a body', () => {
  it('is answered the same whatever type it says the body has, for every write', async () => {
    const wrong: string[] = []
    const asked = writeEndpoints.filter(({ path }) => path.startsWith('/api/'))
    let turn = 0
    for (const endpoint of asked) {
      await query('delete from throttles')
      const address = addressOf(endpoint)
      const ask = async (headers: Headers, bytes: string) => {
        if (endsSession.test(address)) cookie = await app.signIn('admin@example.com')
        return sent(endpoint.method, address, { cookie, accept: 'application/json', ...headers }, bytes)
      }
      let cookie = await app.signIn('admin@example.com')
      const expected = await ask({}, '')
      turn++
      const chosen = perRun({ quick: tries.filter((_, i) => i % 8 === turn % 8), whole: tries })
      for (const { framing, type, sending } of chosen) {
        const [headers, bytes] = sending
        const heard = await ask({ ...headers, 'content-type': type }, bytes)
        if (heard.status === expected.status && heard.code === expected.code) continue
        wrong.push(
          `${endpoint.method} ${address} as ${type} with ${framing}: ${heard.status} ${heard.code}, not ${expected.status} ${expected.code}`,
        )
      }
      if (expected.status === 415 || expected.status >= 500) wrong.push(`${address}: ${expected.status}`)
    }
    expect(wrong).toEqual([])
    expect(asked.length).toBeGreaterThan(80)
  })

  it.each(tries.filter(({ type }) => type.includes('json') || type === 'nonsense'))(
    'deletes what it should as $type with $framing',
    async ({ type, sending: [headers, bytes] }) => {
      const cookie = await app.signIn('admin@example.com')
      const path = `/api/admin/webhooks/${await aSubscription({ url: 'https://receiver.example/hook' })}`
      const heard = await sent('DELETE', path, { cookie, 'content-type': type, ...headers }, bytes)
      expect(heard.status).toBe(204)
      expect((await app.ask('admin', path)).status).toBe(404)
    },
  )

  it('still has the type of a body refused once it has one, however it comes', async () => {
    const cookie = await app.signIn('admin@example.com')
    const path = `/api/admin/webhooks/${await aSubscription({ url: 'https://receiver.example/hook' })}`
    for (const [headers, bytes] of [
      [{ 'content-length': '3' }, 'a=b'],
      [{ 'transfer-encoding': 'chunked' }, '3\r\na=b\r\n0\r\n\r\n'],
    ] as [Headers, string][])
      expect(
        (await sent('DELETE', path, { cookie, 'content-type': 'text/plain', ...headers }, bytes)).status,
      ).toBe(415)
    expect((await app.ask('admin', path)).status).toBe(200)
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
    const cookie = await app.signIn('resident@example.com')
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
    const cookie = await app.signIn('resident@example.com')
    expect((await post({ cookie, 'content-type': 'text/plain' }, report)).status).toBe(415)
    expect((await post({ cookie, authorization: '', 'content-type': 'text/plain' }, report)).status).toBe(415)
    expect((await post({ cookie }, report)).code).toBe('type_missing')
    const wrong = { cookie, authorization: 'Bearer wrong', 'content-type': 'text/plain' }
    expect((await post(wrong, report)).status).toBe(401)
  })

  it('reads comments and large bodies of machines too', async () => {
    const id = await anIncident({ severity: 'low' })
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
