import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { boundedServer, type ClientBounds } from '../../src/adapters/system/boundedServer.js'
import { createListener } from '../../src/app.js'
import { config } from '../../src/config.js'
import { query } from '../../src/database.js'
import { networkOf } from '../../src/domain/accounts/network.js'
import { openCsvFiles } from '../../src/models/exchange/csvFile.js'
import { demoPassword } from '../../src/welcome.js'
import { cookieOf } from '../support/app.js'
import { useDatabase } from '../support/database.js'
import { eventually } from '../support/suite/eventually.js'
import { itInWholeRun, sampled } from '../support/suite/extent.js'

useDatabase()

/** The limits of the server, many times as short. */
const short: Partial<ClientBounds> = {
  headerTime: 1_000,
  requestTime: 1_200,
  keepAliveTime: 500,
  quietTime: 1_000,
  slowTime: 2_000,
  checkTime: 100,
}

const servers: Server[] = []
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

async function listening(listener: RequestListener, bounds: Partial<ClientBounds> = {}): Promise<Server> {
  const server = boundedServer(listener, { ...short, ...bounds })
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
const post = (path: string, type: string, length: number, cookie: string) =>
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

type Slow = { act: (socket: Socket, cookie: string) => void; within: number }

/** How a client can be slow, and in how many milliseconds its connection is over: the limit and two looks at it. */
const slow: Record<string, Slow> = {
  'says nothing': { act: () => {}, within: 1_200 },
  'sends half a header': { act: (socket) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n'), within: 1_200 },
  'sends a header byte by byte': {
    act(socket) {
      socket.write('GET / HTTP/1.1\r\nX-Long: ')
      drip(socket, 'x')
    },
    within: 1_200,
  },
  'sends half a body': {
    act: (socket, cookie) =>
      socket.write(`${post('/api/incidents', 'application/json', 500, cookie)}{"title"`),
    within: 1_400,
  },
  'sends a body byte by byte': {
    act(socket, cookie) {
      socket.write(`${post('/api/incidents', 'application/json', 5_000, cookie)}{"title":"`)
      drip(socket, 'x')
    },
    within: 1_400,
  },
  'sends half a photo': {
    act: (socket, cookie) => socket.write(post('/api/incidents', form, 900_000, cookie) + filePart),
    within: 1_400,
  },
  'sends a photo byte by byte': {
    act(socket, cookie) {
      socket.write(post('/report', form, 900_000, cookie) + filePart)
      drip(socket, 'x')
    },
    within: 1_400,
  },
  'keeps its connection for nothing': {
    act(socket) {
      socket.resume()
      socket.write(get('/healthz'))
    },
    within: 1_200,
  },
  'never reads a list': { act: (socket) => socket.write(get(list).repeat(8)), within: 1_400 },
  'never reads an export': {
    act: (socket, cookie) => socket.write(get('/api/export/incidents.csv', cookie)),
    within: 1_400,
  },
  'reads a list byte by byte': {
    act(socket) {
      socket.write(get(list).repeat(8))
      sip(socket)
    },
    within: 2_400,
  },
  'reads an export byte by byte': {
    act(socket, cookie) {
      socket.write(get('/api/export/incidents.csv', cookie))
      sip(socket)
    },
    within: 2_400,
  },
  'sends a thousand requests ahead and reads nothing': {
    act: (socket) => socket.write(get('/api/status').repeat(1_000)),
    within: 400,
  },
}

// Limits of parts of a second cut off others, too, on a machine that is busy for longer; a fault of ours fails each try.
const again = { retry: 2 }

describe('a client that', again, () => {
  let cookie: string

  beforeAll(async () => {
    for (let part = 0; part < 3; part++)
      await query(
        `insert into incidents (title, description, severity, source, asset_id, reporter_label)
         select 'Long ' || n, repeat('x', 10000), 'low', 'email', 1, 'Somebody' from generate_series(1, 500) n`,
      )
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

  it.each(sampled(Object.entries(slow), 3))(
    '%s is let go in time, holds up nobody, and leaves nothing behind',
    async (_how, { act, within }) => {
      const server = await listening(createListener())
      const socket = open(server)
      await new Promise((resolve) => socket.once('connect', resolve))
      await eventually(async () => expect(await count(server)).toBe(1))
      const ended = new Promise<number>((resolve) => {
        const began = performance.now()
        const look = setInterval(async () => {
          if ((await count(server)) > 0) return
          clearInterval(look)
          resolve(performance.now() - began)
        }, 20)
      })
      act(socket, cookie)
      // Others are answered meanwhile: over a server of their own there would be nothing to hold up.
      const others = createOthers(server)
      const took = await ended
      expect(await others).toBe(200)
      // A busy machine wakes everybody later; who was not let go would stay for good.
      expect(took).toBeLessThan(2 * within + 10_000)
      await eventually(() => expect(openCsvFiles()).toBe(0))
      await eventually(() => expect(leftUploads()).toEqual([]))
      await eventually(async () => expect(await busyConnections()).toBe(0))
    },
  )

  async function createOthers(server: Server): Promise<number> {
    const answers = await Promise.all(
      ['/', '/api/status', '/api/incidents?limit=2'].map((path) => ask(server, path)),
    )
    return Math.max(...answers.map(({ status }) => status))
  }
})

/** Takes so many bytes at most, twenty times a second; says how many there were so far, and when the connection ended. */
function take(socket: Socket, most: number): { taken: () => number; ended: Promise<unknown> } {
  let taken = 0
  const timer = setInterval(() => {
    taken += (socket.read(Math.min(most, socket.readableLength)) ?? Buffer.alloc(0)).length
  }, 50)
  socket.once('close', () => clearInterval(timer))
  return { taken: () => taken, ended: once(socket, 'close') }
}

describe('an answer that is taken slowly', again, () => {
  const whole = 60_000_000
  const answer: RequestListener = (_req, res) => {
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
  const bounds = { quietTime: 60_000, slowTime: 1_500, slowBytes: 2_000_000 }

  it('is taken whole by a reader who is fast enough', async () => {
    const socket = open(await listening(answer, bounds))
    socket.write(get('/'))
    const { taken, ended } = take(socket, 1_000_000)
    await ended
    expect(taken()).toBeGreaterThan(whole)
  })

  it('is ended for one who is too slow, though something moves all the time', async () => {
    const server = await listening(answer, bounds)
    const socket = open(server)
    socket.write(get('/'))
    const { taken } = take(socket, 20_000)
    await eventually(() => expect(taken()).toBeGreaterThan(0))
    await eventually(async () => expect(await count(server)).toBe(0))
    expect(taken()).toBeLessThan(whole / 2)
  })

  itInWholeRun('is one write that takes a while, and moves', async () => {
    const large: RequestListener = (_req, res) =>
      res.setHeader('Connection', 'close').end(Buffer.alloc(whole))
    const socket = open(await listening(large, { quietTime: 1_000, slowTime: 60_000 }))
    socket.write(get('/'))
    const began = performance.now()
    const { taken, ended } = take(socket, 1_000_000)
    await ended
    expect(taken()).toBeGreaterThan(whole)
    expect(performance.now() - began).toBeGreaterThan(2_000)
  })
})

describe('requests sent ahead', () => {
  it('are answered in their order, one after the other', async () => {
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
})

describe('connections', () => {
  const idle: Partial<ClientBounds> = { headerTime: 60_000, requestTime: 60_000, keepAliveTime: 60_000 }
  const openMany = async (server: Server, many: number) => {
    const made = Array.from({ length: many }, () => open(server).resume())
    await Promise.all(made.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    return made
  }

  it('of one network are so many at most, and a new one is taken when another ends', async () => {
    const server = await listening((_req, res) => res.end(), { ...idle, perNetwork: 5, networkOf })
    const made = await openMany(server, 8)
    await eventually(async () => expect(await count(server)).toBe(5))
    for (const socket of made) socket.destroy()
    await eventually(async () => expect(await count(server)).toBe(0))
    await openMany(server, 5)
    await eventually(async () => expect(await count(server)).toBe(5))
  })

  it('are so many at most in all, and idle ones make room', async () => {
    const server = await listening((_req, res) => res.end(), { ...idle, connections: 5 })
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

/** Connections to the database that do something, or are kept in the middle of something, besides this one. */
async function busyConnections(): Promise<number> {
  const [row] = await query<{ busy: number }>(
    `select count(*)::integer as busy from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`,
  )
  return row!.busy
}
