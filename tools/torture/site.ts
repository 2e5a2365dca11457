import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { eventNames } from '../../src/vocabulary/events.js'
import { certificate } from '../../test/support/certificate.js'
import { compiledFile } from '../../test/support/compiled.js'
import {
  freePorts,
  type Part,
  pooled,
  startEmailServer,
  startPgBouncer,
} from '../../test/support/host/parts.js'
import { keys } from '../../test/support/keys.js'
import { type Caretaker, runJobProcess, startCaretaker, startWorker } from '../../test/support/process.js'
import { startProxy } from '../../test/support/services/proxy.js'
import { signedInAt } from '../../test/support/signedInAt.js'
import { startReceiver } from '../../test/support/webhooks/receiver.js'
import { asOwnerOf } from './asOwner.js'
import { photoDisk } from './photoDisk.js'
import { startPostgres } from './postgres.js'

export type Process = Pick<Caretaker, 'child' | 'end' | 'output'>
/** A process that is started again wherever it was. */
export type Place = { name: string; process: Process; start: () => Promise<Process> }

/**
 * Two webs, two workers, and all they stand on: one of each by way of PgBouncer where that is
 * installed.
 */
export type Site = Awaited<ReturnType<typeof startSite>>

const secret = 'torture-secret'

/**
 * Starts everything on the data folder of a building, which must be a copy: it is treated badly.
 */
export async function startSite(dataDir: string) {
  const room = (name: string) => {
    mkdirSync(path.join(dataDir, name), { recursive: true })
    return path.join(dataDir, name)
  }
  const postgres = await startPostgres(dataDir)
  const [database, email, receiver, ports, disk] = await Promise.all([
    startProxy(postgres.url),
    startEmailServer(),
    startReceiver({ secret }),
    freePorts(2),
    photoDisk(path.join(dataDir, 'photos')),
  ])
  const direct = through(postgres.url, database.port)
  const pooler: { part: (Part & { url: string }) | null; start: () => Promise<void> } = {
    part: null,
    start: async () => {
      pooler.part = await startPgBouncer(room('pgbouncer'), direct, { port: pooler.part?.port })
    },
  }
  if (pooled) await pooler.start()
  const [emailProxy, refuser] = await Promise.all([
    startProxy(email.url),
    startProxy(`http://127.0.0.1:${receiver.port}`),
  ])
  writeFileSync(path.join(dataDir, 'mail.pem'), certificate.cert)
  const env = {
    DATA_DIR: dataDir,
    DATABASE_POOL: '6',
    SMTP_URL: through(email.url, emailProxy.port),
    NODE_EXTRA_CA_CERTS: path.join(dataDir, 'mail.pem'),
    NODE_OPTIONS: `--import ${await compiledFile('tools/torture/clock.ts')}`,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...Object.fromEntries(
      ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'].map((name) => [`SLA_HOURS_${name}`, '0.001']),
    ),
    THROTTLE_REPORTS: '0',
    THROTTLE_WRITES: '0',
    ACCESS_LOG: 'off',
    LOG_LEVEL: 'info',
    ...keys,
  }
  const addressOf = (i: number) => (i === 0 && pooler.part ? pooler.part.url : direct)
  const started: Process[] = []
  const place = async (name: string, begin: () => Promise<Process>): Promise<Place> => {
    const start = async () => {
      const process = await begin()
      started.push(process)
      return process
    }
    return { name, start, process: await start() }
  }
  const web = (i: number) =>
    place(`web ${i + 1}`, () =>
      startCaretaker({ ...env, DATABASE_URL: addressOf(i), PORT: String(ports[i]), LOG_LEVEL: 'info' }),
    )
  const worker = (i: number) =>
    place(`worker ${i + 1}`, () => startWorker({ ...env, DATABASE_URL: addressOf(i) }))
  await asOwnerOf(postgres.ownerUrl, async (query) => {
    // The first is always well; what happens to the others does not concern it.
    for (const url of [
      receiver.url('/ok'),
      receiver.url('/ok/second'),
      `http://127.0.0.1:${refuser.port}/ok/third`,
    ])
      await query('insert into webhook_subscriptions (url, secret, events) values ($1, $2, $3)', [
        url,
        secret,
        eventNames,
      ])
  })
  const webs = await Promise.all([web(0), web(1)])
  const workers = await Promise.all([worker(0), worker(1)])
  const origins = ports.map((each) => `http://127.0.0.1:${each}`)
  const cookies = await signedInAt(origins[0]!)
  return {
    dataDir,
    postgres,
    database,
    pooler,
    email,
    emailProxy,
    receiver,
    refuser,
    disk,
    webs,
    workers,
    origins,
    cookies,
    started,
    /** Runs a job from the command line, beside the pooler. */
    job: (name: string) => runJobProcess(name, { ...env, DATABASE_URL: postgres.url }),
    /** Ends all that is left of it, whatever state it is in. */
    end: async () => {
      for (const { process } of [...webs, ...workers])
        if (process.child.exitCode === null && process.child.signalCode === null) await process.end('SIGKILL')
      await postgres.signal('SIGCONT', { all: true })
      await pooler.part?.end('SIGKILL')
      await Promise.all([database.end(), emailProxy.end(), refuser.end(), email.end(), receiver.stop()])
      await postgres.end()
      await disk?.end()
    },
  }
}

/** The same address by another port of this machine. */
function through(address: string, port: number): string {
  return Object.assign(new URL(address), { hostname: '127.0.0.1', port: String(port) }).href
}
