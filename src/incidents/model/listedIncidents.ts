import { query, queryUnprepared } from '../../platform/db/database.js'
import { type PageOfRows, pageInBytes, pageOfRows } from '../../platform/db/listing.js'
import { limits } from '../../vocabulary/limits.js'
import type { ListedIncident } from './entity.js'
import { filteredSql, hasIndex, type IncidentFilters, type Order, orderOf } from './search/filters.js'
import { replaceByIds } from './search/searchByIds.js'

type LimitedFilters = IncidentFilters & { limit: number }

/** `sortValue`: the value of an order that is not by id. */
type SortedIncident = ListedIncident & { sortValue?: string }

/** One incident with its joined names; null when there is none. */
export async function findListedIncident(id: number): Promise<ListedIncident | null> {
  return (await query<ListedIncident>('select * from listed_incidents where id = $1', [id]))[0] ?? null
}

/**
 * Incidents with joined names, newest first unless asked otherwise (spec §4 filters, decision
 * 2.11).
 */
export async function listIncidents(filters: LimitedFilters): Promise<PageOfRows<ListedIncident>> {
  const { sql, values, run } = await listStatement(filters)
  return pageOfRows(await run<ListedIncident>(sql, values), filters.limit)
}

/** One page of the same list, limited in bytes of JSON as well. */
export async function listIncidentPage(
  filters: LimitedFilters,
  bytes: number,
): Promise<PageOfRows<SortedIncident>> {
  const { sql, values, order, run } = await listStatement(filters)
  return pageInBytes(sql, values, { limit: filters.limit, bytes }, { order, run })
}

/**
 * The list as SQL, with its order, and how it is run. It reads one row more than the limit, by
 * which a page sees that there are more.
 */
async function listStatement(requested: LimitedFilters) {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const filters = await replaceByIds(requested)
  const rows = filteredSql(filters, bind)
  const order = orderOf(filters)
  const direction = order.descending ? 'desc' : 'asc'
  const rowsRead = requested.limit + 1
  // As a literal the limit tells PostgreSQL how little is read, so that it keeps the generic plan.
  const limit = hasUsualLength(requested) && hasIndex(filters) ? rowsRead : bind(rowsRead)
  return {
    sql: `select i.*${sortColumns(order)} from listed_incidents i ${rows} limit ${limit}`,
    values,
    order: `${order.key ? `sort_key ${direction}, ` : ''}id ${direction}`,
    run: hasUsualLength(requested) && !narrowsByValue(filters) ? query : queryUnprepared,
  }
}

/** SQL: the columns that a page in an order other than by id ends with. */
function sortColumns({ key }: Order): string {
  if (!key) return ''
  // Moments are written at a fixed length, so that the size of a page does not reveal them.
  const value = key.type === 'timestamptz' ? `utc_text(${key.sql})` : `(${key.sql})::text`
  return `, ${key.sql} as sort_key, ${value} as sort_value`
}

const hasUsualLength = ({ limit }: LimitedFilters) =>
  limit === limits.pageDefault || limit === limits.incidentsOnPage

/**
 * Whether the right index depends on the values: on how much of the building they stand for. Such
 * a statement is planned each time.
 */
const narrowsByValue = ({ ids, search, reporter, places, from, to }: IncidentFilters) =>
  (ids ?? search ?? reporter ?? places ?? from ?? to) !== undefined
