import type { Query } from '../../../src/platform/db/database.js'
import type { Operation } from '../history.js'
import { grouped } from './grouped.js'

/**
 * SQL: entries of a timeline that are older than the one before them, and changes of status that do
 * not begin where the last ended.
 */
const orderSql = `
  select format('INC-%s: entry %s of the timeline is older than the one before it', incident_id, id) as fault from (
    select incident_id, id, created_at < lag(created_at) over (partition by incident_id order by id) as wrong
    from incident_updates) entries where wrong
  union all
  select format('INC-%s: was %s, then changed from %s', entity_id, last, before) from (
    select entity_id, changes -> 'status' ->> 'before' as before,
      lag(changes -> 'status' ->> 'after') over (partition by entity_id order by id) as last
    from audit_entries where entity = 'incident' and changes ? 'status') chain
  where before is distinct from last and last is not null
  union all
  select format('INC-%s is %s, its last change says %s', i.id, i.status, newest.after)
  from incidents i cross join lateral (
    select changes -> 'status' ->> 'after' as after from audit_entries
    where entity = 'incident' and entity_id = i.id and changes ? 'status' order by id desc limit 1) newest
  where i.title like 'Fault%' and i.status <> newest.after
  union all
  select format('INC-%s: entry %s says %s, the audit log says %s', u.incident_id, u.id, u.new_status,
    a.changes -> 'status' ->> 'after')
  from incident_updates u join incidents i on i.id = u.incident_id and i.title like 'Fault%'
  join audit_entries a on (a.transaction_id::text::bigint & 4294967295) = u.xmin::text::bigint and a.entity = 'incident'
    and a.entity_id = u.incident_id
  where u.new_status is distinct from
    (case when a.action <> 'incident.merged' then a.changes -> 'status' ->> 'after' end)`

/**
 * Whether each incident has one order: its own stamps, its entries in the log, and what clients saw
 * one after the other.
 */
export async function timelineFaults(query: Query, operations: readonly Operation[]): Promise<string[]> {
  const rows = await query<{ fault: string }>(orderSql)
  return [...rows.map(({ fault }) => fault), ...(await realTimeFaults(query, operations))]
}

/** What was answered before another was asked for stands before it. */
async function realTimeFaults(query: Query, operations: readonly Operation[]): Promise<string[]> {
  const rows = await query<{ id: number; incident: number; marker: string }>(
    `select id, incident_id as incident, body as marker from incident_updates where body like 'Fault %' order by id`,
  )
  const byMarker = new Map(operations.map((operation) => [operation.marker, operation]))
  const faults: string[] = []
  for (const [incident, entries] of grouped(rows, (row) => row.incident)) {
    let earliest = Number.POSITIVE_INFINITY
    for (const { id, marker } of entries.toReversed()) {
      const attempts = byMarker.get(marker)?.attempts ?? []
      const began = Math.min(...attempts.map(({ sent }) => sent))
      if (earliest < began)
        faults.push(`INC-${incident}: entry ${id} was asked for after a later one was answered`)
      const answers = attempts.filter(({ outcome }) => outcome === 'acknowledged')
      earliest = Math.min(earliest, ...answers.map(({ answered }) => answered ?? Number.POSITIVE_INFINITY))
    }
  }
  return faults
}
