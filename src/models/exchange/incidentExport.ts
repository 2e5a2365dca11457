import type { Readable } from 'node:stream'
import { downSinceSql, placeJoins } from '../incidents/facts.js'
import { csvFields } from '../incidents/fields.js'
import { type IncidentFilters, incidentTests } from '../incidents/incident.js'
import { columnsOf, instant, literal, plain } from './csvColumns.js'
import { csvFile } from './csvFile.js'

/** The list's filters without its pages: an export holds every match (decision 2.11). */
export type ExportFilters = Omit<IncidentFilters, 'before' | 'limit'>

const hours = (from: string, to: string) => `round(date_part('epoch', ${to} - ${from}) / 36) / 100`

/** Downtime as the incident's own clock ran, merged duplicates none; planned work is not taken out (decision 2.8). */
const downtime = `case when i.is_downtime and i.merged_into_id is null
  then ${hours(downSinceSql('i'), 'coalesce(i.resolved_at, now())')} else 0 end`

const tables = `from incidents i ${placeJoins('i')}
  left join users r on r.id = i.reporter_id`

/** The columns of the file, in its order: those of the listed incident (spec §2), then what staff work with. */
const columns = {
  ...csvFields,
  acknowledgedAt: instant('i.acknowledged_at'),
  verifiedAt: instant('i.verified_at'),
  hoursToAcknowledge: plain(hours('i.created_at', 'i.acknowledged_at')),
  downtimeHours: plain(downtime),
  costCents: plain(
    'coalesce((select sum(amount_cents) from repair_costs where incident_id = i.id and voided_at is null), 0)',
  ),
  mergedIntoId: plain('i.merged_into_id'),
}

/**
 * Every incident that matches, newest first, as a CSV file for staff: real names, UTF-8, RFC 4180 lines, instants as ISO 8601 in UTC, hours with two decimals (spec §4, decision 2.9). Resolves when the first
 * bytes are there, so that what fails before is an error like any other; what fails later breaks the stream.
 */
export async function incidentsAsCsv(
  filters: ExportFilters,
  format: { byteOrderMark: boolean },
): Promise<Readable> {
  const { list, quoted } = columnsOf(columns)
  return csvFile({ select: `select ${list} ${tables} ${where(filters)} order by i.id desc`, quoted }, format)
}

function where({ includeMerged, ...filters }: ExportFilters): string {
  const clauses = includeMerged ? [] : ['i.merged_into_id is null']
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined) clauses.push(`${incidentTests[name as keyof typeof filters]} ${literal(value)}`)
  return clauses.length > 0 ? `where ${clauses.join(' and ')}` : ''
}
