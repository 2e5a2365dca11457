import type { Readable } from 'node:stream'
import { columnsOf, csvFile, csvInstant, csvPlain, csvText, literal } from '../../platform/db/csv.js'
import { query } from '../../platform/db/database.js'
import { downtimeHoursSql } from '../../status/queries/downtimeHours.js'
import { placeJoins } from '../../status/queries/incidentFacts.js'
import { csvFields } from '../entity.js'
import { filteredSql, type IncidentFilters } from './filters.js'
import { narrowed } from './hits.js'

/** The list's filters and order without paging: an export holds every match (decision 2.11). */
export type ExportFilters = Omit<IncidentFilters, 'before' | 'after' | 'includeDismissed'>

const hours = (from: string, to: string) => `round(date_part('epoch', ${to} - ${from}) / 36) / 100`

const tables = `from incidents i ${placeJoins('i')}
  left join users r on r.id = i.reporter_id`

/** The columns of the file: those of the listed incident (spec §2), then columns for staff. */
const columns = (downtimeHours: string) => ({
  ...csvFields,
  acknowledgedAt: csvInstant('i.acknowledged_at'),
  verifiedAt: csvInstant('i.verified_at'),
  hoursToAcknowledge: csvPlain(hours('i.created_at', 'i.acknowledged_at')),
  downtimeHours: csvPlain(downtimeHours),
  costCents: csvPlain(
    'coalesce((select sum(amount_cents) from repair_costs where incident_id = i.id and voided_at is null), 0)',
  ),
  mergedIntoId: csvPlain('i.merged_into_id'),
  reporterEmail: csvText('i.reporter_email'),
})

/**
 * All matching incidents, in the list's order, as CSV for staff: real names, times in UTC, hours with two decimals
 * (spec §4, decision 2.9). Resolves with the first bytes; throws earlier errors; later ones break the stream.
 */
export async function incidentsAsCsv(
  filters: ExportFilters,
  format: { byteOrderMark: boolean },
): Promise<Readable> {
  const { list, quoted } = columnsOf(columns(await downtimeHoursSql(query)))
  return csvFile(
    { select: `select ${list} ${tables} ${filteredSql(await narrowed(filters), literal)}`, quoted },
    format,
  )
}
