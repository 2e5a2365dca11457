import { query } from '../../../platform/db/database.js'
import type { SortType } from '../../../platform/db/listing.js'
import type { Status } from '../../../vocabulary/lifecycle.js'
import { type Severity, severities } from '../../../vocabulary/severity.js'
import { type BindFilter, matchesSql, type SearchFilters } from './searchSql.js'
import type { Places } from './searchWords.js'

/** The orders of the list; without one, newest first. `due` leaves out what has no day. */
export const sorts = ['newest', 'oldest', 'activity', 'severity', 'due'] as const
type Sort = (typeof sorts)[number]

/**
 * The end of a page in an order other than by id: the order's value of its last row, and its id.
 */
type PageEnd = { value: string; id: number }

/** The filters of a list, which are combined; none is required. `before`: only smaller ids. */
export type IncidentFilters = SearchFilters & {
  status?: Status | undefined
  severity?: Severity | undefined
  assetId?: number | undefined
  unitId?: number | undefined
  includeMerged?: boolean | undefined
  /** Also what is "not a report" (decision 7.14); for staff. */
  includeDismissed?: boolean | undefined
  /** Only what is not resolved. */
  open?: boolean | undefined
  /** Reported from the one instant on, before the other. */
  from?: Date | undefined
  to?: Date | undefined
  /** Only these; `replaceByIds` puts them in place of rare words. */
  ids?: readonly number[] | undefined
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

/**
 * An order as SQL: the key and its type, with the id as tie-breaker, from the key's own table so
 * that one index serves both. Without a key: by id alone.
 */
export type Order = {
  id?: string
  key: { sql: string; type: SortType } | null
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
  const clauses = conditionsOf(filters, bind)
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
  const used = Object.entries(filters).filter(([, value]) => value !== undefined)
  const names = used.map(([name]) => name).filter((name) => !always.includes(name))
  return !orderOf(filters).key && indexedFilters.map(String).includes(String(names.sort()))
}

const needsSearch = ({ search, reporter, sort }: IncidentFilters) =>
  search !== undefined || reporter !== undefined || sort === 'activity'

type FilterName = keyof IncidentFilters
type FilterValues = { [Name in FilterName]: Exclude<IncidentFilters[Name], undefined> }
/** SQL: what a filter with a value demands of an incident `i`; none where it demands nothing. */
type Condition<Value> = (value: Value, bind: BindFilter, filters: IncidentFilters) => string[]

/** What each filter demands, in the order of the statement. A filter without one is an error. */
const conditions: { [Name in FilterName]: Condition<FilterValues[Name]> } = {
  includeMerged: (isIncluded) => (isIncluded ? [] : ['i.merged_into_id is null']),
  includeDismissed: (isIncluded) => (isIncluded ? [] : ['i.dismissed_at is null']),
  status: (status, bind) => [`i.status = ${bind(status)}`],
  severity: (severity, bind) => [`i.severity = ${bind(severity)}`],
  assetId: (id, bind) => [`i.asset_id = ${bind(id)}`],
  unitId: (id, bind) => [`i.unit_id = ${bind(id)}`],
  from: (instant, bind) => [`i.created_at >= ${bind(instant)}::timestamptz`],
  to: (instant, bind) => [`i.created_at < ${bind(instant)}::timestamptz`],
  before: (id, bind) => [`i.id < ${bind(id)}`],
  open: (isOpen) => (isOpen ? ['i.resolved_at is null'] : []),
  sort: (sort) => (sort === 'due' ? ['i.due_on is not null'] : []),
  places: (places, bind) => matchesSql({ places }, bind),
  assigneeId: (id, bind) => [id === null ? 'i.assignee_id is null' : `i.assignee_id = ${bind(id)}`],
  contactId: (id, bind) => [id === null ? 'i.contact_id is null' : `i.contact_id = ${bind(id)}`],
  ids: (ids, bind) => [`i.id = any (${bind(ids)}::integer[])`],
  search: (search, bind, { rowByRow }) => matchesSql({ search, rowByRow }, bind),
  reporter: (reporter, bind, { rowByRow }) => matchesSql({ reporter, rowByRow }, bind),
  // How the two above are tested.
  rowByRow: () => [],
  after: (end, bind, filters) => [isBeyond(end, orderOf(filters), bind)],
}
const filterNames = Object.keys(conditions) as FilterName[]

function conditionsOf(filters: IncidentFilters, bind: BindFilter): string[] {
  const complete = {
    ...filters,
    includeMerged: filters.includeMerged ?? false,
    includeDismissed: filters.includeDismissed ?? false,
  }
  return filterNames.flatMap((name) => conditionOf(name, complete, bind))
}

function conditionOf<Name extends FilterName>(name: Name, filters: IncidentFilters, bind: BindFilter) {
  const value = filters[name] as FilterValues[Name] | undefined
  return value === undefined ? [] : conditions[name](value, bind, filters)
}

/** SQL: whether a row comes after the end of a page. */
function isBeyond(after: PageEnd, { key, id = 'i.id', descending }: Order, bind: BindFilter): string {
  const sign = descending ? '<' : '>'
  if (!key) return `${id} ${sign} ${bind(after.id)}`
  return `(${key.sql}, ${id}) ${sign} (${bind(after.value)}::${key.type}, ${bind(after.id)}::integer)`
}
