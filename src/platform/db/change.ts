import type pg from 'pg'
import { affectsStatus, type Changes } from '../../vocabulary/audit.js'
import { endsSessions } from '../../vocabulary/auditActions.js'
import type { DomainEvent } from '../../vocabulary/events.js'
import { type Actor, demandAct, requireFresh } from '../../vocabulary/people/actor.js'
import { databaseAway, neverSent, OutcomeUnknown } from '../process/databaseErrors.js'
import { logSecurity } from '../process/log.js'
import { tracedQuery, withSpan } from '../process/tracing.js'
import { builderOn } from './database.js'
import { takeConnection } from './database.js'
import { prepared, retryOnce } from './prepared.js'
import { rowsByField } from './rowsByField.js'
import { type Bind, type Statement, statement } from './statement.js'

/** `action` is `<entity>.<verb>`. */
type Entry = { action: string; entityId: number | null; changes: Changes }

/** Entries, and events, that one statement writes. */
const together = 500

const entityOf = (action: string) => action.slice(0, action.lastIndexOf('.'))

/**
 * SQL: writes entries to the append-only log, in their order (decision 4.14). They are one
 * parameter, because ten thousand statements, one for each row of an import, would take a busy
 * machine longer than a query may.
 */
function insertEntries(bind: Bind, entries: readonly Entry[], actor: Actor, now: Date): string {
  const rows = entries.map(({ action, entityId, changes }) => {
    const entity = entityOf(action)
    return { action, entity, entityId, changes, affectsStatus: affectsStatus(entity, action, changes) }
  })
  return `
    insert into audit_entries (
      at, actor_type, actor_id, actor_name, action, entity, entity_id, changes, via, request_id, affects_status
    )
    select ${bind(now)}::timestamptz, ${bind(actor.type)}, ${bind(actor.id)}::integer, ${bind(actor.name)},
      r.action, r.entity, r."entityId", r.changes, ${bind(actor.via)}, ${bind(actor.requestId ?? null)}, r."affectsStatus"
    from rows from (json_to_recordset(${bind(JSON.stringify(rows))})
      as (action text, entity text, "entityId" integer, changes jsonb, "affectsStatus" boolean))
      with ordinality as r (action, entity, "entityId", changes, "affectsStatus", place)
    order by r.place`
}

/** SQL: stores events in their order, which are handed on after the commit. */
function insertEvents(bind: Bind, events: readonly DomainEvent[], actor: Actor, now: Date): string {
  const rows = events.map((each) => {
    const about = 'asset' in each ? { assetId: each.asset.id } : { incidentId: each.incident.id }
    const fact = 'asset' in each ? each.asset : each.incident
    const { event, details = {}, occurredAt = now } = each
    return { event, ...about, fact, details, occurredAt }
  })
  return `
    insert into events (
      event, incident_id, asset_id, fact, details, actor_id, in_bulk, occurred_at, created_at, request_id
    )
    select r.event, r."incidentId", r."assetId", r.fact, r.details, ${bind(actor.id)}::integer,
      ${bind(actor.inBulk ?? false)}::boolean, r."occurredAt", ${bind(now)}::timestamptz, ${bind(actor.requestId ?? null)}
    from rows from (json_to_recordset(${bind(JSON.stringify(rows))})
      as (event text, "incidentId" integer, "assetId" integer, fact json, details jsonb, "occurredAt" timestamptz))
      with ordinality as r (event, "incidentId", "assetId", fact, details, "occurredAt", place)
    order by r.place`
}

/** The owner of an Idempotency-Key (decision 6.13). */
export const keyOwner = (actor: Actor) => `${actor.type}:${actor.id ?? actor.via}`

/** SQL: whether a row of `idempotency_keys` is still valid (decision 2.14). */
const keyStillCounts = `created_at > now() - interval '24 hours'`

/** SQL: whether a row of `idempotency_keys` still asks before the same form is stored again. */
const formStillCounts = `created_at > now() - interval '1 hour'`

/**
 * SQL, as parts of one statement: stores the id made under this request's key. An expired row of
 * the key, and what another key's form said an hour ago, are forgotten first, so that they can be
 * stored again. Fails on the primary key when a twin request was first.
 */
const keySteps = (bind: Bind, actor: Actor, madeId: number | null): Record<string, string> => ({
  old_key: `
    delete from idempotency_keys where ${keyIs(bind, actor)} and not (${keyStillCounts}) returning 1`,
  old_form: `
    update idempotency_keys set form = null
    where ${formIs(bind, actor)} and not (${keyIs(bind, actor)}) and not (${formStillCounts}) returning 1`,
  // Parts of a statement run in any order: counting what is forgotten makes this one the last.
  key: `
    insert into idempotency_keys (caller, key, digest, form, made_id)
    select ${bind(keyOwner(actor))}, ${bind(actor.idempotency!.key)}, ${bind(actor.idempotency!.digest)},
      ${bind(actor.idempotency!.form ?? null)}::text, ${bind(madeId)}::integer
    from (select count(*) from old_key) as forgotten, (select count(*) from old_form) as freed`,
})

/** SQL: the row of this request's key. */
const keyIs = (bind: Bind, actor: Actor) =>
  `caller = ${bind(keyOwner(actor))} and key = ${bind(actor.idempotency!.key)}`

/** SQL: the row of the form that says the same. */
const formIs = (bind: Bind, actor: Actor) =>
  `caller = ${bind(keyOwner(actor))} and form = ${bind(actor.idempotency!.form ?? null)}::text`

/** What one actor's part of a change leaves behind: its audit entries and its events. */
type Records = { entries: Entry[]; events: DomainEvent[] }

/**
 * The statements that leave the records of one actor, each with at most `together` of a kind.
 * `madeId`: what the request's key is stored with, if it has one.
 */
function recordStatements(
  { entries, events }: Records,
  actor: Actor,
  now: Date,
  madeId?: number | null,
): Statement[] {
  const count = Math.max(1, Math.ceil(Math.max(entries.length, events.length) / together))
  return Array.from({ length: count }, (_, i) => {
    const some = {
      entries: entries.slice(i * together, (i + 1) * together),
      events: events.slice(i * together, (i + 1) * together),
    }
    return recordStatement(some, actor, now, i === 0 ? madeId : undefined)
  })
}

function recordStatement(
  { entries, events }: Records,
  actor: Actor,
  now: Date,
  madeId?: number | null,
): Statement {
  return statement((bind) => {
    const steps: Record<string, string> = {
      ...(entries.length > 0 && { entry: insertEntries(bind, entries, actor, now) }),
      ...(events.length > 0 && { event: insertEvents(bind, events, actor, now) }),
      ...(madeId !== undefined && keySteps(bind, actor, madeId)),
    }
    const parts = Object.entries(steps).map(([name, sql]) => `${name} as (${sql})`)
    return `with ${parts.join(', ')} select`
  })
}

/** The interface an action gets while its transaction is open. */
export type Change = ReturnType<typeof changeOn>['change']

/** The request's Idempotency-Key was used before (decision 2.14), or the same form was sent. */
export class AlreadyDone extends Error {}

/** What a twin request has stored first fails one of these. */
const twins = new Set<unknown>(['idempotency_keys_pkey', 'idempotency_keys_form'])

/**
 * The only way to write: one transaction with its audit entries and events; delivery starts after
 * the commit. `first`: a statement that is sent with the start of the transaction, for one round
 * trip less; `act` gets its rows. It writes nothing unless `in_change()`, because it is sent before
 * the start is answered. Throws what `act` throws, Forbidden, and when no audit entry was made;
 * then nothing is stored.
 */
export async function change<T, R extends pg.QueryResultRow = never>(
  actor: Actor,
  act: (c: Change, rows: R[]) => Promise<T>,
  first?: Statement,
): Promise<T> {
  return withSpan('change', () => retryOnce(() => changeOnce(actor, act, first)))
}

/** What follows each commit: `assetIds` are those whose live status may be another one now. */
type AfterCommit = (assetIds: ReadonlySet<number>, requestId: string | undefined) => void

let afterCommit: AfterCommit = () => {}

/** Registers what follows each commit of this process, which must not throw. */
export function registerAfterCommit(act: AfterCommit): void {
  afterCommit = act
}

async function changeOnce<T, R extends pg.QueryResultRow>(
  actor: Actor,
  act: (c: Change, rows: R[]) => Promise<T>,
  first: Statement | undefined,
): Promise<T> {
  const client = await takeConnection()
  try {
    const { now, rows } = await begin<R>(client, actor, first)
    const work = changeOn(client, actor, actor.past ?? now)
    const result = await act(work.change, rows)
    if (work.isUnchanged()) await client.query('rollback')
    else {
      await withSpan('commit', () => commit(client, work.statements()))
      actor.onStored?.()
    }
    client.release()
    if (actor.past) return result
    afterCommit(work.touched, actor.requestId)
    if (!work.isUnchanged()) for (const entry of work.entries) logEnded(actor, entry)
    return result
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (failure: Error) => client.release(failure),
    )
    throw error
  }
}

/** Starts the transaction. `now` is its start by the database's clock, in whole milliseconds. */
async function begin<R extends pg.QueryResultRow>(
  client: pg.PoolClient,
  { requestId = '' }: Actor,
  first: Statement | undefined,
): Promise<{ now: Date; rows: R[] }> {
  // Rows of the outbox get the id of the request behind them by a default of their column, which
  // reads this setting of the transaction. Ids of ours only, so that nothing is to be quoted.
  const naming = /^[\w-]{1,64}$/.test(requestId) ? `; set local caretaker.request_id = '${requestId}'` : ''
  const [begun, answer] = await Promise.allSettled([
    client.query(`begin; select now() as now; set local caretaker.change = 'on'${naming}`),
    first && rowsByField<R>(client, prepared(first.text, first.values)),
  ])
  if (begun.status === 'rejected') throw begun.reason
  if (answer.status === 'rejected') throw answer.reason
  const [, read] = begun.value as unknown as pg.QueryResult<{ now: Date }>[]
  return { now: read!.rows[0]!.now, rows: answer.value ?? [] }
}

/**
 * Statements and commit are pipelined: audit entry and outbox rows cost no further round trip.
 *
 * Nothing may follow an unanswered commit, here or anywhere: once a pooler has seen its answer, it
 * lends the server on, and PgBouncer (1.18 of Debian 12) then gives the answer to what followed to
 * whoever comes next. So what is sent without waiting is sent inside a transaction, and its end is
 * the last of it.
 */
async function commit(client: pg.PoolClient, statements: Statement[]): Promise<void> {
  const answers = await Promise.allSettled([
    ...statements.map(({ text, values }) => client.query(prepared(text, values))),
    client.query('commit'),
  ])
  const rejected = answers.find((answer) => answer.status === 'rejected')
  if (rejected) failed(rejected.reason)
}

/** Maps the error of a write. One that was sent but not answered may be stored: OutcomeUnknown. */
function failed(error: unknown): never {
  if (twins.has((error as { constraint?: unknown }).constraint)) throw new AlreadyDone()
  if (databaseAway(error) && !neverSent(error))
    throw new OutcomeUnknown('the commit was not answered', { cause: error })
  throw error
}

function changeOn(client: pg.PoolClient, actor: Actor, begun: Date) {
  let now = begun
  const entries: Entry[] = []
  const events: DomainEvent[] = []
  const byOthers = new Map<Actor, Records>()
  const recordsOf = (by: Actor): Records => {
    if (by === actor) return { entries, events }
    const records = byOthers.get(by) ?? { entries: [], events: [] }
    byOthers.set(by, records)
    return records
  }
  const touched = new Set<number>()
  let unchanged = false
  let made: number | null = null
  const work = {
    /** For models: `Incident.query(c.trx)`. */
    trx: builderOn(client),
    /**
     * The moment of the change by the database's clock, which every timestamp of it uses: the start
     * of the transaction, or `comeAfter`.
     */
    get now() {
      return now
    },
    /** Moves `now` on to this moment, after a wait for locks and before anything is written. */
    comeAfter(moment: Date): void {
      if (moment > now) now = moment
    },
    actor,
    /** Runs SQL in the transaction and returns its rows, with the fields of their columns. */
    async query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
      return tracedQuery(text, () => rowsByField<T>(client, prepared(text, values)))
    },
    /**
     * Records the act `<entity>.<verb>`, at least one per change (spec §1); `by`: another actor, in
     * this transaction. Throws Forbidden, or SignInAgain for acts that need a sign-in within the
     * last ten minutes (decision 7.12).
     */
    audit(action: string, entityId: number | null, changes: Changes = {}, by = actor): void {
      demandAct(by, action, entityId)
      requireFresh(by, action, changes, now)
      recordsOf(by).entries.push({ action, entityId, changes })
    },
    /** Records an event, for emails, pushes and webhooks after the commit. `by`: as for `audit`. */
    emit(event: DomainEvent, by = actor): void {
      if (!actor.past) recordsOf(by).events.push(event)
    },
    /** The asset's live status may have changed: compared after the commit (decision 3.5). */
    recheckStatus(assetId: number | null): void {
      if (assetId !== null) touched.add(assetId)
    },
    /**
     * The id a replay of this Idempotency-Key answers with; default: the first audit entry's
     * entity.
     */
    resultId(id: number): void {
      made = id
    },
    /** Nothing needed writing: the transaction is rolled back and needs no audit entry. */
    noop(): void {
      unchanged = true
    },
  }
  const statements = (): Statement[] => {
    if (entries.length === 0) throw new Error('a change without an audit entry')
    const madeId = actor.idempotency ? (made ?? entries[0]!.entityId) : undefined
    const theirs = Array.from(byOthers, ([by, records]) => recordStatements(records, by, now))
    return theirs.flat().concat(recordStatements({ entries, events }, actor, now, madeId))
  }
  return { change: work, statements, entries, touched, isUnchanged: () => unchanged }
}

/** Every act that ends sessions passes here, so the security log gets a line for each. */
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
