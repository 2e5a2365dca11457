import { once } from 'node:events'
import type { Server as HttpServer, ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type ListenOptions, Server, type Socket } from 'node:net'
import { setImmediate as eventLoopTurn, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { config } from '../../process/config.js'

/** Milliseconds that running requests may take after the stop signal; platforms kill at 30 s. */
const drainTime = 20_000
/**
 * Milliseconds a connection kept from before may wait for a last request: proxies close idle ones
 * sooner (nginx.conf).
 */
const farewellTime = 5_000
/** Milliseconds a browser's kept connection may wait: browsers ask again when it was closed. */
const farewellOfBrowsers = 1_000

/** Attempts to find one port free on both loopback addresses, for PORT=0. */
const tries = 10

/** Systems without IPv6 have no second loopback address. */
const noSuchAddress = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']

/** The number of a supervisor's first socket among the open files (sd_listen_fds). */
const heldSocketDescriptor = 3

/** Listens on the socket that systemd holds for the web process, else as `listen` does. */
export async function listenForAll(server: HttpServer): Promise<Server[]> {
  trackAnswers(server)
  if (!config.socketHeld) return listen(server)
  await startListening(server, { fd: heldSocketDescriptor })
  return [server]
}

/**
 * Listens on HOST; without it, on every address with DATABASE_URL, else (embedded default) on both
 * loopback addresses only (decision 7.10). Throws the system's error, with nothing left listening.
 */
export async function listen(server: HttpServer, port = config.port): Promise<Server[]> {
  if (config.host !== null || !config.embedded) {
    await startListening(server, { port, ...(config.host === null ? {} : { host: config.host }) })
    return [server]
  }
  for (let attempt = 1; ; attempt++) {
    await startListening(server, { port, host: '127.0.0.1' })
    // Its connections are passed to the one server, so that its limits and its drain apply to them.
    const ipv6Listener = createServer((socket) => server.emit('connection', socket))
    try {
      await startListening(ipv6Listener, { port: portOf(server), host: '::1' })
      return [server, ipv6Listener]
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (noSuchAddress.includes(code)) return [server]
      await closeListeners(server)
      if (port !== 0 || attempt === tries) throw error
    }
  }
}

/**
 * Stops accepting connections; resolves when the last one has ended. Idle ones stay open: HTTP's
 * own close ends them.
 */
export async function closeListeners(...servers: Server[]): Promise<void> {
  await Promise.all(
    servers.map((each) => new Promise((resolve) => Server.prototype.close.call(each, resolve))),
  )
}

/** By server, the last answer under way of each connection: others do not end it. */
const underWay = new WeakMap<HttpServer, Map<Socket, ServerResponse>>()

/** Knows from now on which answers of this server are under way, for `drain`. */
export function trackAnswers(server: HttpServer): void {
  const answers = new Map<Socket, ServerResponse>()
  underWay.set(server, answers)
  server.prependListener('request', ({ socket }, response) => {
    answers.set(socket, response)
    response.once('close', () => answers.get(socket) === response && answers.delete(socket))
  })
}

/**
 * Ends the connection after this answer. Sets `shouldKeepAlive` and not the Connection header,
 * because an error answer replaces all headers.
 */
const closeAfter = (response: ServerResponse) => {
  response.shouldKeepAlive = false
}

/**
 * Ends a server that says it is not ready: after DRAIN_SECONDS it accepts nothing new. Each answer,
 * also one under way, says that it is the last on its connection, and what is idle is closed when
 * no proxy can be about to use it.
 */
export async function drain(server: HttpServer, listeners: Server[]): Promise<void> {
  // A connection closed as idle may have a proxy's request on its way, and a POST is not sent a
  // second time.
  server.prependListener('request', (_request, response) => closeAfter(response))
  for (const response of underWay.get(server)?.values() ?? []) closeAfter(response)
  const began = performance.now()
  // Balancers ask every few seconds: until they have, they go on sending requests here.
  await sleep(config.drainMs)
  const farewell = config.trustProxy ? farewellTime : farewellOfBrowsers
  const idle = setInterval(() => performance.now() - began > farewell && server.closeIdleConnections(), 100)
  const late = setTimeout(() => server.closeAllConnections(), drainTime)
  // Whoever connects to a held socket waits there for the next process: this one serves for as long
  // as it has to live.
  if (config.socketHeld) await waitForConnectionsOpenNow(server)
  // Connections the system has accepted and we have not are cut: close right after a look for them.
  await eventLoopTurn()
  await closeListeners(...listeners)
  clearInterval(idle)
  clearTimeout(late)
}

/** Resolves when every connection that is open now has ended; new ones do not count. */
async function waitForConnectionsOpenNow(server: HttpServer): Promise<void> {
  let fresh = 0
  server.on('connection', (socket: Socket) => {
    fresh += 1
    socket.once('close', () => (fresh -= 1))
  })
  const open = promisify(server.getConnections.bind(server))
  while ((await open()) > fresh) await sleep(50)
}

/** The port the server listens on. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

async function startListening(server: Server, where: ListenOptions | { fd: number }): Promise<void> {
  server.listen(where)
  await once(server, 'listening')
}
