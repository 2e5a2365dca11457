import { z } from 'zod'
import { Property } from '../../building/building.js'
import type { Context } from '../../platform/http/context.js'
import { requirePermission, unauthenticated } from '../../platform/http/request/allow.js'
import { endOfPage, parseEndOfPage } from '../../platform/http/request/paging.js'
import { queryFlag, queryId, queryTime, rejectQuery } from '../../platform/http/request/query.js'
import type { InputPlace } from '../../platform/http/route/fields.js'
import { statuses } from '../../vocabulary/lifecycle.js'
import { seesUnits } from '../../vocabulary/people/visibility.js'
import { severities } from '../../vocabulary/severity.js'
import { type IncidentFilters, orderOf, placesInTower, sorts } from '../model/search/filters.js'
import { parseSearch, reporterQuery } from '../model/search/searchWords.js'
import { assigneeFrom, assigneeOption } from './update/assigneeInput.js'

const text = z.string('not_acceptable')

/**
 * What each filter may be, by its parameter, in the order of the API description. What a filter
 * means in SQL stands under its name in `IncidentFilters`; `filtersFrom` looks up what differs.
 * Days and local times are in the property's zone. `reporter` (a name or an address) and `assignee`
 * are for staff.
 */
const listFilters = (zone: string) => ({
  q: text.optional(),
  status: z.enum(statuses, 'not_acceptable').optional(),
  open: queryFlag.optional(),
  severity: z.enum(severities, 'not_acceptable').optional(),
  towerId: queryId.optional(),
  assetId: queryId.optional(),
  unitId: queryId.optional(),
  from: queryTime('from', zone).optional(),
  to: queryTime('to', zone, { end: true }).optional(),
  reporter: text.optional(),
  assignee: assigneeOption.optional(),
  includeMerged: queryFlag.optional(),
})

/** The parameter of a filter. */
export type ListFilter = keyof ReturnType<typeof listFilters>

/**
 * Filters, order and page of the list (spec §4, decisions 2.11, 7.30). The order `due` is for
 * staff.
 */
export const IncidentQuery = ({ zone }: Pick<InputPlace, 'zone'>) =>
  z.object({
    ...listFilters(zone),
    sort: z.enum(sorts, 'not_acceptable').optional(),
    after: text.optional(),
    before: queryId.optional(),
    limit: queryId.optional(),
  })

/**
 * Makes a new parameter that is no field of `IncidentFilters` a type error, so that `filtersFrom`
 * must translate it.
 */
type FiltersOfSameName<Parameters> = {
  [Name in keyof Parameters]: Name extends keyof IncidentFilters ? IncidentFilters[Name] : never
}

type RequestedFilters = Omit<z.output<ReturnType<typeof IncidentQuery>>, 'limit'>

/**
 * The filters of a request. Throws 401 or 403 for filters that are for staff alone, 400 for an end
 * that belongs to no page.
 */
export async function filtersFrom(ctx: Context, requested: RequestedFilters): Promise<IncidentFilters> {
  const { q, towerId, reporter, assignee, after, ...others } = requested
  const sameName: FiltersOfSameName<typeof others> = others
  if (reporter !== undefined || assignee || requested.sort === 'due') requireStaff(ctx)
  if (requested.unitId !== undefined && !(await mayFilterByUnit(ctx)))
    throw rejectQuery('unitId', { problems: { unitId: ['unit_filter_hidden'] } })
  const { assigneeId, contactId } = assigneeFrom({ assignee, dueOn: undefined })
  const [search, places, reports] = await Promise.all([
    q?.trim() ? parseSearch(q, ctx.state.viewer.staff, await mayFilterByUnit(ctx)) : undefined,
    towerId === undefined ? undefined : placesInTower(towerId),
    reporter?.trim() ? reporterQuery(reporter) : undefined,
  ])
  const filters: IncidentFilters = { ...sameName, search, places, reporter: reports, assigneeId, contactId }
  if (after === undefined) return filters
  const { key } = orderOf(filters)
  if (!key) throw rejectQuery('after')
  return { ...filters, after: parseEndOfPage(after, key.type) }
}

/** Whether this reader may look for flats: a hit tells which flat it is about (decision 7.13). */
export async function mayFilterByUnit({ state: { viewer } }: Context): Promise<boolean> {
  return seesUnits(viewer, (await Property.current()).unitVisibility)
}

function requireStaff(ctx: Context): void {
  if (ctx.state.principal === 'guest') throw unauthenticated()
  requirePermission(ctx, 'office.read')
}

/** Where the page after these rows starts; null on the last one. */
export function nextPage(
  filters: IncidentFilters,
  { rows, more }: { rows: readonly { id: number; sortValue?: string }[]; more: boolean },
): Record<string, string> | null {
  const last = more ? rows.at(-1) : undefined
  if (!last) return null
  const { id, sortValue } = last
  return orderOf(filters).key ? { after: endOfPage({ id, value: sortValue! }) } : { before: String(id) }
}
