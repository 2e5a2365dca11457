import type pg from 'pg'
import { builderOn, connection, type Knex, prepared, preparedIsLost, query } from './database.js'
import type { Actor } from './domain/actor.js'
import type { Changes } from './domain/audit.js'
import type { EventName, Happening } from './domain/events.js'
import { databaseAway, neverSent, OutcomeUnknown } from './domain/unavailable.js'
import { auditEntry } from './effects/audit.js'
import { effects } from './effects/index.js'
import { type Bind, known, type Statement, statement } from './effects/statement.js'
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
  /** Records the act. `action` is `<entity>.<verb>`; at least one entry per change (spec §1). */
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
 * nothing stored; throws when `act` wrote without an audit entry. Deliveries start after the commit and are not awaited.
 */
export async function change<T>(actor: Actor, act: (c: Change) => Promise<T>): Promise<T> {
  const attempt = () => changeOnce(actor, act)
  return attempt().catch((error: unknown) => (preparedIsLost(error) ? attempt() : Promise.reject(error)))
}

/** A change that is one INSERT: `insert` makes one row, `id` and `fact` are expressions over it. */
export type OneInsert = {
  action: string
  changes: Changes
  event: EventName
  /** The INSERT with `returning *`; its row is known as `made` to the others. */
  insert: (bind: Bind) => string
  /** Further INSERTs over `made`. */
  also: string[]
  fact: string
  select: string
  touch: number | null
}

/**
 * The same door for the write people wait for most: the row, its audit entry and its outbox rows in a single statement,
 * which is a transaction by itself and costs one round trip. Returns the selected rows; none when nothing was inserted.
 */
export async function changeByOneInsert<T extends pg.QueryResultRow>(
  actor: Actor,
  one: OneInsert,
): Promise<T[]> {
  const subject = {
    from: 'made',
    id: 'made.id',
    fact: one.fact,
    details: `'{}'::jsonb`,
    now: 'made.created_at',
  }
  const { text, values } = statement((bind) => {
    const made = one.insert(bind)
    const parts = [auditEntry(one), ...effects[one.event]].map((part) => part(bind, subject, actor))
    const others = [...one.also, ...parts].map((sql, i) => `, other${i} as (${sql})`)
    return `with made as (${made})${others.join('')} ${one.select}`
  })
  const rows = await query<T>(text, values).catch(unlessUnknown)
  if (rows.length > 0) poke(new Set(one.touch === null ? [] : [one.touch]))
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
    if (!actor.past) poke(work.touched)
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
    audit: (action, entityId, changes = {}) => void entries.push({ action, entityId, changes }),
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
  return { change: work, statements, touched, isUnchanged: () => unchanged }
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
