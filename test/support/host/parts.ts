import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import { vi } from 'vitest'
import { certificate } from '../certificate.js'
import { checkout } from '../compiled.js'
import { ownPort } from '../run/ports.js'
import { nginx, pgbouncer } from './programs.js'

/** Whether PgBouncer is there, or must be. */
export const pooled = Boolean(pgbouncer || process.env.REQUIRE_HOST)

/** The name the certificate of the tests is for. */
export const hostName = 'receiver.test'

/** A program of the machine's, and its end. */
export type Part = { port: number; child: ChildProcess; end: (signal?: NodeJS.Signals) => Promise<void> }

/** Ports nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await ownPort())
  return [...ports]
}

/** nginx as `docs/deploy/nginx.conf` says, in front of these ports. */
export async function startNginx(
  folder: string,
  webs: [number, number],
): Promise<Part & { plainPort: number }> {
  const [http, https] = (await freePorts(2)) as [number, number]
  const file = (name: string) => path.join(folder, name)
  writeFileSync(file('fullchain.pem'), certificate.cert)
  writeFileSync(file('privkey.pem'), certificate.key)
  const site = filledIn('nginx.conf', {
    '127.0.0.1:3001': `127.0.0.1:${webs[0]}`,
    '127.0.0.1:3002': `127.0.0.1:${webs[1]}`,
    // IPv4 alone: not every machine has the other.
    'listen [::]:80;': '',
    'listen [::]:443 ssl http2;': '',
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${https} ssl http2;`,
    '/etc/ssl/building.example': folder,
    'building.example': hostName,
  })
  writeFileSync(file('caretaker.conf'), site)
  const folderOf = (kind: string) => `${kind}_temp_path ${file(kind)};`
  writeFileSync(
    file('nginx.conf'),
    `daemon off; worker_processes 1; pid ${file('nginx.pid')};
    events { worker_connections 1024; }
    http { ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(folderOf).join(' ')}
      include ${file('caretaker.conf')}; }`,
  )
  const part = await started(nginx, ['-c', file('nginx.conf'), '-e', file('nginx.log')], https)
  return { ...part, plainPort: http }
}

/**
 * PgBouncer as `docs/deploy/pgbouncer.ini` says, but for these settings, before the server of this
 * address; on any port, or where it was.
 */
export async function startPgBouncer(
  folder: string,
  url: string,
  {
    port: given,
    settings = {},
  }: { port?: number | undefined; settings?: Record<string, string | number> } = {},
): Promise<Part & { url: string }> {
  const port = given ?? (await ownPort())
  const file = (name: string) => path.join(folder, name)
  const { hostname, port: server, pathname, username, password } = new URL(url)
  const users = path.join(folder, 'userlist.txt')
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  const ini = filledIn('pgbouncer.ini', {
    'caretaker = host=127.0.0.1 port=5432 dbname=caretaker': `${pathname.slice(1)} = host=${hostname} port=${server}`,
    'listen_port = 6432': `listen_port = ${port}`,
    '/etc/pgbouncer/userlist.txt': users,
  })
  const others = Object.entries({ unix_socket_dir: '', ...settings })
  writeFileSync(file('pgbouncer.ini'), ini + others.map(([name, value]) => `${name} = ${value}\n`).join(''))
  // It refuses to be root, and becomes somebody who must be able to read its files.
  chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const part = await started(pgbouncer, [...user, file('pgbouncer.ini')], port)
  return { ...part, url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href }
}

/**
 * What is in a file of docs/deploy, with other values; throws when it has none of the
 * words that stand for one.
 */
function filledIn(name: string, values: Record<string, string>): string {
  let text = readFileSync(path.join(checkout, 'docs/deploy', name), 'utf8')
  for (const [word, value] of Object.entries(values)) {
    if (!text.includes(word)) throw new Error(`${name} has no ${word}`)
    text = text.replaceAll(word, value)
  }
  return text
}

async function started(program: string | undefined, args: string[], port: number): Promise<Part> {
  if (!program)
    throw new Error('nginx and PgBouncer must be installed: apt-get install nginx-light pgbouncer')
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' })
  let printed = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (printed += chunk))
  const ended = once(child, 'exit')
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${printed}`)
      await answers(port)
    },
    { timeout: 30_000, interval: 50 },
  )
  return {
    port,
    child,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await ended
    },
  }
}

async function answers(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

/** An email as it came in: whether encrypted, and signed in as whom. */
export type Arrived = { encrypted: boolean; user: string; to: string[]; text: string }

/** An email server that takes emails only after STARTTLS and with a password. */
export async function startEmailServer(): Promise<{
  url: string
  emails: Arrived[]
  end: () => Promise<void>
}> {
  const emails: Arrived[] = []
  const server = new SMTPServer({
    ...certificate,
    closeTimeout: 100,
    onAuth: ({ username = '', password }, _session, done) =>
      password === 'mail-secret' ? done(null, { user: username }) : done(new Error('wrong password')),
    onData: (stream, { secure, user, envelope }, done) => {
      let text = ''
      stream.on('data', (chunk) => (text += chunk))
      stream.on('end', () => {
        emails.push({ encrypted: secure, user, to: envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://caretaker:mail-secret@127.0.0.1:${port}?requireTLS=true&tls.servername=${hostName}`,
    emails,
    end: () => new Promise((resolve) => server.close(resolve)),
  }
}
