import type { Readable } from 'node:stream'
import { z } from 'zod'
import { idColumn, instantColumn, orNull, termColumn, textColumn, word } from '../platform/db/columnKinds.js'
import { columnsOf, csvFile, csvText, literal } from '../platform/db/csv.js'
import { query } from '../platform/db/database.js'
import { type PageOfRows, pageInBytes } from '../platform/db/listing.js'
import { entity, type RowOf } from '../platform/http/records/entity.js'
import { isStaffSql } from '../platform/http/session/user.js'
import type { Changes } from '../vocabulary/audit.js'
import { limits } from '../vocabulary/limits.js'
import { erasedName } from '../vocabulary/people/personName.js'

/** Filters, combinable; only `limit` is required. `from` is inclusive, `to` exclusive. */
type AuditFilters = {
  actorId?: number | undefined
  actorType?: (typeof actorTypes)[number] | undefined
  action?: string | undefined
  entity?: string | undefined
  entityId?: number | undefined
  from?: Date | undefined
  to?: Date | undefined
  before?: number | undefined
  limit: number
}

/** Who acts: a person, or what runs by itself. */
export const actorTypes = ['user', 'system'] as const

const anyValue = z.unknown().meta({ description: 'What the field held: any JSON value.' })

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

const changesColumn = {
  json: z.record(z.string(), z.strictObject({ before: anyValue, after: anyValue })),
  present: (changes: Changes) => changes,
  csv: (sql: string) => csvText(`${sql}::text`),
}

/**
 * An entry of the append-only log (decision 4.14): actor, action, entity, time, and each changed
 * value before and after.
 */
const auditEntity = entity({
  name: 'audit_entry',
  json: { office: 'AuditEntry' },
  from: 'audit_entries r',
  fields: {
    id: { kind: idColumn },
    at: { kind: instantColumn },
    actorType: { kind: word(actorTypes) },
    actorId: { kind: orNull(idColumn) },
    actorName: { kind: textColumn, sql: actorNameSql },
    action: { kind: termColumn },
    entity: { kind: termColumn },
    entityId: { kind: orNull(idColumn) },
    changes: { kind: changesColumn, sql: changesSql },
    via: { kind: termColumn },
    requestId: { kind: orNull(textColumn) },
  },
})

export const { json: AuditEntryJson, present: presentAuditEntry } = auditEntity.records
export type AuditEntry = RowOf<typeof auditEntity>

const { columns, from } = auditEntity.records.listing

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
    `select ${columns} from ${from} ${where} order by id desc limit ${limit}`,
    values,
    { limit: filters.limit, bytes: limits.listBytes },
  )
}

export const auditEntry = auditEntity.records.find

/** Staff by name, for the filter: nearly all entries people look for are by staff. */
export function possibleActors(): Promise<{ id: number; name: string }[]> {
  return query(`select u.id, u.name from users u where ${isStaffSql('u')} order by lower(u.name), u.id`)
}

/**
 * All matching entries, newest first, as a CSV file for admins; secrets are masked in the entries
 * already.
 */
export function auditAsCsv(
  filters: Omit<AuditFilters, 'before' | 'limit'>,
  format: { byteOrderMark: boolean },
): Promise<Readable> {
  const { list, quoted } = columnsOf(auditEntity.csv)
  const clauses = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${auditTests[name as keyof typeof auditTests]} ${written(value!)}`)
  const where = clauses.length > 0 ? `where ${clauses.join(' and ')}` : ''
  return csvFile({ select: `select ${list} from ${from} ${where} order by id desc`, quoted }, format)
}

const written = (value: string | number | Date) =>
  literal(value instanceof Date ? value.toISOString() : value)
