import { affectsStatus, type Changes } from '../domain/audit/audit.js'
import type { EffectStatement } from './statement.js'

/** An act: `action` is `<entity>.<verb>`; `changes` are known values, or an SQL expression over the subject. */
export type Entry = { action: string; changes: Changes | { sql: string } }

/** Writes the act's entry in the append-only log (decision 4.14). */
export function auditEntry({ action, changes }: Entry): EffectStatement {
  const entity = action.slice(0, action.lastIndexOf('.'))
  return (bind, { from, id, now }, actor) => `
    insert into audit_entries
      (at, actor_type, actor_id, actor_name, action, entity, entity_id, changes, via, request_id, affects_status)
    select ${now}, ${bind(actor.type)}, ${bind(actor.id)}::integer, ${bind(actor.name)}, ${bind(action)}, ${bind(entity)}, ${id},
      ${isSql(changes) ? changes.sql : `${bind(JSON.stringify(changes))}::jsonb`}, ${bind(actor.via)}, ${bind(actor.requestId ?? null)},
      ${bind(affectsStatus(entity, action, isSql(changes) ? {} : changes))}::boolean
    from ${from}`
}

const isSql = (changes: Entry['changes']): changes is { sql: string } => typeof changes.sql === 'string'
