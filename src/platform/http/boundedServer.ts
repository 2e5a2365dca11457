import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { log } from '../process/log.js'

/** How much of this process one client can occupy, and how long; times in milliseconds. */
export type ClientBounds = {
  /** From the opened connection, or a request's first byte, to the last byte of its header. */
  headerTime: number
  /** To the last byte of the request's body. */
  requestTime: number
  /** Between two requests on a connection; proxies keep theirs for 60 s. */
  keepAliveTime: number
  /** The longest an unfinished answer may stand still, without one byte taken. */
  quietTime: number
  /** In each such period the client must take `slowBytes` or finish: 2 KB/s, for old phones. */
  slowTime: number
  slowBytes: number
  /** Interval between checks of these bounds. */
  checkTime: number
  connections: number
  perNetwork: number
  /** The network a connection counts for; null for a proxy, which serves everyone. */
  networkOf: (address: string) => string | null
  /** Requests pipelined on a connection before the first answer is taken. Browsers send none. */
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
 * An HTTP server that slow clients cannot fill: late headers, bodies or answers end the connection,
 * and connections are limited. Pipelined requests are handled one by one.
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
  // At the limit, idle connections make room for active ones.
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

/** Calls the listener once the earlier answers on the request's connection have been taken. */
function inOrder(listener: RequestListener, most: number): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  return (req, res) => {
    // Node gives an answer its socket when its turn comes: at once, unless requests were pipelined.
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

/** An answer not yet taken. `left`: bytes of the current write that the system has not taken. */
type Sending = { done: number; left: number; quietSince: number; slowSince: number; bytes: number }

/** Ends every connection whose client takes its answer too slowly or not at all. */
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

/** Node's own timeouts use this field. Without it, a large write in progress looks stalled. */
function leftOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  return handle?.writeQueueSize ?? 0
}
