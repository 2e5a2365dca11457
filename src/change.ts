import type pg from 'pg'
import { builderOn, connection, type Knex } from './database.js'
import type { Actor } from './domain/actor.js'
import { affectsStatus, type Changes } from './domain/audit.js'
import type { Happening } from './domain/events.js'
import { databaseAway, OutcomeUnknown } from './domain/unavailable.js'
import { statementsFor } from './effects/index.js'
import type { Statement } from './effects/statement.js'
import { poke } from './outbox.js'

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

/** The Idempotency-Key of this request has been used: `entityId` is what it made (decision 2.14). */
export class AlreadyDone extends Error {}

/**
 * The only door for writes: one transaction, its audit entries, its outbox rows. Throws what `act` throws, with
 * nothing stored; throws when `act` wrote without an audit entry. Deliveries start after the commit and are not awaited.
 */
export async function change<T>(actor: Actor, act: (c: Change) => Promise<T>): Promise<T> {
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
    ...statements.map(({ text, values }) => client.query(text, values)),
    client.query('commit'),
  ])
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (!failed) return
  if (databaseAway(failed.reason))
    throw new OutcomeUnknown('the commit was not answered', { cause: failed.reason })
  if (failed.reason?.constraint === 'idempotency_keys_pkey') throw new AlreadyDone()
  throw failed.reason
}

async function abandon(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch (error) {
    client.release(error as Error)
  }
}

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
      (await client.query<R>(text, values)).rows,
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
      ...entries.map((entry) => auditStatement(actor, now, entry)),
      ...(actor.past ? [] : happenings.flatMap((happening) => statementsFor(happening, actor, now))),
      ...(actor.idempotency
        ? idempotencyStatements(actor, actor.idempotency, made ?? entries[0]!.entityId)
        : []),
    ]
  }
  return { change: work, statements, touched, isUnchanged: () => unchanged }
}

type Entry = { action: string; entityId: number | null; changes: Changes }

const entityOf = (action: string) => action.slice(0, action.lastIndexOf('.'))

function auditStatement(actor: Actor, now: Date, { action, entityId, changes }: Entry): Statement {
  const entity = entityOf(action)
  return {
    text: `insert into audit_entries
      (at, actor_type, actor_id, actor_name, action, entity, entity_id, changes, via, request_id, affects_status)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      now,
      actor.type,
      actor.id,
      actor.name,
      action,
      entity,
      entityId,
      JSON.stringify(changes),
      actor.via,
      actor.requestId ?? null,
      affectsStatus(entity, action),
    ],
  }
}

/** Who an Idempotency-Key belongs to (decision 6.13). */
export const keyOwner = (actor: Actor) => `${actor.type}:${actor.id ?? actor.via}`

/** Remembers what the key made, in the place of what an older use of it made more than a day ago (decision 2.14). */
function idempotencyStatements(
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
