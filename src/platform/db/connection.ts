import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import knexModule, { type Knex } from 'knex'
import { knexSnakeCaseMappers } from 'objection'
import pg from 'pg'
import { tracedQuery } from '../process/tracing.js'
import { noteDatabaseAnswer, noteDatabaseFailure } from './availability.js'

type Listener = (chunk: Buffer) => void

/** What the driver keeps of what it was asked, and how it sends what waits. */
type Asked = {
  connection: { attachListeners: (stream: Socket) => void }
  /** Whether the server has answered to the end all that it was asked. */
  readyForQuery: boolean
  _activeQuery: { text?: string } | null
  _sentQueryQueue: { text?: string }[]
  _queryQueue: unknown[]
  _pulsePipelinedQueryQueue: () => void
}

const endsTransaction = /(?:^|;)\s*(?:commit|rollback|end|abort)\b/i

/** A connection to the database that keeps to two rules of its own, both for what poolers do. */
export class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig | string) {
    super(config)
    this.#endWithBrokenAnswers()
    this.#keepTransactionsApart()
    this.#logAvailability()
  }

  /** One line in the log when the server goes away and when it is back, whoever connects. */
  #logAvailability(): void {
    const connect = this.connect.bind(this) as (done: (error?: Error) => void) => void
    const connectAndNote = (done: (error?: Error) => void) =>
      connect((error) => {
        if (error) noteDatabaseFailure(error)
        else noteDatabaseAnswer()
        done(error)
      })
    this.connect = ((done?: (error?: Error) => void) =>
      done ? connectAndNote(done) : promisify(connectAndNote)()) as typeof this.connect
  }

  /**
   * It ends, like any that is lost, with bytes that are no message: the driver throws out of the
   * socket's event, which would end the process. Poolers send such bytes when a server goes away in
   * the middle of an answer.
   */
  #endWithBrokenAnswers(): void {
    const wire = (this as unknown as Asked).connection
    const attach = wire.attachListeners.bind(wire)
    wire.attachListeners = (stream) => {
      attach(stream)
      for (const listener of stream.listeners('data') as Listener[]) {
        stream.off('data', listener)
        stream.on('data', (chunk: Buffer) => {
          try {
            listener.call(stream, chunk)
          } catch (cause) {
            stream.destroy(
              Object.assign(new Error('Connection terminated: no message', { cause }), { code: 'EPROTO' }),
            )
          }
        })
      }
    }
  }

  /**
   * It sends no statement while one before it, unanswered, may leave no transaction open. When a
   * client goes away between the two answers, PgBouncer (1.18 of Debian 12) lends the server on,
   * and the second one is given to whoever comes next.
   */
  #keepTransactionsApart(): void {
    const asked = this as unknown as Asked
    const send = asked._pulsePipelinedQueryQueue.bind(this)
    asked._pulsePipelinedQueryQueue = () => {
      const waiting = asked._queryQueue
      for (let before = -1; before !== waiting.length; ) {
        before = waiting.length
        const held = waiting.splice(this.#mayFollow(asked) ? 1 : 0)
        send()
        waiting.push(...held)
      }
    }
  }

  /** Whether the server that answers all before it also answers a statement sent now. */
  #mayFollow({ _sentQueryQueue, _activeQuery, readyForQuery }: Asked): boolean {
    const last = _sentQueryQueue.at(-1) ?? _activeQuery
    const status = this.getTransactionStatus()
    // Before its first answer there is no status, and nothing to wait for.
    if (!last && (readyForQuery || status === null)) return true
    return (status === 'T' || status === 'E') && !endsTransaction.test(last?.text ?? '')
  }
}

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
