import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createListener } from '../../../src/app/app.js'
import { openCsvFiles } from '../../../src/platform/db/csvFile.js'
import { boundedServer, type ClientBounds } from '../../../src/platform/http/server/boundedServer.js'
import { config } from '../../../src/platform/process/config.js'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import { networkOf } from '../../../src/vocabulary/people/network.js'
import { useDatabase } from '../../support/database.js'
import { cookieOf } from '../../support/house/asking.js'
import { manyReports } from '../../support/house/manyReports.js'
import { scalar } from '../../support/rows.js'
import { eventually } from '../../support/run/eventually.js'
import { perRun } from '../../support/run/extent.js'

useDatabase()

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

describe('a client that', () => {
  const lateHeader = { headerTime: 100 }
  const lateBody = { headerTime: 100, requestTime: 100 }
  const notRead = { quietTime: 100 }
  const readSlowly = { slowTime: 100 }

  /** How a client can be slow, and what ends its connection. */
  const slow: Record<string, Slow> = {
    'says nothing': { act: () => {}, bounds: lateHeader },
    'sends half a header': {
      act: (socket) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n'),
      bounds: lateHeader,
    },
    'sends a header byte by byte': {
      act(socket) {
        socket.write('GET / HTTP/1.1\r\nX-Long: ')
        drip(socket, 'x')
      },
      bounds: lateHeader,
    },
    'sends half a body': {
      act: (socket, cookie) =>
        socket.write(`${postHead('/api/incidents', 'application/json', 500, cookie)}{"title"`),
      bounds: lateBody,
    },
    'sends a body byte by byte': {
      act(socket, cookie) {
        socket.write(`${postHead('/api/incidents', 'application/json', 5_000, cookie)}{"title":"`)
        drip(socket, 'x')
      },
      bounds: lateBody,
    },
    'sends half a photo': {
      act: (socket, cookie) => socket.write(postHead('/api/incidents', form, 900_000, cookie) + filePart),
      bounds: lateBody,
    },
    'sends a photo byte by byte': {
      act(socket, cookie) {
        socket.write(postHead('/report', form, 900_000, cookie) + filePart)
        drip(socket, 'x')
      },
      bounds: lateBody,
    },
    'keeps its connection for nothing': {
      act(socket) {
        socket.resume()
        socket.write(get('/healthz'))
      },
      bounds: { keepAliveTime: 100 },
    },
    'never reads a list': { act: (socket) => socket.write(get(list).repeat(80)), bounds: notRead },
    'never reads an export': {
      act: (socket, cookie) => socket.write(get('/api/export/incidents.csv', cookie)),
      bounds: notRead,
    },
    'reads a list byte by byte': {
      act(socket) {
        socket.write(get(list).repeat(80))
        sip(socket)
      },
      bounds: readSlowly,
    },
    'reads an export byte by byte': {
      act(socket, cookie) {
        socket.write(get('/api/export/incidents.csv', cookie))
        sip(socket)
      },
      bounds: readSlowly,
    },
    'sends a thousand requests ahead and reads nothing': {
      act: (socket) => socket.write(get('/api/status').repeat(1_000)),
      bounds: {},
    },
  }

  let cookie: string

  beforeAll(async () => {
    for (let part = 0; part < 3; part++)
      await manyReports(500, {
        title: "'Long ' || n",
        description: "repeat('x', 10000)",
        source: "'email'",
        reporter_label: "'Somebody'",
      })
    const server = await listening(createListener())
    const answer = await ask(server, '/api/auth/sign-in/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'manager@example.com', password: demoPassword }),
    })
    cookie = cookieOf(answer)
  })

  const ask = (server: Server, path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      ...init,
      headers: { connection: 'close', ...init.headers },
    })

  it.each(perRun({ quick: { every: 6 }, whole: Object.entries(slow) }))(
    '%s holds up nobody, is let go in time, and leaves nothing behind',
    async (_how, { act, bounds }) => {
      // Without limits, others are answered because it holds up nobody, and
      // not because it is let go.
      const patient = await listening(createListener())
      const holding = await connected(patient)
      act(holding, cookie)
      expect(await answersToOthers(patient)).toEqual([200, 200, 200])
      holding.destroy()

      const server = await listening(createListener(), bounds)
      const socket = await connected(server)
      await eventually(async () => expect(await count(server)).toBe(1))
      act(socket, cookie)
      await eventually(async () => expect(await count(server)).toBe(0))
      await eventually(() => expect(openCsvFiles()).toBe(0))
      await eventually(() => expect(leftUploads()).toEqual([]))
      await eventually(async () => expect(await busyConnections()).toBe(0))
    },
  )

  async function connected(server: Server): Promise<Socket> {
    const socket = open(server)
    await once(socket, 'connect')
    return socket
  }

  async function answersToOthers(server: Server): Promise<number[]> {
    const answers = await Promise.all(
      ['/', '/api/status', '/api/incidents?limit=2'].map((path) => ask(server, path)),
    )
    return answers.map(({ status }) => status)
  }
})

describe('an answer that is taken slowly', () => {
  const megabyte = 1_000_000
  const whole = 60 * megabyte
  /** Taken at once, several times what the system takes in the client's place. */
  const much = 15 * megabyte
  const inBlocks: RequestListener = (_req, res) => {
    const block = Buffer.alloc(100_000)
    let left = whole
    const more = () => {
      while (left > 0) {
        left -= block.length
        if (!res.write(block)) return
      }
      res.end()
    }
    res.setHeader('Connection', 'close')
    res.on('drain', more)
    more()
  }
  const inOneWrite: RequestListener = (_req, res) =>
    res.setHeader('Connection', 'close').end(Buffer.alloc(whole))

  // The server's looks at its clients, and what they take for the time.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  /** Takes about so many bytes, or what there is until the end; returns their number. */
  async function take(socket: Socket, bytes: number): Promise<number> {
    let taken = 0
    while (taken < bytes && !socket.readableEnded && !socket.destroyed) {
      taken += (socket.read() as Buffer | null)?.length ?? 0
      await new Promise(setImmediate)
    }
    return taken
  }

  it.each([
    { how: 'in blocks', answer: inBlocks, bounds: { slowTime: 1_500, slowBytes: 2 * megabyte } },
    { how: 'in one write', answer: inOneWrite, bounds: { quietTime: 1_500 } },
    {
      how: 'in one large write',
      answer: inOneWrite,
      bounds: { slowTime: 1_500, slowBytes: 10 * megabyte },
    },
  ])('$how is taken whole by a reader who is fast enough', async ({ answer, bounds }) => {
    const socket = open(await listening(answer, bounds))
    socket.write(get('/'))
    let taken = 0
    for (let last = -1; taken !== last; ) {
      last = taken
      taken += await take(socket, much)
      vi.advanceTimersByTime(1_000)
    }
    expect(taken).toBeGreaterThan(whole)
  })

  it('is ended for one who is too slow, though something moves all the time', async () => {
    const server = await listening(inBlocks, { slowTime: 1_500, slowBytes: 10 * megabyte })
    const socket = open(server)
    socket.write(get('/'))
    let taken = await take(socket, 1)
    await eventually(async () => {
      taken += await take(socket, 1)
      expect(await count(server)).toBe(0)
    })
    expect(taken).toBeLessThan(whole / 2)
  })
})

it('an answer that takes long to make does not end its connection', async () => {
  const late: RequestListener = (_req, res) => void setTimeout(() => res.end('late'), 300)
  const socket = open(await listening(late, { quietTime: 100 }))
  socket.resume().write(get('/'))
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('late')
})

it('requests sent ahead are answered in their order, one after the other', async () => {
  let under = 0
  let most = 0
  const server = await listening(async (req, res) => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setTimeout(resolve, 5))
    under -= 1
    res.end(`answer to ${req.url}`)
  })
  const socket = open(server)
  let read = ''
  socket.on('data', (chunk) => (read += chunk)).resume()
  const paths = Array.from({ length: 20 }, (_, i) => `/${i}`)
  socket.write(paths.map((path) => get(path)).join(''))
  await eventually(() => expect(read.match(/answer to \S\d*/g)).toHaveLength(20))
  expect(read.match(/answer to \/\d+/g)).toEqual(paths.map((path) => `answer to ${path}`))
  expect(most).toBe(1)
})

describe('connections', () => {
  const openMany = async (server: Server, many: number) => {
    const made = Array.from({ length: many }, () => open(server).resume())
    await Promise.all(made.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    return made
  }

  it('of one network are so many at most, and a new one is taken when another ends', async () => {
    const server = await listening((_req, res) => res.end(), { perNetwork: 5, networkOf })
    const made = await openMany(server, 8)
    await eventually(async () => expect(await count(server)).toBe(5))
    for (const socket of made) socket.destroy()
    await eventually(async () => expect(await count(server)).toBe(0))
    await openMany(server, 5)
    await eventually(async () => expect(await count(server)).toBe(5))
  })

  it('are so many at most in all, and idle ones make room', async () => {
    const server = await listening((_req, res) => res.end(), { connections: 5 })
    const made = await openMany(server, 5)
    const answered = Promise.all(made.map((socket) => once(socket, 'data')))
    for (const socket of made) socket.write(get('/'))
    await answered
    await eventually(async () => expect(await count(server)).toBe(5))
    await openMany(server, 1)
    await eventually(async () => expect(await count(server)).toBe(0))
  })
})

const leftUploads = () => (existsSync(config.uploadDir) ? readdirSync(config.uploadDir) : [])

/**
 * Connections to the database that do something, or are kept in the middle of
 * something, besides this one.
 */
async function busyConnections(): Promise<number> {
  return scalar<number>(`select count(*) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
       and state <> 'idle'`)
}

/** No limit of time but those that a test is about, in milliseconds. */
const hour = 3_600_000

const withoutLimits: Partial<ClientBounds> = {
  headerTime: hour,
  requestTime: hour,
  keepAliveTime: hour,
  quietTime: hour,
  slowTime: hour,
  checkTime: 20,
}

const servers: Server[] = []
const sockets: Socket[] = []

async function listening(listener: RequestListener, bounds: Partial<ClientBounds> = {}): Promise<Server> {
  const server = boundedServer(listener, { ...withoutLimits, ...bounds })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function open(server: Server): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  sockets.push(socket)
  return socket
}

const count = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, open) => (error ? reject(error) : resolve(open))),
  )

const list = '/api/incidents?limit=500'

const get = (path: string, cookie = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${cookie && `Cookie: ${cookie}\r\n`}\r\n`

const postHead = (path: string, type: string, length: number, cookie: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`

/** Writes one byte every so often, until it cannot. */
function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 50)
  socket.once('close', () => clearInterval(timer))
}

/** Reads one byte every so often. What the system takes in advance is the system's. */
function sip(socket: Socket): void {
  const timer = setInterval(() => socket.read(1), 50)
  socket.once('close', () => clearInterval(timer))
}

const boundary = 'edge'
const form = `multipart/form-data; boundary=${boundary}`
const filePart = `--${boundary}\r\nContent-Disposition: form-data; name="photos[]"; filename="p.jpg"\r\n\r\n${'x'.repeat(200_000)}`

type Slow = {
  act: (socket: Socket, cookie: string) => void
  /** The only limits that can end its connection. */
  bounds: Partial<ClientBounds>
}
