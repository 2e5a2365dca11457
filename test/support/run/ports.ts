import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Below those that systems hand out by themselves, and without one that `fetch` refuses. */
const [lowest, number] = [20_000, 12_000]

/**
 * A port that nobody listens on and the system gives to nobody: it stays free while its server is
 * not there yet, or away for a while, whatever other tests start meanwhile.
 */
export async function ownPort(): Promise<number> {
  for (;;) {
    const port = lowest + randomInt(number)
    const server = createServer()
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw error
    }
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

/**
 * Lets a server listen on a free port of this machine; `stop` ends it, and of
 * HTTP the connections it has.
 */
export async function listenOnFreePort(server: Server & { closeAllConnections?: () => void }) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections?.()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
