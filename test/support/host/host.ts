import { mkdirSync, readdirSync } from 'node:fs'
import { Agent, request } from 'node:https'
import path from 'node:path'
import { certificate } from '../certificate.js'
import { cookieOf } from '../house/asking.js'
import { keys } from '../keys.js'
import { startS3 } from '../photos/s3Server.js'
import { type Caretaker, runJobProcess, startCaretaker, startWorker } from '../process.js'
import { startReceiver } from '../webhooks/receiver.js'
import { holdSocket } from './heldSocket.js'
import { hostName, startEmailServer, startNginx, startPgBouncer } from './parts.js'

export type Question = {
  method?: string
  cookie?: string
  /** The mobile app asks. */
  phone?: boolean
  json?: unknown
  form?: FormData
  headers?: Record<string, string>
  /** On a connection of its own. */
  anew?: boolean
}

type Process = Pick<Caretaker, 'child' | 'end'>

/** Asks for an address; rejects when there is no answer. */
export type Ask = (address: string, question?: Question) => Promise<Response>

/** Everything a building runs on, two of each where one could break. */
export type Host = Awaited<ReturnType<typeof startHost>>

/**
 * Starts two webs and two workers behind nginx with TLS and PgBouncer in transaction mode, on the
 * database at `url`, whose owner releases at `ownerUrl`; with an S3 server, an email server and a
 * receiver of webhooks. `folder` must exist.
 */
export async function startHost(folder: string, url: string, ownerUrl: string) {
  const room = (name: string) => {
    mkdirSync(path.join(folder, name), { recursive: true })
    return path.join(folder, name)
  }
  const sockets = [holdSocket(), holdSocket()] as const
  const [nginx, pgbouncer, s3, email, receiver] = await Promise.all([
    startNginx(room('nginx'), [sockets[0].port, sockets[1].port]),
    startPgBouncer(room('pgbouncer'), url),
    startS3(),
    startEmailServer(),
    startReceiver({ secret: null }),
  ])
  const publicUrl = `https://${hostName}:${nginx.port}`
  const env = {
    NODE_ENV: 'production',
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: 'true',
    DATABASE_URL: pgbouncer.url,
    SMTP_URL: email.url,
    MAIL_FROM: 'Building <office@building.example>',
    NODE_EXTRA_CA_CERTS: path.join(folder, 'nginx/fullchain.pem'),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    THROTTLE_REPORTS: '0',
    THROTTLE_WRITES: '0',
    ...s3.env,
    // Amazon's library says on every start which Node it will want.
    NODE_NO_WARNINGS: '1',
    ...keys,
  }
  // As on two machines: what is on the disk of one process is nowhere else.
  const startWeb = (i: 0 | 1) =>
    startCaretaker({ ...env, DATA_DIR: room(`web${i}`) }, 'src/server.js', sockets[i])
  const startWorkerOf = (i: 0 | 1) => startWorker({ ...env, DATA_DIR: room(`worker${i}`) })
  const webs: [Caretaker, Caretaker] = await Promise.all([startWeb(0), startWeb(1)])
  const workers: [Process, Process] = await Promise.all([startWorkerOf(0), startWorkerOf(1)])
  const agent = new Agent({ keepAlive: true, ca: certificate.cert, servername: hostName })
  const apart = new Agent({ ca: certificate.cert, servername: hostName })

  return {
    plainUrl: `http://127.0.0.1:${nginx.plainPort}`,
    webs,
    workers,
    emails: email.emails,
    receiver,
    /** Asks through nginx, which chooses the web process. Rejects when there is no answer. */
    ask: (address: string, question: Question = {}) =>
      ask(question.anew ? apart : agent, publicUrl, address, question),
    /** Runs a job from the command line, with the settings of the processes. */
    job: (name: string, ...args: string[]) =>
      runJobProcess(name, { ...env, DATA_DIR: room('job'), MIGRATION_DATABASE_URL: ownerUrl }, ...args),
    /**
     * Ends this web and starts it again, as `systemctl restart` does; resolves
     * to the code it ended with.
     */
    restartWeb: async (i: 0 | 1) => {
      const code = await webs[i].end()
      webs[i] = await startWeb(i)
      return code
    },
    restartWorker: async (i: 0 | 1) => {
      const code = await workers[i].end()
      workers[i] = await startWorkerOf(i)
      return code
    },
    /** All files the webs have on their disks. */
    filesOfWebs: () =>
      (['web0', 'web1'] as const).flatMap((name) =>
        readdirSync(room(name), { recursive: true, withFileTypes: true })
          .filter((entry) => !entry.isDirectory())
          .map((entry) => path.join(entry.parentPath, entry.name)),
      ),
    end: async () => {
      agent.destroy()
      const codes = await Promise.all([...webs, ...workers].map((each) => each.end()))
      await Promise.all([nginx.end('SIGQUIT'), pgbouncer.end(), s3.stop(), email.end(), receiver.stop()])
      for (const socket of sockets) socket.close()
      return codes
    },
  }
}

/** Asks one web process, as nginx does: for what one writes and the other must know. */
export function askWeb(web: Caretaker, address: string, question: Question = {}): Promise<Response> {
  const { method, headers, body } = asSent(question)
  const proxied = { ...headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' }
  return fetch(web.origin + address, { method, headers: proxied, redirect: 'manual', body: body ?? null })
}

/** The cookie of a session begun at `at`. Throws when the password is wrong. */
export async function signedIn(at: Ask, email: string, password: string): Promise<string> {
  const answer = await at('/api/auth/sign-in/email', { method: 'POST', json: { email, password } })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return cookieOf(answer)
}
function asSent({ method = 'GET', cookie, phone, json, form, headers }: Question) {
  return {
    method,
    headers: {
      accept: 'application/json',
      'sec-fetch-site': 'same-origin',
      ...(cookie ? { cookie } : {}),
      ...(phone ? { authorization: `Bearer ${keys.MOBILE_API_KEY}` } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    } as Record<string, string>,
    body: json === undefined ? form : JSON.stringify(json),
  }
}

function ask(agent: Agent, origin: string, address: string, question: Question): Promise<Response> {
  return askTls(agent, origin + address, asSent(question))
}

/** Asks this machine for an address of `hostName`. Rejects when there is no answer. */
export async function askTls(
  agent: Agent,
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: RequestInit['body'] },
): Promise<Response> {
  const content = new Response(body ?? null)
  const type = content.headers.get('content-type')
  const bytes = Buffer.from(await content.arrayBuffer())
  const { host, port, pathname, search } = new URL(url)
  const sent = { ...(type ? { 'content-type': type } : {}), ...headers, host, 'content-length': bytes.length }
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port, path: pathname + search, method, headers: sent, agent },
      (message) => {
        const chunks: Buffer[] = []
        message.on('data', (chunk) => chunks.push(chunk))
        message.on('error', reject)
        message.on('end', () => {
          const heard = new Headers()
          for (let i = 0; i < message.rawHeaders.length; i += 2)
            heard.append(message.rawHeaders[i]!, message.rawHeaders[i + 1]!)
          const status = message.statusCode!
          resolve(
            new Response([204, 304].includes(status) ? null : Buffer.concat(chunks), {
              status,
              headers: heard,
            }),
          )
        })
      },
    )
    asking.on('error', reject)
    asking.end(bytes)
  })
}
