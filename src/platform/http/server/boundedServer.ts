import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { log } from '../../process/log.js'

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
export function boundedServer(listener: RequestListener, overrides: Partial<ClientBounds> = {}): Server {
  const bounds = { ...usual, ...overrides }
  const server = createServer(
    {
      headersTimeout: bounds.headerTime,
      requestTimeout: bounds.requestTime,
      keepAliveTimeout: bounds.keepAliveTime,
      connectionsCheckingInterval: bounds.checkTime,
    },
    inOrder(endingWhenNotTaken(listener), bounds.waiting),
  )
  server.timeout = bounds.quietTime
  server.maxConnections = bounds.connections
  // At the limit, idle connections make room for active ones.
  server.on('drop', () => server.closeIdleConnections())
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  countNetworks(server, bounds)
  const check = endSlowReaders(open, bounds)
  const checking = setInterval(check, bounds.checkTime).unref()
  server.once('close', () => clearInterval(checking))
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
  let lastWarningAt = 0
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
    if (Date.now() - lastWarningAt < 60_000) return
    lastWarningAt = Date.now()
    log.warn({ network, perNetwork }, 'too many connections of one network: behind a proxy, set TRUST_PROXY')
  })
}

/**
 * Node.js says when nothing has moved on a connection for `server.timeout`; it sees what is taken
 * of a large write as well. Then an answer that waits for its client ends the connection; one that
 * is still being made does not.
 */
function endingWhenNotTaken(listener: RequestListener): RequestListener {
  return (req, res) => {
    res.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0) endUntaken(socket)
    })
    listener(req, res)
  }
}

/**
 * An answer that is being taken: since when, what the system had taken by then, and how long it may
 * last before enough more is taken.
 */
type Period = { since: number; taken: number; time: number }

/**
 * Ends every connection whose client takes its answer too slowly. What is taken of a single write
 * is known only at its end, so a large one has the time that it needs at the least speed.
 */
function endSlowReaders(open: Set<Socket>, { slowTime, slowBytes }: ClientBounds): () => void {
  const periods = new WeakMap<Socket, Period>()
  return () => {
    const now = performance.now()
    for (const socket of open) {
      const waiting = socket.writableLength
      if (waiting === 0) {
        periods.delete(socket)
        continue
      }
      const taken = socket.bytesWritten - waiting
      const period = periods.get(socket)
      if (!period || taken - period.taken >= slowBytes)
        periods.set(socket, { since: now, taken, time: slowTime * Math.max(1, waiting / slowBytes) })
      else if (now - period.since >= period.time) endUntaken(socket)
    }
  }
}

function endUntaken(socket: Socket): void {
  log.info('an answer was not taken: its connection is ended')
  socket.destroy()
}
