import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { dropDatabase, inDatabase, makeBuilding } from '../database.js'
import { type ReadEmail, readRawEmail } from '../email/mime.js'
import { keys } from '../keys.js'
import { type Caretaker, startCaretaker } from '../process.js'
import { newFolder } from '../run/folders.js'
import { nothingUnderWay } from './underWay.js'
import { type Outside, startOutside } from './worldsOutside.js'

/** An answer with everything of it a caller can see. */
export type Seen = { status: number; headers: [string, string][]; body: Buffer }

/**
 * An email of the outbox folder: to whom, as it left, as an email program reads
 * it, and the page beside it.
 */
export type FolderEmail = { to: string; raw: string; email: ReadEmail; page: string }

/** A building with a server, a database, an email folder and an outside of its own. */
export type World = {
  origin: string
  outside: Outside
  sql: <Row>(text: string, values?: unknown[]) => Promise<Row[]>
  request: (path: string, init: RequestInit) => Promise<Seen>
  emails: () => FolderEmail[]
  /** Resolves when everything that was to leave the building has left it. */
  quiet: () => Promise<void>
  end: () => Promise<void>
}

/**
 * Starts the compiled server over a copy of the template building; nothing but its ports and
 * `settings` differs from another such world.
 */
export async function startWorld(settings: Record<string, string> = {}): Promise<World> {
  const name = `world_${randomBytes(6).toString('hex')}`
  await makeBuilding(name)
  const dataDir = newFolder()
  if (existsSync(inject('photoDir')))
    cpSync(inject('photoDir'), path.join(dataDir, 'photos'), { recursive: true })
  const outside = await startOutside()
  const server = await startCaretaker(
    { ...environmentOf(name, dataDir, outside), ...settings },
    'test/support/anonymity/worldServer.js',
  )
  const pool = new pg.Pool({ connectionString: urlOf(name), max: 2 })
  // A connection that is just being closed may still hear that its database is dropped.
  pool.on('error', () => undefined)
  const sql: World['sql'] = async (text, values) => (await pool.query(text, values)).rows
  return {
    origin: server.origin,
    outside,
    sql,
    request: (where, init) => seen(server.origin + where, init),
    emails: () => emailsIn(path.join(dataDir, 'outbox')),
    quiet: () => untilQuiet(sql, () => everythingEnded(server)),
    end: async () => {
      await server.end()
      await outside.stop()
      await pool.end()
      await dropDatabase(name)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function environmentOf(database: string, dataDir: string, outside: Outside): Record<string, string> {
  return {
    ...keys,
    ...outside.env,
    DATABASE_URL: urlOf(database),
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://building.example',
    INBOUND_ADDRESS: 'reports@building.example',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    SLA_HOURS_LOW: '0',
  }
}

/** Uncompressed, so that lengths can be compared; nothing is followed. */
async function seen(url: string, init: RequestInit): Promise<Seen> {
  const headers = { 'accept-encoding': 'identity', ...(init.headers as Record<string, string>) }
  const answer = await fetch(url, { redirect: 'manual', ...init, headers })
  const body = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: [...answer.headers], body }
}

function emailsIn(folder: string): FolderEmail[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => {
      const stem = path.join(folder, file.slice(0, -'.eml'.length))
      const raw = readFileSync(`${stem}.eml`, 'utf8')
      const email = readRawEmail(raw)
      const page = readFileSync(`${stem}.html`, 'utf8')
      return { to: /<?([^\s<>]+@[^\s<>]+)>?$/.exec(email.header('To'))![1]!, raw, email, page }
    })
}

const waiting = `
  select ((select count(*) from events)
    + (select count(*) from webhook_deliveries where finished_at is null)
    + (select count(*) from outbox where sent_at is null and failed_at is null))::integer as "left"`

/** What gathers would wait for minutes. */
const gatheredIsDue = `update outbox set next_attempt_at = now()
  where gather_key is not null and attempts = 0 and sent_at is null and next_attempt_at > now()`

/**
 * Has the server send what is due, and waits until all it had begun has ended: announcements
 * begin with their commit.
 */
async function everythingEnded({ child }: Caretaker): Promise<void> {
  let heard = ''
  await new Promise<void>((resolve) => {
    const hear = (chunk: Buffer) => {
      heard += chunk
      if (!heard.includes(nothingUnderWay)) return
      child.stdout!.off('data', hear)
      resolve()
    }
    child.stdout!.on('data', hear)
    child.kill('SIGUSR2')
  })
}

/**
 * Some of what is sent begins to gather only while the rest is sent, and is due at the next look.
 */
async function untilQuiet(sql: World['sql'], ended: () => Promise<void>): Promise<void> {
  for (let look = 0; look < 3000; look++) {
    await sql(gatheredIsDue)
    await ended()
    const [now] = await sql<{ left: number }>(waiting)
    if (now!.left === 0) return
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  const stuck = await sql(
    'select kind, event, attempts, last_error from outbox where sent_at is null and failed_at is null',
  )
  throw new Error(`a world never became quiet: ${JSON.stringify(stuck)}`)
}

const urlOf = (database: string) => inDatabase(inject('databaseUrl'), database)
