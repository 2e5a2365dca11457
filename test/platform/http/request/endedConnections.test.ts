import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../../support/database.js'
import { keys } from '../../../support/keys.js'
import { type Caretaker, logLines, startCaretaker } from '../../../support/process.js'
import { eventually } from '../../../support/run/eventually.js'
import { newFolder } from '../../../support/run/folders.js'

const folder = newFolder()
const url = useDatabase()
let server: Caretaker

beforeAll(async () => {
  server = await startCaretaker({ ...keys, DATABASE_URL: url(), DATA_DIR: folder, LOG_LEVEL: 'debug' })
})
afterAll(() => server.end())

/** How a connection ends, on the side of the stranger. */
const ends = ['closed', 'half closed', 'reset'] as const

describe('a connection', () => {
  it.each(ends)('that is %s in the middle of a request is no error of ours', async (end) => {
    const before = (await written()).length
    await Promise.all(Object.values(beginnings).map((bytes) => broken(bytes, end)))
    const requests = () =>
      lines()
        .slice(before)
        .filter(({ msg }) => msg === 'request')
    await eventually(() => expect(requests().length).toBeGreaterThan(10))
    expect((await written()).slice(before).filter(loud)).toEqual([])
  })

  it('that speaks TLS to a port without it is none', async () => {
    const before = (await written()).length
    const { hostname, port } = new URL(server.origin)
    const socket = connectSecurely({ host: hostname, port: Number(port), rejectUnauthorized: false })
    await once(socket, 'error')
    expect((await written()).slice(before).filter(loud)).toEqual([])
  })
})

type Line = {
  level: string
  msg: string
  requestId?: string
  path?: string
  status?: number
  stack?: unknown
  error?: unknown
}

const bearer = `Authorization: Bearer ${keys.MOBILE_API_KEY}`
const json = 'Content-Type: application/json'

const postHead = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')

const multipart = `Content-Type: multipart/form-data; boundary=x`
const part = '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nDark'

const file =
  '--x\r\nContent-Disposition: form-data; name="photos[]"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\nxx'

/** What a stranger may write before the connection ends, or what no server can read. */
const beginnings: Record<string, string> = {
  nothing: '',
  'half a request line': 'GET /api/sta',
  'half a header': 'GET / HTTP/1.1\r\nHost: loc',
  'half a body of JSON': `${postHead('/api/incidents', bearer, json, 'Content-Length: 500')}{"title":`,
  'half a body of nobody': `${postHead('/api/incidents', json, 'Content-Length: 500')}{"title":`,
  'half a body that is not read': `${postHead('/nowhere', json, 'Content-Length: 500')}{"title":`,
  'half a sign-in': `${postHead('/api/auth/sign-in/email', json, 'Content-Length: 500')}{"email":`,
  'half a form of a page': `${postHead('/sign-in', 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 500', 'Sec-Fetch-Site: same-origin')}email=`,
  'no byte of a body': postHead('/api/incidents', bearer, json, 'Content-Length: 500'),
  'no byte of a text': postHead('/api/incidents', bearer, 'Content-Length: 500'),
  'half a field of a form with files': `${postHead('/api/incidents', bearer, multipart, 'Content-Length: 900')}${part}`,
  'half a file': `${postHead('/api/incidents', bearer, multipart, 'Content-Length: 900000')}${part}\r\n${file}`,
  'half a sheet': `${postHead('/api/admin/import/units', multipart, 'Content-Length: 900')}${part}`,
  'half an email': `${postHead('/api/inbound-email', `Authorization: Bearer ${keys.INBOUND_EMAIL_SECRET}`, json, 'Content-Length: 5000000')}{"from":`,
  'half a chunk': `${postHead('/api/incidents', bearer, json, 'Transfer-Encoding: chunked')}40\r\n{"ti`,
  'no chunk': postHead('/api/incidents', bearer, json, 'Transfer-Encoding: chunked'),
  'a chunk without an end': `${postHead('/api/incidents', bearer, json, 'Transfer-Encoding: chunked')}2\r\n{}\r\n`,
  'a broken chunk': `${postHead('/api/incidents', bearer, json, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n`,
  'a broken chunk of nobody': `${postHead('/nowhere', json, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n`,
  'half a compressed body': `${postHead('/api/incidents', bearer, json, 'Content-Encoding: gzip', 'Content-Length: 90')}\u001f`,
  'no HTTP': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  'another version': 'GET / HTTP/9.9\r\n\r\n',
  'two lengths': `${postHead('/', 'Content-Length: 1', 'Content-Length: 2')}x`,
  'a length and chunks': `${postHead('/', 'Content-Length: 1', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  'no host': 'GET / HTTP/1.1\r\n\r\n',
  'a large header': get('/', `X: ${'x'.repeat(90_000)}`),
  'a long address': get(`/${'x'.repeat(20_000)}`),
  'a control character': 'GET /\u0001 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'an unknown method': 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'an upgrade': get('/', 'Connection: Upgrade', 'Upgrade: websocket'),
  'an upgrade with a body': `${postHead('/api/incidents', bearer, json, 'Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 50')}{`,
  'a tunnel': 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
  'an expectation': `${postHead('/api/incidents', bearer, json, 'Expect: 200-maybe', 'Content-Length: 50')}{`,
  'a wait for the word to go on': postHead(
    '/api/incidents',
    bearer,
    json,
    'Expect: 100-continue',
    'Content-Length: 50',
  ),
  'requests before any answer': get('/').repeat(40),
  'a page that is not taken': get('/api/status'),
  'a page, and half of the next request': `${get('/')}GET /api/sta`,
}

async function broken(bytes: string, end: (typeof ends)[number]): Promise<void> {
  const { hostname, port } = new URL(server.origin)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (bytes) socket.write(bytes, 'latin1')
  // Long enough for the server to have begun with it.
  await sleep(150)
  if (end === 'reset') socket.resetAndDestroy()
  else if (end === 'closed') socket.destroy()
  else {
    socket.resume()
    socket.end()
    // Who only waits for more is left to the server's own time limits. The server may also reset
    // the connection: `once` of events would take that for a failure.
    const isClosed = new Promise((resolve) => socket.once('close', resolve))
    await Promise.race([isClosed, sleep(250)])
    socket.destroy()
  }
}

const lines = () => logLines<Line>(server)

/**
 * The lines of what has happened so far: those of a request that is asked after it come after them.
 */
async function written(): Promise<Line[]> {
  await sleep(100)
  const answer = await fetch(`${server.origin}/api/towers`)
  const id = answer.headers.get('x-request-id')!
  await eventually(() => expect(lines().some(({ requestId }) => requestId === id)).toBe(true))
  return lines()
}

const loud = ({ level, stack, error }: Line) =>
  level === 'error' || level === 'fatal' || stack !== undefined || error !== undefined
