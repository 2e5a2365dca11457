import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { takeConnection } from '../../src/platform/db/database.js'
import { migrateAs } from '../../src/platform/db/migrations/migrate.js'
import { closeDatabase, openDatabase } from '../../src/platform/db/pools.js'
import { startEmbeddedPostgres } from '../../src/platform/postgres/embeddedPostgres.js'
import { fillImpacts } from '../../test/support/fillImpacts.js'
import { ratios } from './ratios.js'

/**
 * A durable private server with an empty, migrated building; the benches fill it by SQL as its
 * owner, at `url`.
 */
export async function benchDatabase(): Promise<{
  url: string
  env: Record<string, string>
  stop: () => Promise<void>
}> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'caretaker-bench-'))
  const server = await startEmbeddedPostgres({ dataDir })
  await migrateAs(server.ownerUrl, server.url)
  openDatabase(server.ownerUrl, 4)
  const env = {
    DATABASE_URL: server.url,
    DATA_DIR: dataDir,
    SESSION_SECRET: 'bench-session-secret',
    MOBILE_API_KEY: benchKey,
    LOG_LEVEL: 'silent',
    THROTTLE_REPORTS: '1000000000',
  }
  const stop = async () => {
    await closeDatabase()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url: server.ownerUrl, env, stop }
}

export const benchKey = 'bench-mobile-key'

/** Fills by SQL, without the limits requests have. */
export async function fill(sql: string, values: unknown[] = []): Promise<void> {
  const client = await takeConnection()
  try {
    await client.query('set statement_timeout = 0')
    await client.query({ text: sql, values, query_timeout: 600_000 } as never)
  } finally {
    client.release(true)
  }
}

/**
 * Fills incidents by the million without their search index: indexing their words would take longer
 * than all else, and no one searches them.
 */
export async function fillIncidents(sql: string, values: unknown[] = []): Promise<void> {
  await fill('alter table incidents disable trigger incidents_search_added')
  await fill(sql, values)
  await fill('alter table incidents enable trigger incidents_search_added')
}

/** Towers and `assets` assets, each with one weekly window. */
export async function fillBuilding(assets: number): Promise<void> {
  await fill(`insert into towers (name) values ('North Tower'), ('South Tower')`)
  await fill(
    `insert into assets (tower_id, name, category) select 1 + n % 2, 'Lift ' || n, 'Lift'
     from generate_series(1, $1) n`,
    [assets],
  )
  await fill(
    `insert into maintenance_windows (asset_id, title, starts_at, ends_at, recurrence)
     select id, 'Service', now() - interval '200 days', now() - interval '200 days' + interval '2 hours',
       'weekly' from assets`,
  )
}

/**
 * The staff who are notified: a board member, a manager, an admin. Every building also has the
 * Mobile Reporter.
 */
export async function fillPeople(): Promise<void> {
  await fill(
    `insert into users (name, email, role)
     select initcap(role), role || '@bench.example', role from unnest(array['board', 'manager', 'admin']) role`,
  )
}

/** People who live here and follow what they report. */
export async function fillResidents(count: number): Promise<void> {
  await fill(
    `insert into users (name, email, role)
     select 'Resident ' || n, 'resident' || n || '@bench.example', 'resident' from generate_series(1, $1) n`,
    [count],
  )
}

/**
 * `total` incidents over the years, of which 20 an asset touch the last 90 days and one asset in
 * ten is down now.
 */
export async function fillHistory(total: number): Promise<void> {
  await fillIncidents(
    `insert into incidents
       (title, description, severity, status, source, asset_id, is_downtime, created_at, acknowledged_at,
       resolved_at, verified_at)
     select 'Incident ' || n, repeat('x', 100), (array['low','medium','high','critical'])[1 + n % 4],
       case when old then 'verified' when n % 200 = 0 then 'open' else 'resolved' end, 'web',
       1 + n % (select count(*) from assets),
       n % 4 = 3, at, case when not old and n % 200 = 0 then null else at + interval '1 hour' end,
       case when not old and n % 200 = 0 then null else at + interval '5 hours' end,
       case when old then at + interval '6 hours' end
     from (
       select n, n <= $1 - 2000 as old,
         case when n <= $1 - 2000 then now() - interval '91 days' - (($1 - n) * interval '60 seconds')
           else now() - ((2000 - (n - ($1 - 2000))) * interval '1 hour') end as at
       from generate_series(1, $1) n
     ) given`,
    [total],
  )
  await fillImpactsByFields()
  await fill('analyze incidents')
}

/** What the incidents did, by their fields, as a migration fills it. */
export async function fillImpactsByFields(): Promise<void> {
  await fill('delete from asset_impacts')
  await fill(fillImpacts)
  await fill('analyze asset_impacts')
}

/** A second database of the same server, equal to the first; returns its address. */
export async function copyDatabase(url: string, name: string): Promise<string> {
  const source = new URL(url).pathname.slice(1)
  const elsewhere = Object.assign(new URL(url), { pathname: '/postgres' }).href
  await closeDatabase()
  openDatabase(elsewhere, 1)
  await fill(`create database ${name} template ${source}`)
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** Leaves the database that is open for the one at this address. */
export async function reopenDatabase(url: string): Promise<void> {
  await closeDatabase()
  openDatabase(url, 4)
}

/** Works with the database at this address. */
export async function using<T>(url: string, work: () => Promise<T>): Promise<T> {
  await reopenDatabase(url)
  return work()
}

/**
 * How many times as long this takes in the `large` building as in the `small` one, in each round;
 * `measure`: how often it is done in a second.
 */
export async function timesAsLong(
  measure: () => Promise<number>,
  { small, large, rounds }: { small: string; large: string; rounds: number },
): Promise<number[]> {
  const speeds = await ratios(
    () => using(small, measure),
    () => using(large, measure),
    rounds,
  )
  return speeds.map((ratio) => 1 / ratio)
}

/**
 * How many times a second this is done, of so many in a row; some before that prepare statements
 * and fill caches.
 */
export async function perSecond(work: () => Promise<unknown>, many: number, before: number): Promise<number> {
  for (let i = 0; i < before; i++) await work()
  const began = performance.now()
  for (let i = 0; i < many; i++) await work()
  return (many * 1000) / (performance.now() - began)
}
