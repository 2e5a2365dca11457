import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { takeConnection } from '../../../src/platform/db/database.js'
import { migrateAs } from '../../../src/platform/db/migrations/migrate.js'
import { closeDatabase, openDatabase, sessionSettings } from '../../../src/platform/db/pools.js'
import { asOwner, dropDatabase, inDatabase, useDatabase } from '../../support/database.js'
import { pooled, startPgBouncer } from '../../support/host/parts.js'
import { keys } from '../../support/keys.js'
import { ask } from '../../support/postgres/embeddedUse.js'
import { runJobProcess, startCaretaker } from '../../support/process.js'
import { eventually } from '../../support/run/eventually.js'
import { itInWholeRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'

const url = useDatabase()

describe.skipIf(!pooled)('behind PgBouncer in transaction mode', () => {
  const dataDir = newFolder()
  let pooler: Awaited<ReturnType<typeof startPooler>>
  beforeAll(async () => {
    pooler = await startPooler(url())
  })
  afterAll(() => pooler.end())
  const env = () => ({ DATABASE_URL: pooler.url, DATA_DIR: dataDir, ...keys })

  itInWholeRun(
    'answers all who ask at once after a start, which finds the names of statements taken',
    async () => {
      const mobile = { authorization: `Bearer ${keys.MOBILE_API_KEY}`, 'content-type': 'application/json' }
      const report = (n: number) => JSON.stringify({ title: `Pooled ${n}`, severity: 'low', assetId: 1 })
      const asked = (origin: string, n: number): Promise<Response> => {
        const read = ['/', '/api/status', '/api/towers', '/incidents', '/assets/1'][n % 6]
        return read
          ? fetch(origin + read, { headers: { accept: n % 6 === 1 ? 'application/json' : 'text/html' } })
          : fetch(`${origin}/api/incidents`, { method: 'POST', headers: mobile, body: report(n) })
      }
      for (const start of ['first', 'second']) {
        const server = await startCaretaker(env())
        const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => asked(server.origin, n)))
        const failed = answers
          .filter(({ status }) => status >= 400 && status !== 503)
          .map((each) => `${each.status} ${each.url}`)
        expect([start, failed]).toEqual([start, []])
        expect((await fetch(`${server.origin}/readyz`)).status).toBe(200)
        expect(await server.end()).toBe(0)
      }
    },
  )

  it('has its limits on every takeConnection that is lent, whoever had it before', async () => {
    const owner = inDatabase(inject('ownerUrl'), new URL(url()).pathname.slice(1))
    await closeDatabase()
    await migrateAs(owner, pooler.url)
    openDatabase(url())
    const fresh = await startPooler(url())
    const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: fresh.url }))
    await Promise.all(clients.map((client) => client.connect()))
    // In transactions at the same moment, so that each has another takeConnection of the pooler's.
    await Promise.all(clients.map((client) => client.query('begin')))
    const shown = await Promise.all(
      clients.map(async (client) => {
        const { rows } = await client.query(
          `select name, current_setting(name) as value from unnest($1::text[]) name`,
          [Object.keys(sessionSettings)],
        )
        return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
      }),
    )
    await Promise.all(clients.map((client) => client.end()))
    await fresh.end()
    for (const each of shown) expect(each).toEqual({ ...sessionSettings, statement_timeout: '8s' })
  })

  it('gives nobody what was meant for another, who went away while all was waiting', async () => {
    const fresh = await startPooler(url())
    const clients = Array.from({ length: poolSize }, () => new pg.Client({ connectionString: fresh.url }))
    await Promise.all(clients.map((client) => client.connect()))
    await Promise.all(clients.map((client) => client.query('begin')))

    // Its settings and its statement wait for the pooler together, if it sends them together.
    await closeDatabase()
    openDatabase(fresh.url, 1)
    const lent = takeConnection()
    const asked = lent.then((client) => client.query('select pg_sleep(120), $1::text as word', ['secret']))
    const gone = asked.catch(String)
    await eventually(async () => expect(await fresh.waiting()).toBe(1))
    await clients[0]!.query('commit')
    const client = (await lent) as pg.PoolClient & { takeConnection: { stream: Socket } }
    const sleeps = `select from pg_stat_activity where query like '%pg_sleep%' and state = 'active'
      and datname = current_database() and pid <> pg_backend_pid()`
    await eventually(async () => expect(await ask(url(), sleeps)).toHaveLength(1))
    client.connection.stream.destroy()
    expect(await gone).toMatch(/terminated/)
    client.release(true)
    for (let n = 0; n < 4; n++) {
      const next = new pg.Client({ connectionString: fresh.url })
      await next.connect()
      expect((await next.query('select $1::integer as mine', [n])).rows).toEqual([{ mine: n }])
      await next.end()
    }
    await Promise.all(clients.map((each) => each.end()))
    await closeDatabase()
    openDatabase(url())
    await fresh.end()
  })

  itInWholeRun(
    'is not migrated through it, which says what is missing, and leaves no takeConnection without limits',
    async () => {
      const name = `pooled_${randomBytes(6).toString('hex')}`
      await asOwner(`create database ${name}`)
      const direct = inDatabase(inject('ownerUrl'), name)
      const owner = await startPooler(direct)
      const released = { ...env(), DATABASE_URL: owner.url }
      const refused = /set MIGRATION_DATABASE_URL to connect to PostgreSQL directly/
      await expect(runJobProcess('migrate', released)).rejects.toThrow(refused)
      await expect(runJobProcess('migrate', released)).rejects.toThrow(refused)
      const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: owner.url }))
      await Promise.all(clients.map((client) => client.connect()))
      await Promise.all(clients.map((client) => client.query('begin')))
      for (const client of clients) {
        const { rows } = await client.query(
          `select name from pg_settings where name in ('statement_timeout', 'lock_timeout') and setting = '0'
             and source = 'session'`,
        )
        expect(rows).toEqual([])
        await client.end()
      }

      const two = [1, 2].map(() => runJobProcess('migrate', { ...released, MIGRATION_DATABASE_URL: direct }))
      const [first, second] = (await Promise.all(two)).map(({ migrated }) => (migrated as string[]).length)
      expect([first! * second!, first! + second! > 0]).toEqual([0, true])
      expect(await runJobProcess('migrate', released)).toMatchObject({ migrated: [] })
      await owner.end()
      await dropDatabase(name)
    },
  )
})

const poolSize = 8

async function startPooler(address: string) {
  const { username } = new URL(address)
  const settings = { default_pool_size: poolSize, query_wait_timeout: 120, stats_users: username }
  const { url, end } = await startPgBouncer(newFolder(), address, { settings })
  const ofItself = Object.assign(new URL(url), { pathname: '/pgbouncer' }).href
  return {
    url,
    /** How many clients wait for one of its connections. */
    waiting: async () => {
      const pools = await ask<{ cl_waiting: string }>(ofItself, 'show pools')
      return pools.reduce((sum, pool) => sum + Number(pool.cl_waiting), 0)
    },
    end: () => end('SIGKILL'),
  }
}
