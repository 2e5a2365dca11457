import type { Readable } from 'node:stream'
import { columnsOf, csvFile, csvInstant, csvPlain, csvText, literal } from '../platform/db/csv.js'
import { query } from '../platform/db/database.js'
import { type PageOfRows, pageInBytes } from '../platform/db/listing.js'
import { isStaffSql } from '../platform/http/session/user.js'
import type { Changes } from '../vocabulary/audit.js'
import { limits } from '../vocabulary/limits.js'
import { erasedName } from '../vocabulary/people/erasure.js'

/** An entry of the append-only log (decision 4.14). */
export type AuditEntry = {
  id: number
  at: Date
  actorType: 'user' | 'system'
  actorId: number | null
  actorName: string
  action: string
  entity: string
  entityId: number | null
  changes: Changes
  via: string
  requestId: string | null
}

/** Filters, combinable; only `limit` is required. `from` is inclusive, `to` exclusive. */
export type AuditFilters = {
  actorId?: number | undefined
  actorType?: 'user' | 'system' | undefined
  action?: string | undefined
  entity?: string | undefined
  entityId?: number | undefined
  from?: Date | undefined
  to?: Date | undefined
  before?: number | undefined
  limit: number
}

const erased = (id: string) => `exists (select from users e where e.id = ${id} and e.erased_at is not null)`

/** SQL: the name of who acted; of someone who was erased, that they were (decision 7.31). */
const actorNameSql = `(case when ${erased('actor_id')} then '${erasedName}' else actor_name end)`

/**
 * SQL: what changed; of someone who was erased, only which fields, and no address that an incident
 * has lost by that.
 */
const changesSql = `(case when entity = 'user' and ${erased('entity_id')}
  then (select coalesce(jsonb_object_agg(key, '{"before": null, "after": null}'::jsonb), '{}') from jsonb_each(changes))
  when entity = 'incident' and changes -> 'reporterEmail' is not null
    and not exists (select from incidents i where i.id = entity_id and i.reporter_email is not null)
  then changes || '{"reporterEmail": {"before": null, "after": null}}'
  else changes end)`

const columns = `id, at, actor_type as "actorType", actor_id as "actorId", ${actorNameSql} as "actorName", action, entity,
  entity_id as "entityId", ${changesSql} as changes, via, request_id as "requestId"`

/** Each filter's SQL condition, followed by its value. */
const auditTests = {
  actorId: 'actor_id =',
  actorType: 'actor_type =',
  action: 'action =',
  entity: 'entity =',
  entityId: 'entity_id =',
  from: 'at >=',
  to: 'at <',
  before: 'id <',
} as const

/** One page of entries, newest first; the cost does not grow with the log. */
export async function auditEntries(filters: AuditFilters): Promise<PageOfRows<AuditEntry>> {
  const values: unknown[] = []
  const conditions = Object.entries(auditTests)
    .filter(([name]) => filters[name as keyof typeof auditTests] !== undefined)
    .map(([name, test]) => `${test} $${values.push(filters[name as keyof typeof auditTests])}`)
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const limit = `$${values.push(filters.limit + 1)}`
  return pageInBytes<AuditEntry>(
    `select ${columns} from audit_entries ${where} order by id desc limit ${limit}`,
    values,
    { limit: filters.limit, bytes: limits.listBytes },
  )
}

export async function auditEntry(id: number): Promise<AuditEntry | null> {
  return (await query<AuditEntry>(`select ${columns} from audit_entries where id = $1`, [id]))[0] ?? null
}

/** Staff by name, for the filter: nearly all entries people look for are by staff. */
export function possibleActors(): Promise<{ id: number; name: string }[]> {
  return query(`select u.id, u.name from users u where ${isStaffSql('u')} order by lower(u.name), u.id`)
}

/** The columns of the file: those of an entry (decision 4.14), with its changes as JSON. */
const exportColumns = {
  id: csvPlain('id'),
  at: csvInstant('at'),
  actorType: csvPlain('actor_type'),
  actorId: csvPlain('actor_id'),
  actorName: csvText(actorNameSql),
  action: csvPlain('action'),
  entity: csvPlain('entity'),
  entityId: csvPlain('entity_id'),
  changes: csvText(`${changesSql}::text`),
  via: csvPlain('via'),
  requestId: csvText('request_id'),
}

/**
 * All matching entries, newest first, as a CSV file for admins; secrets are masked in the entries
 * already.
 */
export function auditAsCsv(
  filters: Omit<AuditFilters, 'before' | 'limit'>,
  format: { byteOrderMark: boolean },
): Promise<Readable> {
  const { list, quoted } = columnsOf(exportColumns)
  const clauses = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${auditTests[name as keyof typeof auditTests]} ${written(value!)}`)
  const where = clauses.length > 0 ? `where ${clauses.join(' and ')}` : ''
  return csvFile({ select: `select ${list} from audit_entries ${where} order by id desc`, quoted }, format)
}

const written = (value: string | number | Date) =>
  literal(value instanceof Date ? value.toISOString() : value)
