import { affectsStatus, type Changes } from '../../vocabulary/audit.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { type EffectStatement, literalSubject, type Statement, statement } from './statement.js'

/**
 * An act: `action` is `<entity>.<verb>`; `changes` are known values, or an SQL expression over the
 * subject.
 */
export type Entry = { action: string; changes: Changes | { sql: string } }

/** An act on a known entity. */
export type KnownEntry = { action: string; entityId: number | null; changes: Changes }

/**
 * Entries written one by one, each on the way to the next; and of more, those that one statement
 * writes.
 */
const [few, together] = [20, 500]

const columns = `at, actor_type, actor_id, actor_name, action, entity, entity_id, changes, via, request_id, affects_status`
const entityOf = (action: string) => action.slice(0, action.lastIndexOf('.'))

/** Writes the act's entry in the append-only log (decision 4.14). */
export function insertAuditEntry({ action, changes }: Entry): EffectStatement {
  const entity = entityOf(action)
  return (bind, { from, id, now }, actor) => `
    insert into audit_entries (${columns})
    select ${now}, ${bind(actor.type)}, ${bind(actor.id)}::integer, ${bind(actor.name)}, ${bind(action)}, ${bind(entity)}, ${id},
      ${isSql(changes) ? changes.sql : `${bind(JSON.stringify(changes))}::jsonb`}, ${bind(actor.via)}, ${bind(actor.requestId ?? null)},
      ${bind(affectsStatus(entity, action, isSql(changes) ? {} : changes))}::boolean
    from ${from}`
}

const isSql = (changes: Entry['changes']): changes is { sql: string } => typeof changes.sql === 'string'

/**
 * Writes the entries of one change, in their order. A statement for each of ten thousand, as an
 * import has them, takes a busy machine longer than a query may.
 */
export function insertAuditEntries(entries: readonly KnownEntry[], actor: Actor, now: Date): Statement[] {
  if (entries.length <= few)
    return entries.map((entry) =>
      statement((bind) =>
        insertAuditEntry(entry)(bind, literalSubject(bind, { id: entry.entityId, fact: null, now }), actor),
      ),
    )
  return Array.from({ length: Math.ceil(entries.length / together) }, (_, i) =>
    manyEntries(entries.slice(i * together, (i + 1) * together), actor, now),
  )
}

function manyEntries(entries: readonly KnownEntry[], actor: Actor, now: Date): Statement {
  const rows = entries.map(({ action, entityId, changes }) => {
    const entity = entityOf(action)
    return { action, entity, id: entityId, changes, affects: affectsStatus(entity, action, changes) }
  })
  return statement(
    (bind) => `
    insert into audit_entries (${columns})
    select ${bind(now)}::timestamptz, ${bind(actor.type)}, ${bind(actor.id)}::integer, ${bind(actor.name)}, r.action, r.entity, r.id, r.changes,
      ${bind(actor.via)}, ${bind(actor.requestId ?? null)}, r.affects
    from rows from (json_to_recordset(${bind(JSON.stringify(rows))})
      as (action text, entity text, id integer, changes jsonb, affects boolean)) with ordinality as r (action, entity, id, changes, affects, n)
    order by r.n`,
  )
}
