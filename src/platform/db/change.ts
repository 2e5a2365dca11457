import type pg from 'pg'
import { affectsStatus, type Changes } from '../../vocabulary/audit.js'
import { endsSessions } from '../../vocabulary/auditActions.js'
import type { DomainEvent, EventName } from '../../vocabulary/events.js'
import { type Actor, demandAct, mayNeedFresh, requireFresh } from '../../vocabulary/people/actor.js'
import { databaseAway, neverSent, OutcomeUnknown } from '../process/databaseErrors.js'
import { logSecurity } from '../process/log.js'
import { tracedQuery, withSpan } from '../process/tracing.js'
import { builderOn, connection, prepared, query, retryOnce } from './database.js'
import { rowsByField } from './rowsByField.js'

/** SQL with its parameters. */
type Statement = { text: string; values: unknown[] }

/** Adds a parameter to the statement and returns its placeholder. */
export type Bind = (value: unknown) => string

/** Builds a statement; `write` gets the function that adds parameters. */
export function statement(write: (bind: Bind) => string): Statement {
  const values: unknown[] = []
  const text = write((value) => `$${values.push(value)}`)
  return { text, values }
}

/** `action` is `<entity>.<verb>`. */
type Entry = { action: string; entityId: number | null; changes: Changes }

/** Entries that one statement writes. */
const together = 500

const columns = `at, actor_type, actor_id, actor_name, action, entity, entity_id, changes, via, request_id, affects_status`
const entityOf = (action: string) => action.slice(0, action.lastIndexOf('.'))

const isSql = (changes: Changes | { sql: string }): changes is { sql: string } =>
  typeof changes.sql === 'string'

/** SQL: writes the entry of each row in `made` to the append-only log (decision 4.14). */
function insertEntryOf<T>({ action, changes, now }: OneStatement<T>, bind: Bind, actor: Actor): string {
  const entity = entityOf(action)
  return `
    insert into audit_entries (${columns})
    select ${now}, ${bind(actor.type)}, ${bind(actor.id)}::integer, ${bind(actor.name)}, ${bind(action)}, ${bind(entity)}, made.id,
      ${isSql(changes) ? changes.sql : `${bind(JSON.stringify(changes))}::jsonb`}, ${bind(actor.via)}, ${bind(actor.requestId ?? null)},
      ${bind(affectsStatus(entity, action, isSql(changes) ? {} : changes))}::boolean
    from made`
}

/**
 * Writes the entries of one change, in their order. A statement for each of ten thousand, as an
 * import has them, takes a busy machine longer than a query may.
 */
function insertEntries(entries: readonly Entry[], actor: Actor, now: Date): Statement[] {
  const rows = entries.map(({ action, entityId, changes }) => {
    const entity = entityOf(action)
    return { action, entity, id: entityId, changes, affects: affectsStatus(entity, action, changes) }
  })
  return Array.from({ length: Math.ceil(rows.length / together) }, (_, i) =>
    statement(
      (bind) => `
      insert into audit_entries (${columns})
      select ${bind(now)}::timestamptz, ${bind(actor.type)}, ${bind(actor.id)}::integer, ${bind(actor.name)}, r.action, r.entity, r.id, r.changes,
        ${bind(actor.via)}, ${bind(actor.requestId ?? null)}, r.affects
      from rows from (json_to_recordset(${bind(JSON.stringify(rows.slice(i * together, (i + 1) * together)))})
        as (action text, entity text, id integer, changes jsonb, affects boolean)) with ordinality as r (action, entity, id, changes, affects, n)
      order by r.n`,
    ),
  )
}

/** The owner of an Idempotency-Key (decision 6.13). */
const keyOwner = (actor: Actor) => `${actor.type}:${actor.id ?? actor.via}`

/** SQL: whether a row of `idempotency_keys` is still valid (decision 2.14). */
export const keyStillCounts = `created_at > now() - interval '24 hours'`

/** SQL: whether a row of `idempotency_keys` still asks before the same form is stored again. */
export const formStillCounts = `created_at > now() - interval '1 hour'`

/** SQL: deletes an expired row of this request's key, so that the key can be stored again. */
const forgetOldKey = (bind: Bind, actor: Actor) => `
  delete from idempotency_keys where ${keyIs(bind, actor)} and not (${keyStillCounts})`

/** SQL: forgets what another key's form said an hour ago, so that it can be stored again. */
const forgetOldForm = (bind: Bind, actor: Actor) => `
  update idempotency_keys set form = null
  where ${formIs(bind, actor)} and not (${keyIs(bind, actor)}) and not (${formStillCounts})`

/**
 * SQL: stores the id made under the key; `rest` follows the selected values. Fails on the primary
 * key when a twin request was first.
 */
const rememberKey = (bind: Bind, actor: Actor, id: string, rest = '') => `
  insert into idempotency_keys (caller, key, digest, form, made_id)
  select ${bind(keyOwner(actor))}, ${bind(actor.idempotency!.key)}, ${bind(actor.idempotency!.digest)},
    ${bind(actor.idempotency!.form ?? null)}::text, ${id} ${rest}`

/** SQL: the row of this request's key. */
export const keyIs = (bind: Bind, actor: Actor) =>
  `caller = ${bind(keyOwner(actor))} and key = ${bind(actor.idempotency!.key)}`

/** SQL: the row of the form that says the same. */
export const formIs = (bind: Bind, actor: Actor) =>
  `caller = ${bind(keyOwner(actor))} and form = ${bind(actor.idempotency!.form ?? null)}::text`

/** The interface an action gets while its transaction is open. */
export type Change = ReturnType<typeof changeOn>['change']

/** The request's Idempotency-Key was used before (decision 2.14), or the same form was sent. */
export class AlreadyDone extends Error {}

/** What a twin request has stored first fails one of these. */
const twins = new Set<unknown>(['idempotency_keys_pkey', 'idempotency_keys_form'])

/**
 * The only way to write: one transaction with its audit entries and events; delivery starts after
 * the commit. Throws what `act` throws, Forbidden, and when no audit entry was made; then nothing
 * is stored.
 */
export async function change<T>(actor: Actor, act: (c: Change) => Promise<T>): Promise<T> {
  return withSpan('change', () => retryOnce(() => changeOnce(actor, act)))
}

/**
 * A write as one statement (one round trip): `with made as (<make>), <also>, <audit, event, key>
 * <select>`. Nothing is written when `make` returns no row. `fact`, `details`, `now` and SQL
 * `changes` read columns of `made`.
 */
export type OneStatement<T> = {
  make: (bind: Bind) => string
  also: (bind: Bind) => Record<string, string>
  select: string
  action: string
  changes: Changes | { sql: string }
  event: EventName
  fact: string
  details?: string
  now: string
  /** As `recheckStatus` of Change, for each selected row. */
  recheckStatus: (row: T) => number | null
}

/** `change` as a single statement. Returns the selected rows; throws as `change` does. */
export async function changeInOneStatement<T extends pg.QueryResultRow>(
  actor: Actor,
  one: OneStatement<T>,
): Promise<T[]> {
  demandAct(actor, one.action, null)
  if (mayNeedFresh(one.action)) throw new Error(`${one.action} needs a change that can ask for a sign-in`)
  const { text, values } = statement((bind) => {
    const steps = Object.entries(stepsOf(actor, one, bind)).map(([name, sql]) => `${name} as (${sql})`)
    return `with ${steps.join(', ')} ${one.select}`
  })
  const rows = await query<T>(text, values).catch(failed)
  if (rows.length > 0) actor.onStored?.()
  const touched = new Set(rows.flatMap((row) => one.recheckStatus(row) ?? []))
  if (rows.length > 0 && !actor.past) afterCommit(touched, actor.requestId)
  return rows
}

function stepsOf<T>(actor: Actor, one: OneStatement<T>, bind: Bind): Record<string, string> {
  return {
    made: one.make(bind),
    ...one.also(bind),
    entry: insertEntryOf(one, bind, actor),
    ...(!actor.past && { event: insertEventOf(one, bind, actor) }),
    ...(actor.idempotency && {
      old_key: `${forgetOldKey(bind, actor)} returning 1`,
      old_form: `${forgetOldForm(bind, actor)} returning 1`,
      // Parts of a statement run in any order: counting what is forgotten makes this one the last.
      key: rememberKey(
        bind,
        actor,
        'made.id',
        'from made, (select count(*) from old_key) as forgotten, (select count(*) from old_form) as freed',
      ),
    }),
  }
}

const eventColumns =
  'event, incident_id, asset_id, fact, details, actor_id, in_bulk, occurred_at, created_at, request_id'

/** SQL: stores the event of each incident in `made`. */
function insertEventOf<T>({ event, fact, details, now }: OneStatement<T>, bind: Bind, actor: Actor): string {
  return `
    insert into events (${eventColumns})
    select '${event}', made.id, null, ${fact}, ${details ?? `'{}'::jsonb`}, ${bind(actor.id)}::integer,
      ${bind(actor.inBulk ?? false)}::boolean, ${now}, ${now}, ${bind(actor.requestId ?? null)}
    from made order by made.id`
}

/** Stores an event, which is handed on after the commit. */
function insertEvent(event: DomainEvent, actor: Actor, now: Date): Statement {
  const isAboutAsset = 'asset' in event
  const fact = isAboutAsset ? event.asset : event.incident
  return statement(
    (bind) => `
    insert into events (${eventColumns})
    values (${bind(event.event)}, ${bind(isAboutAsset ? null : fact.id)}, ${bind(isAboutAsset ? fact.id : null)},
      ${bind(JSON.stringify(fact))}, ${bind(JSON.stringify(event.details ?? {}))}, ${bind(actor.id)},
      ${bind(actor.inBulk ?? false)}, ${bind(event.occurredAt ?? now)}, ${bind(now)}, ${bind(actor.requestId ?? null)})`,
  )
}

/** What follows each commit: `assetIds` are those whose live status may be another one now. */
type AfterCommit = (assetIds: ReadonlySet<number>, requestId: string | undefined) => void

let afterCommit: AfterCommit = () => {}

/** Registers what follows each commit of this process, which must not throw. */
export function registerAfterCommit(act: AfterCommit): void {
  afterCommit = act
}

async function changeOnce<T>(actor: Actor, act: (c: Change) => Promise<T>): Promise<T> {
  const client = await connection()
  try {
    const now = await begin(client, actor)
    const work = changeOn(client, actor, actor.past ?? now)
    const result = await act(work.change)
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

async function begin(client: pg.PoolClient, { requestId = '' }: Actor): Promise<Date> {
  // Rows of the outbox get the id of the request behind them by a default of their column, which
  // reads this setting of the transaction. Ids of ours only, so that nothing is to be quoted.
  const naming = /^[\w-]{1,64}$/.test(requestId) ? `; set local caretaker.request_id = '${requestId}'` : ''
  const answers: unknown = await client.query(`begin; select now() as now${naming}`)
  return (answers as pg.QueryResult<{ now: Date }>[])[1]!.rows[0]!.now
}

/** Statements and commit are pipelined: audit entry and outbox rows cost no further round trip. */
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
  const entriesByOthers: { entry: Entry; by: Actor }[] = []
  const events: { event: DomainEvent; by: Actor }[] = []
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
      const entry = { action, entityId, changes }
      if (by === actor) entries.push(entry)
      else entriesByOthers.push({ entry, by })
    },
    /** Records an event, for emails, pushes and webhooks after the commit. `by`: as for `audit`. */
    emit(event: DomainEvent, by = actor): void {
      events.push({ event, by })
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
    return [
      ...entriesByOthers.flatMap(({ entry, by }) => insertEntries([entry], by, now)),
      ...insertEntries(entries, actor, now),
      ...(actor.past ? [] : events.map(({ event, by }) => insertEvent(event, by, now))),
      ...(actor.idempotency
        ? [
            statement((bind) => forgetOldKey(bind, actor)),
            statement((bind) => forgetOldForm(bind, actor)),
            statement((bind) => rememberKey(bind, actor, `${bind(made ?? entries[0]!.entityId)}::integer`)),
          ]
        : []),
    ]
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
