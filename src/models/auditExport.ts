import type { Readable } from 'node:stream'
import { type AuditFilters, auditTests } from './auditEntry.js'
import { guarded, instant, literal } from './csvColumns.js'
import { csvFile } from './csvFile.js'

/** The columns of the file: those of an entry (decision 4.14), its changes as JSON. */
const columns = {
  id: 'id',
  at: instant('at'),
  actorType: 'actor_type',
  actorId: 'actor_id',
  actorName: guarded('actor_name'),
  action: 'action',
  entity: 'entity',
  entityId: 'entity_id',
  changes: 'changes::text',
  via: 'via',
  requestId: guarded('request_id'),
}

/** Every entry that matches, newest first, as a CSV file for admins: secrets were masked when it was written. */
export function auditAsCsv(filters: Omit<AuditFilters, 'before' | 'limit'>): Promise<Readable> {
  const list = Object.entries(columns).map(([name, sql]) => `${sql} as "${name}"`)
  const clauses = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${auditTests[name as keyof typeof auditTests]} ${written(value!)}`)
  const where = clauses.length > 0 ? `where ${clauses.join(' and ')}` : ''
  return csvFile(`select ${list.join(', ')} from audit_entries ${where} order by id desc`)
}

const written = (value: string | number | Date) =>
  literal(value instanceof Date ? value.toISOString() : value)
