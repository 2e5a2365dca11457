import { query, queryUnprepared } from '../../../platform/db/database.js'
import type { IncidentFilters } from './filters.js'
import { matchesSql, type SearchFilters } from './searchSql.js'
import type { SearchTerm, TextSearch } from './searchWords.js'

/**
 * At most this many matches are looked up first, and the list is read by their ids: for a rare word
 * the planner expects far more rows than there are.
 */
export const mostIds = 2_000

/**
 * A term with `frequentFrom` matches among the newest `sampledIncidents` (1 in 200) is frequent: in
 * any order a page of matches is soon full.
 */
const sampledIncidents = 2_000
const frequentFrom = 10

/**
 * The same filters, with a reporter or terms that few incidents match replaced by the ids of these
 * incidents. How frequent a term is, is looked up first: of the start of many words the planner
 * knows nothing, and reads hundreds of thousands of matches for one page.
 */
export async function replaceByIds(filters: IncidentFilters): Promise<IncidentFilters> {
  const { reporter, search } = filters
  if (reporter === undefined && !search) return filters
  if (await isFrequent({ reporter, search })) return { ...filters, rowByRow: true }
  if (reporter !== undefined) {
    const ids = await idsOfMatches({ reporter })
    if (ids) return { ...filters, reporter: undefined, ids, rowByRow: true }
  }
  if (!search) return filters
  const groups = termGroups(search)
  for (const terms of groups) {
    const group = { search: { ...search, terms } }
    const isWhole = groups.length === 1 && reporter === undefined
    if (!isWhole && (await isFrequent(group))) continue
    const ids = await idsOfMatches(group)
    if (ids) return { ...filters, search: withoutTerms(search, terms), ids, rowByRow: true }
  }
  return filters
}

/**
 * The terms that are looked up at once. A term that is matched in staff's words or by place uses
 * another index: such terms are tried one by one, so that a frequent one is not read to its end.
 */
function termGroups({ terms, byStaff }: TextSearch): SearchTerm[][] {
  const hasOwnIndex = (term: SearchTerm) => byStaff || term.places !== undefined
  const others = terms.filter((term) => !hasOwnIndex(term))
  const alone = terms.filter(hasOwnIndex).map((term) => [term])
  return others.length > 0 ? [others, ...alone] : alone
}

/** The search with its other terms; undefined when there are none. */
function withoutTerms(search: TextSearch, terms: readonly SearchTerm[]): TextSearch | undefined {
  const others = search.terms.filter((term) => !terms.includes(term))
  return others.length > 0 ? { ...search, terms: others } : undefined
}

/** Whether many incidents match, as far as the newest ones tell. */
async function isFrequent(filters: SearchFilters): Promise<boolean> {
  const values: unknown[] = []
  const conditions = matchesSql({ ...filters, rowByRow: true }, (value) => `$${values.push(value)}`)
  const rows = await query(
    `select from (
       select s.* from incident_search s order by s.incident_id desc limit ${sampledIncidents}
     ) s join incidents i on i.id = s.incident_id where ${conditions.join(' and ')} limit ${frequentFrom}`,
    values,
  )
  return rows.length === frequentFrom
}

/** The ids of the incidents that match; null when there are more than `mostIds`. */
async function idsOfMatches(filters: SearchFilters): Promise<number[] | null> {
  const values: unknown[] = []
  const conditions = matchesSql(filters, (value) => `$${values.push(value)}`)
  const rows = await queryUnprepared<{ id: number }>(matchesByIdSql(conditions), values)
  return rows.length > mostIds ? null : rows.map(({ id }) => id)
}

/** SQL: the newest incidents that fulfil these conditions, one more than `mostIds`. */
export const matchesByIdSql = (conditions: readonly string[]) =>
  `select s.incident_id as id from incident_search s where ${conditions.join(' and ')}
   order by s.incident_id desc limit ${mostIds + 1}`
