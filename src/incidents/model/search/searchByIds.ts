import type { Readable } from 'node:stream'
import { columnsOf, csvInstant, csvPlain, csvText, literal } from '../../../platform/db/csvColumns.js'
import { csvFile } from '../../../platform/db/csvFile.js'
import { query, queryUnprepared } from '../../../platform/db/database.js'
import { downtimeHoursSql } from '../../../status/queries/rollup.js'
import { incidentEntity } from '../entity.js'
import { filteredSql, type IncidentFilters } from './filters.js'
import { matchesSql, type SearchFilters } from './searchSql.js'

/** So many incidents are few: they are read by their ids, where the planner would guess. */
export const few = 2_000

/**
 * What so many of the newest `few` say, one in two hundred, is met soon in any order of the list.
 */
const often = 10

/**
 * The same filters, with what few incidents say replaced by their ids. How frequent a word is, is
 * looked up first: of the start of many words the planner knows nothing, and reads hundreds of
 * thousands of hits for one page.
 */
export async function replaceByIds(filters: IncidentFilters): Promise<IncidentFilters> {
  const { reporter, search } = filters
  if (reporter === undefined && !search) return filters
  if (await isFrequent({ reporter, search })) return { ...filters, rowByRow: true }
  if (reporter !== undefined) {
    const ids = await hits({ reporter })
    if (ids) return { ...filters, reporter: undefined, ids, rowByRow: true }
  }
  if (!search) return filters
  // Staff's words are in one index or the other: each is asked alone, lest a frequent one be read
  // to its end.
  const alone = search.terms.filter((term) => search.byStaff || term.places)
  const together = search.terms.filter((term) => !alone.includes(term))
  const parts = [...(together.length > 0 ? [together] : []), ...alone.map((term) => [term])]
  for (const terms of parts) {
    const part = { search: { ...search, terms } }
    const isAll = parts.length === 1 && reporter === undefined
    const ids = !isAll && (await isFrequent(part)) ? null : await hits(part)
    if (!ids) continue
    const left = search.terms.filter((term) => !terms.includes(term))
    return {
      ...filters,
      search: left.length > 0 ? { ...search, terms: left } : undefined,
      ids,
      rowByRow: true,
    }
  }
  return filters
}

/** Whether it is said often, as far as the newest incidents tell. */
async function isFrequent(filters: SearchFilters): Promise<boolean> {
  const values: unknown[] = []
  const wanted = matchesSql({ ...filters, rowByRow: true }, (value) => `$${values.push(value)}`)
  const rows = await query(
    `select from (
       select s.* from incident_search s order by s.incident_id desc limit ${few}
     ) s join incidents i on i.id = s.incident_id where ${wanted.join(' and ')} limit ${often}`,
    values,
  )
  return rows.length === often
}

/** The ids of few incidents; null when there are more. */
async function hits(filters: SearchFilters): Promise<number[] | null> {
  const values: unknown[] = []
  const wanted = matchesSql(filters, (value) => `$${values.push(value)}`)
  const rows = await queryUnprepared<{ id: number }>(hitsSql(wanted), values)
  return rows.length > few ? null : rows.map(({ id }) => id)
}

/** SQL: the newest incidents that fulfil these, one more than few. */
export const hitsSql = (wanted: readonly string[]) =>
  `select s.incident_id as id from incident_search s where ${wanted.join(' and ')}
   order by s.incident_id desc limit ${few + 1}`

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
