import type { Query } from '../../../src/platform/db/database.js'
import { type Operation, outcomeOf } from '../history.js'
import { grouped } from './grouped.js'

type Stored = { marker: string; id: number; entries: number; photos: number }

/**
 * SQL: what operations stored, by its marker; of an update and a cost the entries of the very
 * transaction.
 */
const storedSql = `
  with reported as (
    select transaction_id::text::bigint & 4294967295 as xid, action,
      coalesce(changes -> 'title' ->> 'after', changes -> 'note' ->> 'after', changes -> 'statusReason' ->> 'after',
        changes -> 'address' ->> 'after') as marker, entity_id as id
    from audit_entries
    where action <> 'asset.status_changed'
      and at >= (select coalesce(min(created_at), '-infinity') from webhook_subscriptions)
  ), of_words as (
    select marker, id, count(*) as n from reported where marker like 'Fault %' group by 1, 2
  ), of_transaction as (
    select xid, count(*) as n from reported group by 1
  )
  select i.title as marker, i.id, coalesce(w.n, 0)::integer as entries,
    (select count(*)::integer from photos p where p.incident_id = i.id and p.update_id is null) as photos
  from incidents i left join of_words w on w.marker = i.title and w.id = i.id where i.title like 'Fault %'
  union all
  select u.body, u.id, coalesce(t.n, 0)::integer, (select count(*)::integer from photos p where p.update_id = u.id)
  from incident_updates u left join of_transaction t on t.xid = u.xmin::text::bigint where u.body like 'Fault %'
  union all
  select c.note, c.id, coalesce(t.n, 0)::integer, 0
  from repair_costs c left join of_transaction t on t.xid = c.xmin::text::bigint where c.note like 'Fault %'
  union all
  select m.title, m.id, coalesce(w.n, 0)::integer, 0
  from maintenance_windows m left join of_words w on w.marker = m.title and w.id = m.id where m.title like 'Fault %'
  union all
  select marker, id, n::integer, 0 from reported join of_words using (marker, id)
  where action in ('incident.edited', 'property.updated')`

/** Acts that may find nothing to do, and then leave no entry. */
const mayBeIdle = new Set(['follow', 'sweep'])

/** Each operation against what is there of it: wholly, once, or not at all, as it was answered. */
export async function storedFaults(query: Query, operations: readonly Operation[]): Promise<string[]> {
  const byMarker = grouped(await query<Stored>(storedSql), ({ marker }) => marker)
  const entries = await entriesByRequest(query, operations)
  return operations.flatMap((operation) => {
    const { marker, attempts } = operation
    const rows = marker === null ? null : (byMarker.get(marker) ?? [])
    const faults = rows ? faultsOf(operation, rows) : []
    const [only, ...others] = attempts
    if (only?.requestId && others.length === 0) {
      const n = entries.get(only.requestId) ?? 0
      const expected = only.outcome === 'acknowledged' ? 1 : 0
      const isIdle = n === 0 && mayBeIdle.has(operation.act)
      if (only.outcome !== 'unknown' && operation.act !== 'sweep' && n !== expected && !isIdle)
        faults.push(`${only.outcome}, with ${n} audit entries`)
    }
    return faults.map((fault) => `operation ${operation.op} (${operation.act} ${marker ?? ''}): ${fault}`)
  })
}

function faultsOf(operation: Operation, rows: readonly Stored[]): string[] {
  const outcome = outcomeOf(operation)
  if (rows.length === 0) return outcome === 'acknowledged' ? ['acknowledged, but not there'] : []
  const faults: string[] = []
  if (outcome === 'refused') faults.push(`refused (${codesOf(operation)}), but stored`)
  if (rows.length > 1) faults.push(`stored ${rows.length} times`)
  for (const { entries, photos } of rows) {
    if (entries !== 1) faults.push(`stored with ${entries} audit entries`)
    if (photos !== operation.photos) faults.push(`stored with ${photos} of ${operation.photos} photos`)
  }
  const createdIds = new Set(operation.attempts.flatMap(({ made }) => made ?? []))
  if (operation.key !== null && createdIds.size > 1)
    faults.push(`one key made ${[...createdIds].join(' and ')}`)
  return faults
}

const codesOf = ({ attempts }: Operation) =>
  attempts.map(({ status, code }) => `${status} ${code}`).join(', ')

async function entriesByRequest(
  query: Query,
  operations: readonly Operation[],
): Promise<Map<string, number>> {
  const ids = operations.flatMap(({ attempts }) => attempts.flatMap(({ requestId }) => requestId ?? []))
  const rows = await query<{ id: string; n: number }>(
    `select request_id as id, count(*)::integer as n from audit_entries
     where request_id = any ($1) and action <> 'asset.status_changed' group by 1`,
    [ids],
  )
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/**
 * Codes that no write of a run may get: everyone who writes has the permission, and no one repeats
 * a key with another text.
 */
const undeservedCodes = new Set(['unauthenticated', 'forbidden', 'idempotency_reused', 'other_author'])

/** Answers that no fault excuses: the program says 503 while a part is away. */
export function answerFaults(operations: readonly Operation[]): string[] {
  return operations.flatMap(({ op, act, attempts }) =>
    attempts.flatMap(({ status, code }) =>
      status !== null && ((status >= 500 && status !== 503) || undeservedCodes.has(code ?? ''))
        ? [`operation ${op} (${act}): answered ${status} ${code}`]
        : [],
    ),
  )
}
