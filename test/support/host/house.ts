import { chmodSync, cpSync } from 'node:fs'
import { Agent } from 'node:https'
import path from 'node:path'
import { config, variables } from '../../../src/platform/process/config.js'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import { certificate } from '../certificate.js'
import type { Opened } from '../house/asking.js'
import { useHouseOf } from '../house/house.js'
import { startCaretaker } from '../process.js'
import { newFolder } from '../run/folders.js'
import { holdSocket } from './heldSocket.js'
import { askTls } from './host.js'
import { hostName, startNginx, startPgBouncer } from './parts.js'

/**
 * In place of the application in this process: two webs behind nginx with TLS and PgBouncer, with
 * the settings of the file.
 */
export const useHouse = () => useHouseOf(openHost)

async function openHost(url: string): Promise<Opened> {
  const folder = newFolder()
  chmodSync(folder, 0o755)
  // Not that of the file, which is removed before the webs have ended.
  const data = path.join(folder, 'data')
  cpSync(config.photoDir, path.join(data, 'photos'), { recursive: true })
  const sockets = [holdSocket(), holdSocket()] as const
  const [nginx, pgbouncer] = await Promise.all([
    startNginx(folder, [sockets[0].port, sockets[1].port]),
    startPgBouncer(folder, url),
  ])
  const origin = `https://${hostName}:${nginx.port}`
  const env = {
    ...Object.fromEntries(
      Object.entries(process.env).filter((each): each is [string, string] =>
        Object.hasOwn(variables, each[0]),
      ),
    ),
    DATABASE_URL: pgbouncer.url,
    DATA_DIR: data,
    PUBLIC_URL: origin,
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'info',
  }
  const webs = await Promise.all(sockets.map((socket) => startCaretaker(env, 'src/server.js', socket)))
  const agent = new Agent({ keepAlive: true, ca: certificate.cert, servername: hostName })
  return {
    origin,
    password: demoPassword,
    send: async (address, asked) => {
      const answer = await askTls(agent, address, asked)
      return { answer, text: () => answer.clone().text() }
    },
    end: async () => {
      agent.destroy()
      await Promise.all(webs.map((web) => web.end()))
      await Promise.all([nginx.end('SIGQUIT'), pgbouncer.end()])
      for (const socket of sockets) socket.close()
    },
  }
}
