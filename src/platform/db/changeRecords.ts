import { affectsStatus, type Changes } from '../../vocabulary/audit.js'
import type { DomainEvent } from '../../vocabulary/events.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { storeKeySteps } from './idempotencyKeys.js'
import { type Bind, type Statement, statement } from './statement.js'

/** `action` is `<entity>.<verb>`. */
export type Entry = { action: string; entityId: number | null; changes: Changes }

/** Entries, and events, that one statement writes. */
const rowsPerStatement = 500

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

/** What one actor's part of a change leaves behind: its audit entries and its events. */
export type Traces = { entries: Entry[]; events: DomainEvent[] }

/**
 * The statements that write the traces of one actor, each with at most `rowsPerStatement` of a
 * kind. `madeId`: what the request's key is stored with, if it has one.
 */
export function recordStatements(
  { entries, events }: Traces,
  actor: Actor,
  now: Date,
  madeId?: number | null,
): Statement[] {
  const count = Math.max(1, Math.ceil(Math.max(entries.length, events.length) / rowsPerStatement))
  return Array.from({ length: count }, (_, i) => {
    const some = {
      entries: entries.slice(i * rowsPerStatement, (i + 1) * rowsPerStatement),
      events: events.slice(i * rowsPerStatement, (i + 1) * rowsPerStatement),
    }
    return recordStatement(some, actor, now, i === 0 ? madeId : undefined)
  })
}

function recordStatement(
  { entries, events }: Traces,
  actor: Actor,
  now: Date,
  madeId?: number | null,
): Statement {
  return statement((bind) => {
    const steps: Record<string, string> = {
      ...(entries.length > 0 && { entry: insertEntries(bind, entries, actor, now) }),
      ...(events.length > 0 && { event: insertEvents(bind, events, actor, now) }),
      ...(madeId !== undefined && storeKeySteps(bind, actor, madeId)),
    }
    const parts = Object.entries(steps).map(([name, sql]) => `${name} as (${sql})`)
    return `with ${parts.join(', ')} select`
  })
}
