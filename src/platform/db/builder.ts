import knexModule, { type Knex } from 'knex'
import { knexSnakeCaseMappers } from 'objection'
import type pg from 'pg'
import { tracedQuery } from '../ops/tracing.js'

const pinned = new WeakMap<pg.ClientBase, Knex>()

/** A query builder on this one connection, so that Objection works inside the open transaction. */
export function builderOn(client: pg.ClientBase): Knex {
  const known = pinned.get(client)
  if (known) return known
  const made = knexOver(
    async () => client,
    () => {},
  )
  pinned.set(client, made)
  return made
}

/** Knex as a query builder only: connections come from our pool, so there is one set of limits. */
export function knexOver<Client extends pg.ClientBase>(
  acquire: () => Promise<Client>,
  release: (client: Client) => void,
): Knex {
  const made = knexModule({ client: 'pg', compileSqlOnError: false, ...knexSnakeCaseMappers() })
  const { client } = made
  client.acquireConnection = acquire
  client.releaseConnection = async (each: Client) => release(each)
  const run = client._query.bind(client) as (each: Client, query: { sql: string }) => Promise<unknown>
  client._query = (each: Client, query: { sql: string }) => tracedQuery(query.sql, () => run(each, query))
  return made
}
