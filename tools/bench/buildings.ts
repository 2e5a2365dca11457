import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { startServerForMany } from '../../test/support/postgres/buildingsServer.js'
import { type Caretaker, runJobProcess, startCaretaker, startWorker } from '../../test/support/process.js'
import { newFolder } from '../../test/support/run/folders.js'
import { proportionalBytes } from './memory.js'
import { sized } from './size.js'

/** How many buildings, each one process; and how many, each a web process with a worker. */
const counts = process.env.BENCH_BUILDINGS ?? sized({ usual: '1,10,50', tiny: '1' })
const countsOfBuildings = counts.split(',').map(Number)
const countsWithWorker = [sized({ usual: 10, tiny: 1 })]
/** Processes started at once: more would wait for each other’s compiler. */
const atOnce = 4
/** Milliseconds after which pools have closed unused connections. */
const restAfterMs = sized({ usual: 70_000, tiny: 100 })
/** Milliseconds that are measured then. */
const watchedMs = sized({ usual: 30_000, tiny: 100 })

type Running = { pids: number[]; origin: string; end: () => Promise<unknown> }

/**
 * Memory, connections and work at rest of so many buildings on one server, each with processes of
 * its own. It has no goals and only prints.
 */
export async function buildings(): Promise<boolean> {
  const folder = newFolder()
  const server = await startServerForMany(path.join(folder, 'server'), {
    max_connections: '600',
    fsync: 'off',
  })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  try {
    const began = performance.now()
    const env = { DATA_DIR: folder, BUILDINGS_DATABASE_URL: server.url }
    const command = ['create', 'b1', '--url', 'https://b1.example', '--admin', 'a@b.example']
    await runJobProcess('buildings', env, ...command)
    printLine(`made one building in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
    const first = parseEnv(readFileSync(path.join(folder, 'buildings/b1.env'), 'utf8')) as Record<
      string,
      string
    >
    await admin.query('grant caretaker_b1__owner to current_user')
    for (let n = 2; n <= Math.max(...countsOfBuildings); n++)
      await admin.query(`create database caretaker_b${n} template caretaker_b1`)
    const { rows } = await admin.query(`select pg_database_size('caretaker_b1') as bytes`)
    printLine(`an empty building’s database has ${megabytes(Number(rows[0].bytes))} MB`)
    const settingsOf = (n: number) => ({
      ...first,
      PORT: '0',
      DATA_DIR: path.join(folder, `b${n}`),
      DATABASE_URL: Object.assign(new URL(first.DATABASE_URL!), { pathname: `/caretaker_b${n}` }).href,
      LOG_LEVEL: 'info',
      MALLOC_ARENA_MAX: '2',
    })
    for (const count of countsOfBuildings)
      await measureBuildings(`${count}, one process each`, count, webOnly(settingsOf), admin)
    for (const count of countsWithWorker.filter((each) => each <= Math.max(...countsOfBuildings)))
      await measureBuildings(`${count}, web and worker`, count, webAndWorker(settingsOf), admin)
  } finally {
    await admin.end()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return true
}

const printLine = (line: string) => void process.stdout.write(`  ${line}\n`)
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)

type Settings = (n: number) => Record<string, string>

function webOnly(settingsOf: Settings) {
  return async (n: number): Promise<Running> => {
    const web = await startCaretaker(settingsOf(n))
    return { pids: [web.child.pid!], origin: web.origin, end: () => web.end() }
  }
}

function webAndWorker(settingsOf: Settings) {
  return async (n: number): Promise<Running> => {
    const [web, worker] = await Promise.all([
      startCaretaker({ ...settingsOf(n), SCHEDULER: 'off' }),
      startWorker(settingsOf(n)),
    ] satisfies [Promise<Caretaker>, unknown])
    return {
      pids: [web.child.pid!, worker.child.pid!],
      origin: web.origin,
      end: () => Promise.all([web.end(), worker.end()]),
    }
  }
}

async function measureBuildings(
  what: string,
  count: number,
  start: (n: number) => Promise<Running>,
  admin: pg.Client,
): Promise<void> {
  const running: Running[] = []
  for (let n = 1; n <= count; n += atOnce)
    running.push(
      ...(await Promise.all(Array.from({ length: Math.min(atOnce, count - n + 1) }, (_, i) => start(n + i)))),
    )
  try {
    // Each has served its status, its page, a list and the form of a report.
    for (const { origin } of running)
      for (const address of ['/api/status', '/', '/incidents', '/report']) {
        const answer = await fetch(origin + address, { headers: { 'x-forwarded-proto': 'https' } })
        await answer.text()
        if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`)
      }
    const busy = await connections(admin)
    await sleep(restAfterMs)
    const pids = running.flatMap((each) => each.pids)
    const [cpu, commits] = [cpuOf(pids), await commitsIn(admin)]
    await sleep(watchedMs)
    const seconds = watchedMs / 1_000
    const memory = sum(pids.map(proportionalBytes))
    const facts = [
      `${megabytes(memory)} MB, ${megabytes(memory / count)} each`,
      `${busy} connections after a read, ${await connections(admin)} at rest`,
      `${(((await commitsIn(admin)) - commits) / seconds / count).toFixed(1)} transactions/s and ${(((cpuOf(pids) - cpu) / seconds / count) * 1_000).toFixed(1)} ms of a core per second each`,
      `PostgreSQL ${megabytes(sum(await backendPids(admin, proportionalBytes)))} MB`,
    ]
    printLine(`${what}: ${facts.join('; ')}`)
  } finally {
    for (const { end } of running) await end()
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

/** Seconds of processor time so far, of processes; the system counts hundredths. */
function cpuOf(pids: number[]): number {
  const ticks = pids.map((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '))
  return sum(ticks.map((fields) => Number(fields[11]) + Number(fields[12]))) / 100
}

const ofCaretaker = `datname like 'caretaker\\_b%' and application_name like 'caretaker %'`

async function connections(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query(
    `select count(*)::integer as n from pg_stat_activity where ${ofCaretaker}`,
  )
  return rows[0].n
}

async function backendPids(admin: pg.Client, of: (pid: number) => number): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>('select pid from pg_stat_activity')
  return rows.map(({ pid }) => of(pid))
}

async function commitsIn(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query(
    `select sum(xact_commit)::float8 as n from pg_stat_database where datname like 'caretaker\\_b%'`,
  )
  return rows[0].n
}
