import type pg from 'pg'
import { builderOn, connection, type Knex, prepared, preparedIsLost, query } from './database.js'
import { databaseAway, nativeError, neverSent, OutcomeUnknown } from './databaseErrors.js'
import type { Actor } from './domain/accounts/actor.js'
import { demandAct } from './domain/accounts/authority.js'
import { mayNeedFresh, requireFresh } from './domain/accounts/freshness.js'
import { type Changes, endsSessions } from './domain/audit/audit.js'
import type { EventName, Happening } from './domain/webhooks/events.js'
import { auditEntry } from './effects/audit.js'
import { effects } from './effects/index.js'
import { type Bind, known, type Statement, statement } from './effects/statement.js'
import { logSecurity } from './log/security.js'
import { poke } from './outbox.js'

export { type Bind, statement } from './effects/statement.js'

/** What an action works with while its transaction is open. */
export type Change = {
  /** For models: `Incident.query(c.trx)`. */
  trx: Knex
  /** The transaction's start by the database's clock: every stamp of the change. */
  now: Date
  actor: Actor
  /** Runs SQL of ours in the transaction and returns its rows. */
  query<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>
  /**
   * Records the act. `action` is `<entity>.<verb>`; at least one entry per change (spec §1). Throws Forbidden, and
   * SignInAgain for what needs a sign-in of the last ten minutes (decision 7.12).
   */
  audit(action: string, entityId: number | null, changes?: Changes): void
  /** Says what happened; effects turn it into outbox rows in this transaction. */
  emit(happening: Happening): void
  /** The asset's live status may differ after this; it is compared and announced after the commit (decision 3.5). */
  touch(assetId: number | null): void
  /** What a repetition of this request is answered with; the first entry's entity when not said. */
  made(id: number): void
  /** Nothing needed writing: the transaction is taken back, and no entry is due. */
  unchanged(): void
}

/** The Idempotency-Key of this request has been used already (decision 2.14). */
export class AlreadyDone extends Error {}

/**
 * The only door for writes: one transaction, its audit entries, its outbox rows. Throws what `act` throws, with
 * nothing stored; throws when `act` wrote without an audit entry, and Forbidden when it did what is not its actor's to do.
 * Deliveries start after the commit and are not awaited.
 */
export async function change<T>(actor: Actor, act: (c: Change) => Promise<T>): Promise<T> {
  const attempt = () => changeOnce(actor, act)
  return attempt().catch((error: unknown) => (worthAnotherTry(error) ? attempt() : Promise.reject(error)))
}

/** Nothing was stored, and the reason is gone by now: a prepared statement was lost, or two changes met in a deadlock. */
function worthAnotherTry(error: unknown): boolean {
  return preparedIsLost(error) || (nativeError(error) as { code?: unknown }).code === '40P01'
}

/**
 * A change that one statement can make. `rows` is SQL that makes or changes rows and returns them, known as `made` to
 * the others; `fact`, `details` and, as SQL, `changes` are expressions over one of them.
 */
export type OneStatement = {
  rows: (bind: Bind) => string
  /** Further INSERTs over `made`. */
  also?: ((bind: Bind) => string)[]
  action: string
  changes: Changes | { sql: string }
  event: EventName
  fact: string
  details?: string
  now: string
  select: string
}

/**
 * The same door for writes of many rows, and for the one people wait for most: the rows, their audit entries and their
 * outbox rows in a single statement, which is a transaction by itself and costs one round trip. Returns what is selected.
 */
export async function changeInOneStatement<T extends pg.QueryResultRow>(
  actor: Actor,
  one: OneStatement,
): Promise<T[]> {
  demandAct(actor, one.action, null)
  const subject = {
    from: 'made',
    id: 'made.id',
    fact: one.fact,
    details: one.details ?? `'{}'::jsonb`,
    now: one.now,
  }
  if (mayNeedFresh(one.action)) throw new Error(`${one.action} needs a change that can ask for a sign-in`)
  const { text, values } = statement((bind) => {
    const made = one.rows(bind)
    const parts = [auditEntry(one), ...effects[one.event]].map((part) => part(bind, subject, actor))
    const others = [...(one.also ?? []).map((sql) => sql(bind)), ...parts].map(
      (sql, i) => `, other${i} as (${sql})`,
    )
    return `with made as (${made})${others.join('')} ${one.select}`
  })
  const rows = await query<T & { assetId?: number | null }>(text, values).catch(unlessUnknown)
  if (rows.length > 0) poke(new Set(rows.flatMap(({ assetId }) => assetId ?? [])))
  return rows
}

async function changeOnce<T>(actor: Actor, act: (c: Change) => Promise<T>): Promise<T> {
  const client = await connection()
  try {
    const now = await begin(client)
    const work = changeOn(client, actor, actor.past ?? now)
    const result = await act(work.change)
    if (work.isUnchanged()) await client.query('rollback')
    else await commit(client, work.statements())
    client.release()
    if (actor.past) return result
    poke(work.touched)
    if (!work.isUnchanged()) for (const entry of work.entries) logEnded(actor, entry)
    return result
  } catch (error) {
    await abandon(client)
    throw error
  }
}

async function begin(client: pg.PoolClient): Promise<Date> {
  const results = (await client.query('begin; select now() as now')) as unknown as pg.QueryResult<{
    now: Date
  }>[]
  return results[1]!.rows[0]!.now
}

/** Sent in one go, answered in one go: the audit entry and the outbox cost the caller no further round trip. */
async function commit(client: pg.PoolClient, statements: Statement[]): Promise<void> {
  const answers = await Promise.allSettled([
    ...statements.map(({ text, values }) => client.query(prepared(text, values))),
    client.query('commit'),
  ])
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (!failed) return
  if (failed.reason?.constraint === 'idempotency_keys_pkey') throw new AlreadyDone()
  unlessUnknown(failed.reason)
}

/** A write that was sent and not answered may have happened or not; anything else is what it says. */
function unlessUnknown(error: unknown): never {
  if (databaseAway(error) && !neverSent(error))
    throw new OutcomeUnknown('the commit was not answered', { cause: error })
  throw error
}

async function abandon(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch (error) {
    client.release(error as Error)
  }
}

type Entry = { action: string; entityId: number | null; changes: Changes }

function changeOn(client: pg.PoolClient, actor: Actor, now: Date) {
  const entries: Entry[] = []
  const happenings: Happening[] = []
  const touched = new Set<number>()
  let unchanged = false
  let made: number | null = null
  const work: Change = {
    trx: builderOn(client),
    now,
    actor,
    query: async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await client.query<R>(prepared(text, values))).rows,
    audit: (action, entityId, changes = {}) => {
      demandAct(actor, action, entityId)
      requireFresh(actor, action, changes, now)
      entries.push({ action, entityId, changes })
    },
    emit: (happening) => void happenings.push(happening),
    touch: (assetId) => void (assetId !== null && touched.add(assetId)),
    made: (id) => {
      made = id
    },
    unchanged: () => {
      unchanged = true
    },
  }
  const statements = (): Statement[] => {
    if (entries.length === 0) throw new Error('a change without an audit entry')
    return [
      ...entries.map((entry) => entryStatement(actor, now, entry)),
      ...(actor.past ? [] : happenings.flatMap((happening) => effectStatements(actor, happening, now))),
      ...(actor.idempotency ? keyStatements(actor, actor.idempotency, made ?? entries[0]!.entityId) : []),
    ]
  }
  return { change: work, statements, entries, touched, isUnchanged: () => unchanged }
}

/** Every act that ends sessions goes through here, so here the log is told of it. */
function logEnded({ id, name, via, requestId, client }: Actor, { action, entityId, changes }: Entry): void {
  if (endsSessions(action, changes))
    logSecurity('session.ended', {
      action,
      ofUser: entityId,
      userId: id,
      as: id === null ? name : undefined,
      via,
      requestId,
      client,
    })
}

function entryStatement(actor: Actor, now: Date, entry: Entry): Statement {
  return statement((bind) =>
    auditEntry(entry)(bind, known(bind, { id: entry.entityId, fact: null, now }), actor),
  )
}

function effectStatements(actor: Actor, happening: Happening, now: Date): Statement[] {
  const fact = 'asset' in happening ? happening.asset : happening.incident
  const { details } = happening
  return effects[happening.event].map((part) =>
    statement((bind) => part(bind, known(bind, { id: fact.id, fact, details, now }), actor)),
  )
}

/** Who an Idempotency-Key belongs to (decision 6.13). */
export const keyOwner = (actor: Actor) => `${actor.type}:${actor.id ?? actor.via}`

/** Remembers what the key made, in the place of what an older use of it made more than a day ago (decision 2.14). */
function keyStatements(
  actor: Actor,
  { key, digest }: { key: string; digest: string },
  madeId: number | null,
): Statement[] {
  const owner = keyOwner(actor)
  return [
    {
      text: `delete from idempotency_keys where caller = $1 and key = $2 and created_at <= now() - interval '24 hours'`,
      values: [owner, key],
    },
    {
      text: 'insert into idempotency_keys (caller, key, digest, made_id) values ($1, $2, $3, $4)',
      values: [owner, key, digest, madeId],
    },
  ]
}
