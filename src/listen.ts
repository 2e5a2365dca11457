import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, Server } from 'node:net'
import { config } from './config.js'

/** Attempts to find one port free on both loopback addresses, for PORT=0. */
const tries = 10

/** Systems without IPv6 have no second loopback address. */
const noSuchAddress = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']

/**
 * Listens on HOST; without it, on every address with DATABASE_URL, else (embedded default) on both loopback
 * addresses only (decision 7.10). Throws the system's error, with nothing left listening.
 */
export async function listen(server: HttpServer, port = config.port): Promise<Server[]> {
  if (config.host !== null || !config.embedded) {
    await listening(server, port, config.host)
    return [server]
  }
  for (let attempt = 1; ; attempt++) {
    await listening(server, port, '127.0.0.1')
    // Its connections are passed to the one server, so that its limits and its drain apply to them.
    const beside = createServer((socket) => server.emit('connection', socket))
    try {
      await listening(beside, portOf(server), '::1')
      return [server, beside]
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (noSuchAddress.includes(code)) return [server]
      await closed(server)
      if (port !== 0 || attempt === tries) throw error
    }
  }
}

/** Stops accepting connections; resolves when the last one has ended. Idle ones stay open: HTTP's own close ends them. */
export async function closed(...servers: Server[]): Promise<void> {
  await Promise.all(
    servers.map((each) => new Promise((resolve) => Server.prototype.close.call(each, resolve))),
  )
}

/** The port the server listens on. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function listening(server: Server, port: number, host: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host === null ? {} : { host }) }, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}
