import type pg from 'pg'
import type { Changes } from '../../vocabulary/audit.js'
import { endsSessions } from '../../vocabulary/auditActions.js'
import type { DomainEvent } from '../../vocabulary/events.js'
import { type Actor, demandAct, requireFresh } from '../../vocabulary/people/actor.js'
import { databaseAway, neverSent, OutcomeUnknown } from '../process/databaseErrors.js'
import { logSecurity } from '../process/log.js'
import { tracedQuery, withSpan } from '../process/tracing.js'
import { type Entry, recordStatements, type Traces } from './changeRecords.js'
import { builderOn, takeConnection } from './database.js'
import { prepared, retryOnce } from './prepared.js'
import { rowsByField } from './rowsByField.js'
import type { Statement } from './statement.js'

/** The interface an action gets while its transaction is open. */
export type Change = ReturnType<typeof changeOn>['change']

/** The request's Idempotency-Key was used before (decision 2.14), or the same form was sent. */
export class AlreadyDone extends Error {}

/** What a twin request has stored first fails one of these. */
const duplicateKeyConstraints = new Set<unknown>(['idempotency_keys_pkey', 'idempotency_keys_form'])

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
  const { work, result } = await inTransaction(actor, act, first)
  if (actor.past) return result
  afterCommit(work.assetsToRecheck, actor.requestId)
  if (!work.isUnchanged()) for (const entry of work.entries) logEnded(actor, entry)
  return result
}

/**
 * Runs `act` in a transaction and ends it. Nothing follows the release of its connection here,
 * because a rollback after it could be of someone else's transaction.
 */
async function inTransaction<T, R extends pg.QueryResultRow>(
  actor: Actor,
  act: (c: Change, rows: R[]) => Promise<T>,
  first: Statement | undefined,
): Promise<{ work: ReturnType<typeof changeOn>; result: T }> {
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
    return { work, result }
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
  if (rejected) rethrowOfCommit(rejected.reason)
}

/** Maps the error of a write. One that was sent but not answered may be stored: OutcomeUnknown. */
function rethrowOfCommit(error: unknown): never {
  if (duplicateKeyConstraints.has((error as { constraint?: unknown }).constraint)) throw new AlreadyDone()
  if (databaseAway(error) && !neverSent(error))
    throw new OutcomeUnknown('the commit was not answered', { cause: error })
  throw error
}

function changeOn(client: pg.PoolClient, actor: Actor, startedAt: Date) {
  let now = startedAt
  const entries: Entry[] = []
  const events: DomainEvent[] = []
  const byOthers = new Map<Actor, Traces>()
  const tracesOf = (by: Actor): Traces => {
    if (by === actor) return { entries, events }
    const traces = byOthers.get(by) ?? { entries: [], events: [] }
    byOthers.set(by, traces)
    return traces
  }
  const assetsToRecheck = new Set<number>()
  let unchanged = false
  let resultId: number | null = null
  const work = {
    /** For models: `Incident.query(c.trx)`. */
    trx: builderOn(client),
    /**
     * The moment of the change by the database's clock, which every timestamp of it uses: the start
     * of the transaction, or `moveNowTo`.
     */
    get now() {
      return now
    },
    /** Moves `now` on to this moment, after a wait for locks and before anything is written. */
    moveNowTo(moment: Date): void {
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
      tracesOf(by).entries.push({ action, entityId, changes })
    },
    /** Records an event, for emails, pushes and webhooks after the commit. `by`: as for `audit`. */
    emit(event: DomainEvent, by = actor): void {
      if (!actor.past) tracesOf(by).events.push(event)
    },
    /** The asset's live status may have changed: compared after the commit (decision 3.5). */
    recheckStatus(assetId: number | null): void {
      if (assetId !== null) assetsToRecheck.add(assetId)
    },
    /**
     * The id a replay of this Idempotency-Key answers with; default: the first audit entry's
     * entity.
     */
    resultId(id: number): void {
      resultId = id
    },
    /** Nothing needed writing: the transaction is rolled back and needs no audit entry. */
    noop(): void {
      unchanged = true
    },
  }
  const statements = (): Statement[] => {
    if (entries.length === 0) throw new Error('a change without an audit entry')
    const madeId = actor.idempotency ? (resultId ?? entries[0]!.entityId) : undefined
    const theirs = Array.from(byOthers, ([by, traces]) => recordStatements(traces, by, now))
    return theirs.flat().concat(recordStatements({ entries, events }, actor, now, madeId))
  }
  return { change: work, statements, entries, assetsToRecheck, isUnchanged: () => unchanged }
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
