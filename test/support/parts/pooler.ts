import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { newFolder } from '../suite/folders.js'
import { ownPort } from '../suite/ports.js'

const places = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/usr/local/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
]

/** Where this machine has PgBouncer; undefined when it has none. */
export const poolerPath = places.find((place) => existsSync(place))

/** A newcomer's machine need not have PgBouncer: its tests are left out there. CI insists on them. */
export const withoutPooler = !poolerPath && !process.env.REQUIRE_HOST

/** Connections it has to a database. */
export const poolSize = 8

export type Pooler = {
  /** The same database and role by way of the pooler. */
  url: string
  /** How many clients wait for one of its connections. */
  waiting: () => Promise<number>
  end: () => Promise<void>
}

/** Starts PgBouncer in transaction mode before the database at `url`, and waits until it answers. */
export async function startPooler(url: string): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = newFolder()
  const listenPort = await ownPort()
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(path.join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    file,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = plain
auth_file = ${folder}/users.txt
pool_mode = transaction
stats_users = ${username}
default_pool_size = ${poolSize}
logfile = ${folder}/log
`,
  )
  // It may not run as root, where tests may.
  for (const each of ['.', 'users.txt', 'pgbouncer.ini']) chmodSync(path.join(folder, each), 0o755)
  writeFileSync(path.join(folder, 'log'), '', { mode: 0o666 })
  chmodSync(path.join(folder, 'log'), 0o666)
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(poolerPath ?? 'pgbouncer', [...asNobody, file], { stdio: 'ignore' })
  const pooled = Object.assign(new URL(url), { host: `127.0.0.1:${listenPort}` }).href
  await answering(pooled, child).catch((error) => {
    child.kill('SIGKILL')
    throw new Error(`PgBouncer: ${readFileSync(path.join(folder, 'log'), 'utf8')}`, { cause: error })
  })
  return {
    url: pooled,
    waiting: () => waitingAt(pooled),
    end: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Asks the pooler itself, by the name under which it answers such questions. */
async function waitingAt(pooled: string): Promise<number> {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(pooled), { pathname: '/pgbouncer' }).href,
  })
  await client.connect()
  const { rows } = await client.query<{ cl_waiting: string }>('show pools')
  await client.end()
  return rows.reduce((sum, row) => sum + Number(row.cl_waiting), 0)
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      await client.end()
      return
    } catch (error) {
      if (child.exitCode !== null || (error as { code?: string }).code !== 'ECONNREFUSED') throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
