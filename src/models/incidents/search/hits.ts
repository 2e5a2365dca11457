import { queryAnew } from '../../../database.js'
import { type IncidentFilters, matchesSql } from './filters.js'

/**
 * So many incidents are few: they are read by their ids, whatever else is asked. More are met soon on the way through
 * any order of the list. Without this the planner guesses, and walks through a million for ten it thought were more.
 */
export const few = 2_000

/** The same filters, with what few incidents say replaced by their ids. */
export async function narrowed(filters: IncidentFilters): Promise<IncidentFilters> {
  const { reporter, sought } = filters
  if (reporter !== undefined) {
    const ids = await hits({ reporter })
    if (ids) return { ...filters, reporter: undefined, ids }
  }
  if (!sought) return filters
  // Staff's words are in one index or the other: each is asked alone, lest a frequent one be read to its end.
  const parts = sought.byStaff ? sought.words.map((word) => [word]) : [sought.words]
  for (const words of parts) {
    const ids = await hits({ sought: { ...sought, words } })
    if (!ids) continue
    const left = sought.words.filter((word) => !words.includes(word))
    return { ...filters, sought: left.length > 0 ? { ...sought, words: left } : undefined, ids }
  }
  return filters
}

/** The ids of few incidents; null when there are more. */
async function hits(filters: IncidentFilters): Promise<number[] | null> {
  const values: unknown[] = []
  const wanted = matchesSql(filters, (value) => `$${values.push(value)}`)
  const rows = await queryAnew<{ id: number }>(hitsSql(wanted), values)
  return rows.length > few ? null : rows.map(({ id }) => id)
}

/** SQL: the newest incidents that fulfil these, one more than few. */
export const hitsSql = (wanted: readonly string[]) =>
  `select s.incident_id as id from incident_search s where ${wanted.join(' and ')}
   order by s.incident_id desc limit ${few + 1}`
