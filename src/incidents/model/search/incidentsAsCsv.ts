import type { Readable } from 'node:stream'
import { columnsOf, csvInstant, csvPlain, csvText, literal } from '../../../platform/db/csvColumns.js'
import { csvFile } from '../../../platform/db/csvFile.js'
import { query } from '../../../platform/db/database.js'
import { incidentEntity } from '../entity.js'
import { downtimeHoursSql } from './downtimeHours.js'
import { filteredSql, type IncidentFilters } from './filters.js'

import { replaceByIds } from './searchByIds.js'

const hours = (from: string, to: string) => `round(date_part('epoch', ${to} - ${from}) / 36) / 100`

/** The columns of the file: those of the listed incident (spec §2), then columns for staff. */
const columns = (downtimeHours: string) => ({
  ...incidentEntity.csv,
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
 * All matching incidents, in the list's order and on no pages (decision 2.11), as CSV for staff:
 * real names, times in UTC, hours with two decimals (spec §4, decision 2.9). Resolves with the
 * first bytes; throws earlier errors; later ones break the stream.
 */
export async function incidentsAsCsv(
  filters: Omit<IncidentFilters, 'before' | 'after' | 'includeDismissed'>,
  format: { byteOrderMark: boolean },
): Promise<Readable> {
  const { list, quoted } = columnsOf(columns(await downtimeHoursSql(query)))
  const select = `select ${list} from listed_incidents i ${filteredSql(await replaceByIds(filters), literal)}`
  return csvFile({ select, quoted }, format)
}
