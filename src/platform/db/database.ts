import type pg from 'pg'
import { tracedQuery, withSpan } from '../process/tracing.js'
import { acquire, openPools } from './pools.js'
import { prepared, retryOnce } from './prepared.js'
import { rowsByField } from './rowsByField.js'

export type { Knex } from 'knex'
export type { AnyQueryBuilder } from 'objection'
export { builderOn } from './connection.js'

/** Runs SQL and returns its rows, with the fields of their columns. */
export type Query = <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<T[]>

/**
 * Runs SQL outside a transaction, with `$1`-style parameters. Rows have the fields of their
 * columns: `createdAt` of `created_at`.
 */
export async function query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  const { pool } = openPools()
  return tracedQuery(text, () => retryOnce(() => queryIn<T>(pool, prepared(text, values))))
}

/** Runs SQL as `query` does, planned for these values: the right index may depend on them. */
export async function queryUnprepared<T extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const { pool } = openPools()
  return tracedQuery(text, () => retryOnce(() => queryIn<T>(pool, { text, values })))
}

/** Runs one short statement on the connection reserved for freshness checks. */
export async function queryReserved<T extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const { readPool } = openPools()
  return retryOnce(() => queryIn<T>(readPool, prepared(text, values)))
}

/** Runs a statement on a connection of a pool. One that it failed on is not lent again. */
async function queryIn<T extends pg.QueryResultRow>(pool: pg.Pool, query: pg.QueryConfig): Promise<T[]> {
  const client = await acquire(pool)
  try {
    const rows = await rowsByField<T>(client, query)
    client.release()
    return rows
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

/** Takes a connection from the pool for a transaction or a stream; return it with `release`. */
export async function takeConnection(): Promise<pg.PoolClient> {
  return withSpan('wait for a connection', () => acquire(openPools().pool))
}

/**
 * Calls `read` with a query function that sees one snapshot. Like `retryOnce`, tries again with a
 * new snapshot.
 */
export function inSnapshot<T>(read: (query: Query) => Promise<T>): Promise<T> {
  return retryOnce(async () => {
    const client = await takeConnection()
    let first: unknown
    try {
      await client.query('begin isolation level repeatable read read only')
      const result = await read(
        async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
          const run = () => rowsByField<Row>(client, prepared(text, values))
          return tracedQuery(text, run).catch((error: unknown) => {
            first ??= error
            throw error
          })
        },
      )
      await client.query('commit')
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      // Of queries sent together only the first error says more than that all is aborted.
      throw first ?? error
    }
  })
}

/** Runs SQL on this connection. */
export function queryOn(client: pg.ClientBase): Query {
  return (text, values = []) => rowsByField(client, { text, values })
}
