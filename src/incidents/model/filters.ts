import { query } from '../../platform/db/database.js'
import type { Status } from '../../vocabulary/lifecycle.js'
import { type Severity, severities } from '../../vocabulary/severity.js'
import type { Places, Sought, SoughtWord } from './searchWords.js'

/** The orders of the list; without one, newest first. `due` leaves out what has no day. */
export const sorts = ['newest', 'oldest', 'activity', 'severity', 'due'] as const
type Sort = (typeof sorts)[number]

/**
 * The end of a page in an order other than by id: the order's value of its last row, and its id.
 */
type PageEnd = { value: string; id: number }

/** The filters of a list, which are combined; none is required. `before`: only smaller ids. */
export type IncidentFilters = {
  status?: Status | undefined
  severity?: Severity | undefined
  assetId?: number | undefined
  unitId?: number | undefined
  includeMerged?: boolean | undefined
  /** Also what is "not a report" (decision 7.14); for staff. */
  includeDismissed?: boolean | undefined
  /** Only what is not resolved. */
  open?: boolean | undefined
  /** Only what is about one of these, as of a tower. */
  places?: Places | undefined
  /** Reported from the one instant on, before the other. */
  from?: Date | undefined
  to?: Date | undefined
  /** Only these; `narrowed` puts them in place of the next two. */
  ids?: readonly number[] | undefined
  sought?: Sought | undefined
  /** The words are tested row by row, by no index: `narrowed` knows that this is short. */
  rowByRow?: boolean | undefined
  /** Of `reportedBy`; for staff only. */
  reporter?: string | undefined
  /** Null: no one. For staff only. */
  assigneeId?: number | null | undefined
  contactId?: number | null | undefined
  sort?: Sort | undefined
  after?: PageEnd | undefined
  before?: number | undefined
}

/** Everything of a tower that an incident can be about, archived or not. */
export async function placesInTower(towerId: number): Promise<Places> {
  const [row] = await query<Places>(
    `select array(select id from assets where tower_id = $1) as asset_ids,
       array(select id from units where tower_id = $1) as unit_ids`,
    [towerId],
  )
  return row!
}

/** Writes a value into SQL, as a parameter or as a literal. */
type BindFilter = (value: string | number | Date | readonly number[]) => string

/**
 * An order as SQL: its key, of this type, then the id (in the table of the key, for its index);
 * `null`: by id alone.
 */
type Order = {
  id?: string
  key: { sql: string; type: 'timestamptz' | 'integer' | 'date' } | null
  descending: boolean
}

const rank = `array_position('{${severities.join()}}'::text[], i.severity)`
const reported = { sql: 'i.created_at', type: 'timestamptz' } as const

const orders: Record<Sort, Order> = {
  newest: { key: null, descending: true },
  oldest: { key: reported, descending: false },
  activity: { key: { sql: 's.active_at', type: 'timestamptz' }, id: 's.incident_id', descending: true },
  severity: { key: { sql: rank, type: 'integer' }, descending: true },
  due: { key: { sql: 'i.due_on', type: 'date' }, descending: false },
}

/**
 * The order that was asked for. A list between two days is in the order of time, because the index
 * by time holds its rows together.
 */
export function orderOf({ sort = 'newest', from, to }: IncidentFilters): Order {
  if (sort === 'newest' && (from ?? to)) return { key: reported, descending: true }
  return orders[sort]
}

/** SQL: what follows the tables, without a limit. */
export function filteredSql(filters: IncidentFilters, bind: BindFilter): string {
  const { key, id = 'i.id', descending } = orderOf(filters)
  const direction = descending ? 'desc' : 'asc'
  const clauses = conditions(filters, bind)
  return `${needsSearch(filters) ? 'join incident_search s on s.incident_id = i.id' : ''}
    ${clauses.length > 0 ? `where ${clauses.join(' and ')}` : ''}
    order by ${key ? `${key.sql} ${direction}, ` : ''}${id} ${direction}`
}

/** Sets of filters with an index that has the rows of a page side by side, newest first. */
export const indexedFilters = [
  [],
  ['status'],
  ['severity'],
  ['severity', 'status'],
  ['assetId'],
  ['unitId'],
] as const satisfies (keyof IncidentFilters)[][]
/** What goes with every index: conditions that nearly all rows meet, and where the page starts. */
const always = ['includeMerged', 'includeDismissed', 'before', 'limit', 'sort']

/** Whether a page of these is read from one index, whatever the values: its plan can be kept. */
export function hasIndex(filters: IncidentFilters): boolean {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  const asked = given.map(([name]) => name).filter((name) => !always.includes(name))
  return !orderOf(filters).key && indexedFilters.map(String).includes(String(asked.sort()))
}

const needsSearch = ({ sought, reporter, sort }: IncidentFilters) =>
  sought !== undefined || reporter !== undefined || sort === 'activity'

/** Each filter's condition; the others have more than one. */
const tests = {
  status: (value) => `i.status = ${value}`,
  severity: (value) => `i.severity = ${value}`,
  assetId: (value) => `i.asset_id = ${value}`,
  unitId: (value) => `i.unit_id = ${value}`,
  from: (value) => `i.created_at >= ${value}::timestamptz`,
  to: (value) => `i.created_at < ${value}::timestamptz`,
  before: (value) => `i.id < ${value}`,
} as const satisfies { [N in keyof IncidentFilters]: (value: string) => string }

function conditions(filters: IncidentFilters, bind: BindFilter): string[] {
  const simple = Object.entries(tests).flatMap(([name, test]) => {
    const value = filters[name as keyof typeof tests]
    return value === undefined ? [] : [test(bind(value))]
  })
  const { places, ids } = filters
  return [
    ...(filters.includeMerged ? [] : ['i.merged_into_id is null']),
    ...(filters.includeDismissed ? [] : ['i.dismissed_at is null']),
    ...simple,
    ...(filters.open ? ['i.resolved_at is null'] : []),
    ...(filters.sort === 'due' ? ['i.due_on is not null'] : []),
    ...(places ? [`(${isAbout(places, bind).join(' or ')})`] : []),
    ...assignedTo('i.assignee_id', filters.assigneeId, bind),
    ...assignedTo('i.contact_id', filters.contactId, bind),
    ...(ids ? [`i.id = any (${bind(ids)}::integer[])`] : []),
    ...matchesSql(filters, bind),
    ...(filters.after ? [isBeyond(filters.after, orderOf(filters), bind)] : []),
  ]
}

/** SQL: whether a row comes after the end of a page. */
function isBeyond(after: PageEnd, { key, id = 'i.id', descending }: Order, bind: BindFilter): string {
  const sign = descending ? '<' : '>'
  if (!key) return `${id} ${sign} ${bind(after.id)}`
  return `(${key.sql}, ${id}) ${sign} (${bind(after.value)}::${key.type}, ${bind(after.id)}::integer)`
}

/** SQL: whether an incident `i` is about an asset of these, or about a flat of these. */
const isAbout = ({ assetIds, unitIds }: Places, bind: BindFilter) => [
  `i.asset_id = any (${bind(assetIds)}::integer[])`,
  `i.unit_id = any (${bind(unitIds)}::integer[])`,
]

/** SQL: what the words an incident `s` is found by must match; none without a search. */
export function matchesSql({ sought, reporter, rowByRow }: IncidentFilters, bind: BindFilter): string[] {
  const matches = (column: string, wanted: string) => {
    if (wanted === '') return 'false'
    const asked = `${bind(wanted)}::tsquery`
    // What the operator does, as the function that no index serves and the planner takes for
    // common.
    return rowByRow ? `ts_match_vq(${column}, ${asked})` : `${column} @@ ${asked}`
  }
  return [
    ...(sought ? found(sought) : []),
    ...(reporter === undefined ? [] : [matches('s.office_words', reporter)]),
  ]

  /** Each word is where this reader may read it, or the incident is about a place of that name. */
  function found({ words, byStaff }: Sought): string[] {
    if (words.length === 0) return ['false']
    const saying = ({ everywhere, inOffice }: SoughtWord) => [
      matches('s.words', everywhere),
      ...(byStaff ? [matches('s.office_words', inOffice)] : []),
    ]
    const named = words.flatMap((word) =>
      word.places ? [eitherOf(saying(word), isAbout(word.places, bind))] : [],
    )
    const others = words.filter(({ places }) => !places)
    if (byStaff) return [...named, ...others.map((word) => `(${saying(word).join(' or ')})`)]
    const said = others.map(({ everywhere }) => everywhere).join(' & ')
    return said ? [...named, matches('s.words', said)] : named
  }

  function eitherOf(saying: string[], about: string[]): string {
    if (rowByRow) return `(${[...saying, ...about].join(' or ')})`
    // Each way of being found has an index of its own, which a mere "or" over two tables would not
    // use.
    const ids = [
      ...saying.map((test) => `select s.incident_id from incident_search s where ${test}`),
      ...about.map((test) => `select i.id from incidents i where ${test}`),
    ]
    return `s.incident_id in (${ids.join(' union all ')})`
  }
}

function assignedTo(column: string, id: number | null | undefined, bind: BindFilter): string[] {
  if (id === undefined) return []
  return [id === null ? `${column} is null` : `${column} = ${bind(id)}`]
}
