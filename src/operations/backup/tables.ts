import pg from 'pg'
import { withClient } from '../../platform/db/dedicatedConnection.js'
import type { Manifest } from './contents.js'

/** A table as an archive carries it. */
export type Table = Manifest['tables'][number]

export const columnList = ({ columns }: Table) => columns.map(pg.escapeIdentifier).join(', ')

/**
 * The tables that say what was run in a database, which is not its content. A copy of another's
 * would keep the release step from making the views.
 */
export const recordsOfRuns = ['migrations', 'migrations_lock', 'database_views']

/**
 * Every table of ours with its columns. Not carried: records of what was run here, because the
 * manifest names the migrations; unlogged tables, whose loss costs nothing; computed columns; and
 * transaction numbers (xid8), which mean nothing on another server: rows get that of the restoring
 * transaction.
 */
export async function carriedTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace = 'public'::regnamespace
       and c.relname <> all ($1::text[])
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype
     group by c.relname order by c.relname`,
    [recordsOfRuns],
  )
  return rows
}

/** The last number of each of our sequences, at least that of rows read before; null: none. */
export async function sequenceNumbers(client: pg.Client): Promise<Record<string, number | null>> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `select sequencename::text as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and sequencename not like 'migrations%' order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last === null ? null : Number(last)]))
}

/**
 * SQL: the path of every photo that a row names. Each table with a column `path` is about photos.
 */
export async function photoPathsSql(client: pg.Client): Promise<string> {
  const tables = await carriedTables(client)
  const naming = tables.filter(({ columns }) => columns.includes('path'))
  return naming.map(({ name }) => `select path from public.${pg.escapeIdentifier(name)}`).join(' union ')
}

/**
 * Works in one transaction on a connection of its own, which may take hours: none of the limits of
 * requests apply. Commits when `work` resolves; otherwise nothing is kept. UTC and ISO dates, so
 * that rows read and write alike.
 */
export async function inLongTransaction<T>(
  url: string,
  begin: 'begin isolation level repeatable read read only' | 'begin',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const address = { connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true }
  return withClient(address, async (client) => {
    await client.query(begin)
    await client.query(`set local statement_timeout = 0; set local lock_timeout = '10s';
      set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC';
      set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'`)
    const result = await work(client)
    await client.query('commit')
    return result
  })
}
