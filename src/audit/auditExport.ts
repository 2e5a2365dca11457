import type { Readable } from 'node:stream'
import { columnsOf, csvFile, csvInstant, csvPlain, csvText, literal } from '../platform/db/csv.js'
import { type AuditFilters, actorNameSql, auditTests, changesSql } from './auditEntry.js'

/** The columns of the file: those of an entry (decision 4.14), with its changes as JSON. */
const columns = {
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
  const { list, quoted } = columnsOf(columns)
  const clauses = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${auditTests[name as keyof typeof auditTests]} ${written(value!)}`)
  const where = clauses.length > 0 ? `where ${clauses.join(' and ')}` : ''
  return csvFile({ select: `select ${list} from audit_entries ${where} order by id desc`, quoted }, format)
}

const written = (value: string | number | Date) =>
  literal(value instanceof Date ? value.toISOString() : value)
