import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { log } from '../../log.js'

/** How much of this process one client can hold, and for how long; times in milliseconds. */
export type ClientBounds = {
  /** From the first byte of a request, or the opened connection, to the last byte of its header. */
  headerTime: number
  /** To the last byte of its body. */
  requestTime: number
  /** Between two requests on one connection; proxies keep theirs for 60 s. */
  keepAliveTime: number
  /** While an answer waits to be taken: the longest time in which no byte of it moves. */
  quietTime: number
  /** In every such time at least `slowBytes` of an answer are taken, or it is done: 2 KB/s, what the oldest phone has. */
  slowTime: number
  slowBytes: number
  /** How often all this is looked at. */
  checkTime: number
  connections: number
  perNetwork: number
  /** The network whose connections are counted together; null: not counted, as a proxy's, which speaks for everybody. */
  networkOf: (address: string) => string | null
  /** Requests that came on one connection before the answer to the first was taken. Browsers send none like that. */
  waiting: number
}

const usual: ClientBounds = {
  headerTime: 15_000,
  requestTime: 120_000,
  keepAliveTime: 65_000,
  quietTime: 60_000,
  slowTime: 120_000,
  slowBytes: 256 * 1024,
  checkTime: 5_000,
  connections: 1_000,
  perNetwork: 100,
  waiting: 32,
  networkOf: () => null,
}

/**
 * An HTTP server that no slow client can fill: a header, a body or an answer that takes too long ends its connection,
 * and connections are counted. Answers of one connection are begun one after the other, so that a client holds one of
 * them and not as many as it asked for.
 */
export function boundedServer(listener: RequestListener, given: Partial<ClientBounds> = {}): Server {
  const bounds = { ...usual, ...given }
  const server = createServer(
    {
      headersTimeout: bounds.headerTime,
      requestTimeout: bounds.requestTime,
      keepAliveTimeout: bounds.keepAliveTime,
      connectionsCheckingInterval: bounds.checkTime,
    },
    inOrder(listener, bounds.waiting),
  )
  server.maxConnections = bounds.connections
  // Those who only keep a connection for later make room for those who want something now.
  server.on('drop', () => server.closeIdleConnections())
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  countNetworks(server, bounds)
  const look = letSlowReadersGo(open, bounds)
  const looking = setInterval(look, bounds.checkTime).unref()
  server.once('close', () => clearInterval(looking))
  return server
}

/** The listener, called for a request when the answers to those before it on its connection have been taken. */
function inOrder(listener: RequestListener, most: number): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  return (req, res) => {
    // Node gives an answer its socket when its turn has come: at once, unless requests were sent ahead.
    if (res.socket !== null) return listener(req, res)
    const { socket } = req
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > most) return void socket.destroy()
    waiting.set(socket, count)
    res.once('socket', () => {
      waiting.set(socket, waiting.get(socket)! - 1)
      listener(req, res)
    })
  }
}

function countNetworks(server: Server, { perNetwork, networkOf }: ClientBounds): void {
  const counts = new Map<string, number>()
  let said = 0
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    if (network === null) return
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    socket.once('close', () => {
      const left = counts.get(network)! - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    })
    if (count <= perNetwork) return
    socket.destroy()
    if (Date.now() - said < 60_000) return
    said = Date.now()
    log.warn({ network, perNetwork }, 'too many connections of one network: behind a proxy, set TRUST_PROXY')
  })
}

/** What is known of an answer that waits to be taken. `left`: of the write under way, what the system has not taken. */
type Sending = { done: number; left: number; quietSince: number; slowSince: number; bytes: number }

/** Looks at every connection with something unsent, and ends those whose readers take it too slowly or not at all. */
function letSlowReadersGo(open: Set<Socket>, { quietTime, slowTime, slowBytes }: ClientBounds): () => void {
  const sending = new WeakMap<Socket, Sending>()
  return () => {
    const now = performance.now()
    for (const socket of open) {
      if (socket.writableLength === 0) {
        sending.delete(socket)
        continue
      }
      const done = socket.bytesWritten - socket.writableLength
      const left = leftOf(socket)
      const seen = sending.get(socket) ?? { done, left, quietSince: now, slowSince: now, bytes: 0 }
      const moved = done - seen.done || seen.left - left
      if (moved !== 0) Object.assign(seen, { quietSince: now, bytes: seen.bytes + Math.max(moved, 0) })
      if (seen.bytes >= slowBytes) Object.assign(seen, { slowSince: now, bytes: 0 })
      sending.set(socket, Object.assign(seen, { done, left }))
      if (now - seen.quietSince < quietTime && now - seen.slowSince < slowTime) continue
      log.info('an answer was not taken: its connection is ended')
      socket.destroy()
    }
  }
}

/** Node judges its own timeouts by this. Without it, a large write under way would look like one that stands still. */
function leftOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  return handle?.writeQueueSize ?? 0
}
