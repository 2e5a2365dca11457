import type { Duplex } from 'node:stream'
import knexModule, { type Knex } from 'knex'
import PostgresDialect from 'knex/lib/dialects/postgres/index.js'
import { knexSnakeCaseMappers } from 'objection'
import pg from 'pg'
import { tracedQuery } from '../process/tracing.js'

/** A connection to the database that ends, as if it were lost, when it gets what is no message. */
export class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig | string) {
    super(config)
    endOnBrokenAnswer(this.connection.stream)
    // From then on, another socket reads what comes over the first.
    this.connection.once('sslconnect', () => endOnBrokenAnswer(this.connection.stream))
  }
}

/**
 * The driver throws out of the socket's event where an answer is no message, which would end the
 * process. Poolers send such bytes when a server goes away in the middle of an answer.
 */
function endOnBrokenAnswer(socket: Duplex): void {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...values: unknown[]) => boolean
  socket.emit = (event: string | symbol, ...values: unknown[]) => {
    if (event !== 'data' && event !== 'readable') return emit(event, ...values)
    try {
      return emit(event, ...values)
    } catch (cause) {
      const error = new Error('Connection terminated: no message', { cause })
      socket.destroy(Object.assign(error, { code: 'EPROTO' }))
      return true
    }
  }
}

const builders = new WeakMap<pg.ClientBase, Knex>()

/** A query builder on this one connection, so that Objection works inside the open transaction. */
export function builderOn(client: pg.ClientBase): Knex {
  const known = builders.get(client)
  if (known) return known
  const made = knexOver(
    async () => client,
    () => {},
  )
  builders.set(client, made)
  return made
}

class TracedDialect extends PostgresDialect {
  override query(connection: unknown, statement: string | { sql: string }): Promise<unknown> {
    const text = typeof statement === 'string' ? statement : statement.sql
    return tracedQuery(text, () => super.query(connection, statement))
  }
}

/** Knex as a query builder only: connections come from our pool, so there is one set of limits. */
export function knexOver<Client extends pg.ClientBase>(
  acquire: () => Promise<Client>,
  release: (client: Client) => void,
): Knex {
  const none = () => 0
  const connectionPool = {
    acquire: () => ({ promise: acquire() }),
    release(client: Client) {
      release(client)
      return true
    },
    async destroy() {},
    // By these Knex knows that it is a pool as its own, which it uses as it is.
    numFree: none,
    numUsed: none,
    numPendingAcquires: none,
  }
  return knexModule({
    client: TracedDialect,
    connectionPool,
    compileSqlOnError: false,
    // Whoever asked for the connection is told that there is none.
    log: { warn() {} },
    ...knexSnakeCaseMappers(),
  })
}
