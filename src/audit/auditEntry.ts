import type { Readable } from 'node:stream'
import { z } from 'zod'
import { idColumn, instantColumn, orNull, termColumn, textColumn, word } from '../platform/db/columnKinds.js'
import { columnsOf, csvText, literal } from '../platform/db/csvColumns.js'
import { csvFile } from '../platform/db/csvFile.js'
import { query } from '../platform/db/database.js'
import { type PageOfRows, pageInBytes } from '../platform/db/listing.js'
import { entity } from '../platform/http/records/entity.js'
import type { RowOf } from '../platform/http/records/entityTypes.js'
import { queryId, queryTime } from '../platform/http/request/query.js'
import type { InputPlace } from '../platform/http/route/fields.js'
import type { Changes } from '../vocabulary/audit.js'
import { limits } from '../vocabulary/limits.js'
import { erasedName } from '../vocabulary/people/personName.js'

/** Who acts: a person, or what runs by itself. */
const actorTypes = ['user', 'system'] as const

const filterWord = z.string('not_acceptable').regex(/^[a-z_]{1,60}(\.[a-z_]{1,60})?$/, 'not_acceptable')

/**
 * The filters of the log, combinable; `from` is inclusive, `to` exclusive. Days and local times are
 * in the property's zone.
 */
export const AuditQuery = ({ zone }: Pick<InputPlace, 'zone'>) =>
  z.object({
    actorId: queryId.optional(),
    actorType: z.enum(actorTypes, 'not_acceptable').optional(),
    action: filterWord.optional(),
    entity: filterWord.optional(),
    entityId: queryId.optional(),
    from: queryTime('from', zone).optional(),
    to: queryTime('to', zone, { end: true }).optional(),
    before: queryId.optional(),
    limit: queryId.optional(),
  })
type AuditFilters = Omit<z.output<ReturnType<typeof AuditQuery>>, 'limit'>

const anyValue = z.unknown().meta({ description: 'What the field held: any JSON value.' })

const erased = (id: string) => `exists (select from users e where e.id = ${id} and e.erased_at is not null)`

/** SQL: the name of who acted; "Deleted person" for one who was erased (decision 7.31). */
const actorNameSql = `(case when ${erased('actor_id')} then '${erasedName}' else actor_name end)`

/**
 * SQL: what changed. Changes of an erased person keep the names of the fields and lose the values,
 * and so does the address that an incident has lost by the erasure.
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
    id: { column: idColumn },
    at: { column: instantColumn },
    actorType: { column: word(actorTypes) },
    actorId: { column: orNull(idColumn) },
    actorName: { column: textColumn, sql: actorNameSql },
    action: { column: termColumn },
    entity: { column: termColumn },
    entityId: { column: orNull(idColumn) },
    changes: { column: changesColumn, sql: changesSql },
    via: { column: termColumn },
    requestId: { column: orNull(textColumn) },
  },
})

export const { json: AuditEntryJson, present: presentAuditEntry } = auditEntity.records
export type AuditEntry = RowOf<typeof auditEntity>

const { columns, from } = auditEntity.records.listing

/** Each filter's SQL condition, followed by its value. */
const filterConditions = {
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
export async function auditEntries({
  limit,
  ...filters
}: AuditFilters & { limit: number }): Promise<PageOfRows<AuditEntry>> {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  return pageInBytes<AuditEntry>(
    `select ${columns} from ${from} ${whereClause(filters, bind)} order by id desc limit ${bind(limit + 1)}`,
    values,
    { limit, bytes: limits.listBytes },
  )
}

/** The condition of these filters. `toSql` binds a value, or writes it into the text. */
function whereClause(filters: AuditFilters, toSql: (value: string | number | Date) => string): string {
  const conditions = Object.entries(filterConditions).flatMap(([name, condition]) => {
    const value = filters[name as keyof typeof filterConditions]
    return value === undefined ? [] : [`${condition} ${toSql(value)}`]
  })
  return conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
}

export const auditEntry = auditEntity.records.find

/** Staff by name, for the filter: nearly all entries people look for are by staff. */
export function possibleActors(): Promise<{ id: number; name: string }[]> {
  return query(`select u.id, u.name from users u where is_staff(u.role) order by lower(u.name), u.id`)
}

/**
 * All matching entries, newest first, as a CSV file for admins; secrets are masked in the entries
 * already.
 */
export function auditAsCsv(
  filters: Omit<AuditFilters, 'before'>,
  format: { byteOrderMark: boolean },
): Promise<Readable> {
  const { list, quoted } = columnsOf(auditEntity.csv)
  const where = whereClause(filters, (value) => literal(value instanceof Date ? value.toISOString() : value))
  return csvFile({ select: `select ${list} from ${from} ${where} order by id desc`, quoted }, format)
}
