import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { listenOnFreePort } from '../run/ports.js'

/** What came in, as it came in. */
export type Received = {
  id: string
  path: string
  method: string
  headers: IncomingMessage['headers']
  raw: Buffer
  /** Whether the signature is that of these very bytes. */
  verified: boolean
  at: number
}

export type Receiver = {
  port: number
  received: Received[]
  /** Connections it accepted so far, and the most that were open at once. */
  connections: () => number
  most: () => number
  url: (path?: string) => string
  /** Leaves requests to /held without an answer until `release`. */
  hold: () => void
  release: () => void
  /** Bytes it has sent on connections that are closed. */
  sent: () => number
  /** Resolves once it has read all that senders which are gone by now had sent. */
  quiet: () => Promise<void>
  stop: () => Promise<void>
}

type Listening = Omit<Receiver, 'received' | 'hold' | 'release'>

type Manner = (response: ServerResponse, request: IncomingMessage) => void

/** How a receiver behaves, by the first word of the path; any number is answered as a status. */
const manners: Record<string, Manner> = {
  ok: (response) => response.end('thank you'),
  hang: () => {},
  late: (response) => setTimeout(() => response.end(), 600),
  'one-byte-a-moment': (response) =>
    drip(response.socket!, 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthank you'),
  'headers-without-end': (response) => {
    response.socket!.write('HTTP/1.1 200 OK\r\n')
    every(response.socket!, 20, (socket) => socket.write('X: y\r\n'))
  },
  'huge-header': (response) =>
    response.socket!.write(`HTTP/1.1 200 OK\r\nX-Huge: ${'x'.repeat(1_000_000)}\r\n\r\n`),
  'body-without-end': (response) => {
    response.writeHead(200)
    every(response.socket!, 20, () => response.write('x'))
  },
  gigabyte: (response) => {
    response.writeHead(200, { 'content-length': String(1024 ** 3) })
    pour(response, Buffer.alloc(64 * 1024))
  },
  compressed: (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end('this is no gzip')
  },
  'continue-without-end': (response) =>
    every(response.socket!, 20, (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')),
  reset: (response) => response.socket!.resetAndDestroy(),
  'reset-in-body': (response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('half', () => response.socket!.resetAndDestroy())
  },
  close: (response) => response.socket!.end(),
  'not-http': (response) => response.socket!.end('220 mail.example ESMTP\r\n'),
  upgrade: (response) =>
    response.socket!.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  busy: (response, request) =>
    response.writeHead(429, { 'retry-after': decodeURIComponent(request.url!.split('?')[1]!) }).end(),
  'to-metadata': (response) => redirect(response, 'http://169.254.169.254/latest/meta-data/'),
  'to-itself': (response) => redirect(response, '/ok'),
  'to-a-file': (response) => redirect(response, 'file:///etc/passwd'),
}

/** The names of the behaviours that never let an exchange end by itself. */
export const endless = [
  'hang',
  'one-byte-a-moment',
  'headers-without-end',
  'body-without-end',
  'continue-without-end',
] as const

/**
 * A receiver on a free port of this machine, which checks signatures as spec §6 rule 4 says: 401
 * when one is wrong. Without a secret it takes whatever comes.
 */
export async function startReceiver({
  secret = 'receiver-secret',
  tls,
}: {
  secret?: string | null
  tls?: { key: string; cert: string }
} = {}): Promise<Receiver> {
  const received: Received[] = []
  let held: ServerResponse[] | null = null
  const hold = () => {
    held ??= []
  }
  const release = () => {
    for (const response of held ?? []) response.end()
    held = null
  }
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = asReceived(request, Buffer.concat(chunks), secret)
      received.push(one)
      if (one.verified && one.path === '/held' && held) held.push(response)
      else if (one.verified) behave(one.path, response, request)
      else response.writeHead(401).end()
    })
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  return { received, hold, release, ...(await listening(server, tls ? 'https' : 'http')) }
}

/** Accepts connections and never says a word, not even of its certificate. */
export async function startMute(): Promise<Listening> {
  return listening(createTcpServer(), 'http')
}

async function listening(server: Server, scheme: string): Promise<Listening> {
  const sockets = new Set<Socket>()
  let connections = 0
  let most = 0
  let sent = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    most = Math.max(most, sockets.size)
    socket.on('error', () => {})
    socket.on('close', () => {
      sent += socket.bytesWritten
      sockets.delete(socket)
    })
  })
  const { port } = await listenOnFreePort(server)
  return {
    port,
    connections: () => connections,
    most: () => most,
    sent: () => sent,
    url: (path = '/ok') => `${scheme}://127.0.0.1:${port}${path}`,
    quiet: async () => {
      // Connections are accepted in their order: this one after all those before it.
      const last = connect(port, '127.0.0.1').resume()
      await new Promise<void>((resolve) => {
        server.on('connection', function accepted({ remotePort }: Socket) {
          if (remotePort !== last.localPort) return
          server.off('connection', accepted)
          resolve()
        })
      })
      last.destroy()
      await Promise.all([...sockets].map((socket) => once(socket, 'close')))
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function asReceived(request: IncomingMessage, raw: Buffer, secret: string | null): Received {
  const { headers, method = '', url = '' } = request
  const verified = secret === null || isSignature(headers['x-service-signature'], raw, secret)
  return { id: String(headers['webhook-id']), path: url, method, headers, raw, verified, at: Date.now() }
}

/** The receiver's own idea of the signature, over the bytes as they came. */
function isSignature(given: string | string[] | undefined, raw: Buffer, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`)
  const actual = Buffer.from(String(given))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function behave(path: string, response: ServerResponse, request: IncomingMessage): void {
  const word = /^\/([\w-]*)/.exec(path)?.[1] ?? ''
  if (/^\d{3}$/.test(word)) response.writeHead(Number(word)).end()
  else (manners[word] ?? manners.ok!)(response, request)
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end()
}

/** Does it again and again until the other side has gone. */
function every(socket: Socket, ms: number, act: (socket: Socket) => void): void {
  const timer = setInterval(() => act(socket), ms)
  socket.on('close', () => clearInterval(timer))
}

function drip(socket: Socket, text: string): void {
  let sent = 0
  every(socket, 500, () => {
    if (sent < text.length) socket.write(text[sent++]!)
  })
}

function pour(response: ServerResponse, chunk: Buffer): void {
  while (!response.destroyed && response.write(chunk)) {}
  if (!response.destroyed) response.once('drain', () => pour(response, chunk))
}
