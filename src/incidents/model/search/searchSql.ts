import type { Places, SearchTerm, TextSearch } from './searchWords.js'

/** Writes a value into SQL, as a parameter or as a literal. */
export type BindFilter = (value: string | number | Date | readonly number[]) => string

/** What the words of an incident must match, and what it must be about. */
export type SearchFilters = {
  search?: TextSearch | undefined
  /** A query by `reporterQuery`; for staff only. */
  reporter?: string | undefined
  /** The words are tested row by row, by no index: `replaceByIds` knows that this is short. */
  rowByRow?: boolean | undefined
  /** Only what is about one of these, as of a tower. */
  places?: Places | undefined
}

/** SQL: whether an incident `i` is about an asset of these, or about a flat of these. */
const isAbout = ({ assetIds, unitIds }: Places, bind: BindFilter): string[] => [
  `i.asset_id = any (${bind(assetIds)}::integer[])`,
  `i.unit_id = any (${bind(unitIds)}::integer[])`,
]

/**
 * SQL: what the words an incident `s` is found by must match, and whether an incident `i` is about
 * one of the places; nothing without a search.
 */
export function matchesSql(filters: SearchFilters, bind: BindFilter): string[] {
  const { search, reporter, rowByRow = false, places } = filters
  return [
    ...(search ? searchConditions(search, rowByRow, bind) : []),
    ...(reporter === undefined ? [] : [matches('s.office_words', reporter, rowByRow, bind)]),
    ...(places ? [`(${isAbout(places, bind).join(' or ')})`] : []),
  ]
}

/** Each word is where this reader may read it, or the incident is about a place of that name. */
function searchConditions({ terms, byStaff }: TextSearch, rowByRow: boolean, bind: BindFilter): string[] {
  if (terms.length === 0) return ['false']
  const textMatches = ({ inWords, inOfficeWords }: SearchTerm) => [
    matches('s.words', inWords, rowByRow, bind),
    ...(byStaff ? [matches('s.office_words', inOfficeWords, rowByRow, bind)] : []),
  ]
  const ofPlaces = terms.flatMap((term) =>
    term.places ? [eitherOf(textMatches(term), isAbout(term.places, bind), rowByRow)] : [],
  )
  const others = terms.filter(({ places }) => !places)
  if (byStaff) return [...ofPlaces, ...others.map((term) => `(${textMatches(term).join(' or ')})`)]
  const together = others.map(({ inWords }) => inWords).join(' & ')
  return together ? [...ofPlaces, matches('s.words', together, rowByRow, bind)] : ofPlaces
}

function matches(column: string, wanted: string, rowByRow: boolean, bind: BindFilter): string {
  if (wanted === '') return 'false'
  const words = `${bind(wanted)}::tsquery`
  // What the operator does, as the function that no index serves and the planner takes for common.
  return rowByRow ? `ts_match_vq(${column}, ${words})` : `${column} @@ ${words}`
}

function eitherOf(textMatches: string[], about: string[], rowByRow: boolean): string {
  if (rowByRow) return `(${[...textMatches, ...about].join(' or ')})`
  // Each way of being found has an index of its own, which a mere "or" over two tables would not
  // use.
  const ids = [
    ...textMatches.map((test) => `select s.incident_id from incident_search s where ${test}`),
    ...about.map((test) => `select i.id from incidents i where ${test}`),
  ]
  return `s.incident_id in (${ids.join(' union all ')})`
}
