import { z } from 'zod'
import { Asset, Property, Tower, Unit } from '../../building/building.js'
import type { Context } from '../../platform/http/context.js'
import { can, requirePermission, unauthenticated } from '../../platform/http/request/allow.js'
import { endOfPage, parseEndOfPage } from '../../platform/http/request/paging.js'
import { queryFlag, queryId, queryTime, rejectQuery } from '../../platform/http/request/query.js'
import type { InputPlace } from '../../platform/http/route/fields.js'
import type { Text } from '../../text/index.js'
import { own } from '../../vocabulary/collections.js'
import { statuses } from '../../vocabulary/lifecycle.js'
import { seesUnits } from '../../vocabulary/people/visibility.js'
import { severities } from '../../vocabulary/severity.js'
import type { ListedIncident } from '../model/entity.js'
import { closedAs, reportedByStaff } from '../model/json/incidentJson.js'
import { listIncidents } from '../model/listedIncidents.js'
import { rowFacts } from '../model/rowFacts.js'
import { type IncidentFilters, orderOf, placesInTower, sorts } from '../model/search/filters.js'
import { parseSearch, possibleIncidentNumber, reporterQuery } from '../model/search/searchWords.js'
import { assigneeFields, assigneeFrom, assigneeOptions } from './update/assigneeInput.js'

const text = z.string('not_acceptable')

/** What the controls of the filters offer. */
type FilterForm = {
  assets: readonly Asset[]
  towers: readonly Tower[]
  units: readonly Unit[]
  assignees: readonly [value: string, label: string][]
}

/** What the label of a filter in use is made from. */
type LabelSource = { t: Text; p: Text['incidents']; form: FilterForm }

/** A filter of the list: what its parameter may be, and how the page names it while in use. */
type ListFilter = {
  schema: (zone: string) => z.ZodType
  label: (value: string, source: LabelSource) => string
}

const nameOf = (places: readonly { id: number; name: string }[], id: string) =>
  places.find((place) => String(place.id) === id)?.name ?? `#${id}`

/**
 * The filters by their parameters, in the order of the API description and the page. What a filter
 * means in SQL stands under its name in `IncidentFilters`; `filtersFrom` looks up what differs.
 * Days and local times are in the property's zone. `reporter` (a name or an address) and `assignee`
 * are for staff.
 */
const listFilters = {
  q: {
    schema: () => text.optional(),
    label: (words, { p }) => p.words(words),
  },
  status: {
    schema: () => z.enum(statuses, 'not_acceptable').optional(),
    label: (status, { t, p }) => `${p.status}: ${own<string>(t.status, status)}`,
  },
  open: {
    schema: () => queryFlag.optional(),
    label: (_value, { p }) => p.openOnly,
  },
  severity: {
    schema: () => z.enum(severities, 'not_acceptable').optional(),
    label: (severity, { t, p }) => `${p.severity}: ${own<string>(t.severity, severity)}`,
  },
  towerId: {
    schema: () => queryId.optional(),
    label: (id, { p, form }) => `${p.tower}: ${nameOf(form.towers, id)}`,
  },
  assetId: {
    schema: () => queryId.optional(),
    label: (id, { p, form }) => `${p.place}: ${nameOf(form.assets, id)}`,
  },
  unitId: {
    schema: () => queryId.optional(),
    label: (id, { p, form }) => `${p.flat}: ${nameOf(form.units, id)}`,
  },
  from: {
    schema: (zone) => queryTime('from', zone).optional(),
    label: (day, { p }) => `${p.from}: ${day}`,
  },
  to: {
    schema: (zone) => queryTime('to', zone, { end: true }).optional(),
    label: (day, { p }) => `${p.to}: ${day}`,
  },
  reporter: {
    schema: () => text.optional(),
    label: (name, { p }) => `${p.reporter}: ${name}`,
  },
  assignee: {
    schema: () => assigneeFields.assignee.unwrap().unwrap().optional(),
    label: (assignee, { t, form }) => `${t.answers.assignee}: ${nameOfAssignee(assignee, t, form)}`,
  },
  includeMerged: {
    schema: () => queryFlag.optional(),
    label: (_value, { p }) => p.includeMerged,
  },
} as const satisfies Record<string, ListFilter>

function nameOfAssignee(assignee: string, t: Text, { assignees }: FilterForm): string {
  if (assignee === 'nobody') return t.answers.noOne
  return assignees.find(([value]) => value === assignee)?.[1] ?? assignee
}

type ListFilters = typeof listFilters
type FilterSchemas = { [Name in keyof ListFilters]: ReturnType<ListFilters[Name]['schema']> }

const filterSchemas = (zone: string) =>
  Object.fromEntries(
    Object.entries(listFilters).map(([name, { schema }]) => [name, schema(zone)]),
  ) as FilterSchemas

/**
 * Filters, order and page of the list (spec §4, decisions 2.11, 7.30). The order `due` is for
 * staff.
 */
export const IncidentQuery = ({ zone }: Pick<InputPlace, 'zone'>) =>
  z.object({
    ...filterSchemas(zone),
    sort: z.enum(sorts, 'not_acceptable').optional(),
    after: text.optional(),
    before: queryId.optional(),
    limit: queryId.optional(),
  })

/**
 * Makes a new parameter that is no field of `IncidentFilters` a type error, so that `filtersFrom`
 * must translate it.
 */
type NamedAlike<Parameters> = {
  [Name in keyof Parameters]: Name extends keyof IncidentFilters ? IncidentFilters[Name] : never
}

type RequestedFilters = Omit<z.output<ReturnType<typeof IncidentQuery>>, 'limit'>

/**
 * The filters of a request. Throws 401 or 403 for filters that are for staff alone, 400 for an end
 * that belongs to no page.
 */
export async function filtersFrom(ctx: Context, requested: RequestedFilters): Promise<IncidentFilters> {
  const { q, towerId, reporter, assignee, after, ...others } = requested
  const namedAlike: NamedAlike<typeof others> = others
  if (reporter !== undefined || assignee || requested.sort === 'due') requireStaff(ctx)
  if (requested.unitId !== undefined && !(await mayFilterByUnit(ctx)))
    throw rejectQuery('unitId', { problems: { unitId: ['unit_filter_hidden'] } })
  const { assigneeId, contactId } = assigneeFrom({ assignee, dueOn: undefined })
  const [search, places, reports] = await Promise.all([
    q?.trim() ? parseSearch(q, ctx.state.viewer.staff, await mayFilterByUnit(ctx)) : undefined,
    towerId === undefined ? undefined : placesInTower(towerId),
    reporter?.trim() ? reporterQuery(reporter) : undefined,
  ])
  const filters: IncidentFilters = { ...namedAlike, search, places, reporter: reports, assigneeId, contactId }
  if (after === undefined) return filters
  const { key } = orderOf(filters)
  if (!key) throw rejectQuery('after')
  return { ...filters, after: parseEndOfPage(after, key.type) }
}

/** Whether this reader may look for flats: a hit tells which flat it is about (decision 7.13). */
async function mayFilterByUnit({ state: { viewer } }: Context): Promise<boolean> {
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

/** What only the page needs: the form, the filters in words, and what each row shows besides. */
export async function incidentListPage(ctx: Context, rows: readonly ListedIncident[], more: boolean) {
  const sent = ctx.query as Record<string, string>
  const [assets, towers, units, facts, incidentOfNumber, assignees] = await Promise.all([
    Asset.inUse(),
    Tower.all(),
    mayFilterByUnit(ctx).then((may) => (may ? Unit.all() : [])),
    rowFacts(rows.map(({ id }) => id)),
    findByNumber(sent.q, rows),
    can(ctx, 'office.read') ? assigneeOptions(ctx) : [],
  ])
  const form = { assets, towers, units, assignees }
  const chosen = filtersInUse(ctx, sent, form)
  const p = ctx.state.text.incidents
  const summary = [sent.q?.trim(), p.found(rows.length, more)].filter(Boolean).join(': ')
  return {
    ...form,
    asked: sent,
    more,
    facts,
    exact: incidentOfNumber,
    chosen,
    summary,
    heading: chosen.length > 0 ? summary : p.title,
    sorts: sorts.filter((sort) => sort !== 'due' || can(ctx, 'office.read')),
    byStaff: reportedByStaff(rows),
    closedAs: closedAs(rows),
  }
}

/** The incident of the number in `q`, when the page does not show it: a duplicate, or far down. */
async function findByNumber(q: string | undefined, rows: readonly ListedIncident[]) {
  const number = possibleIncidentNumber(q ?? '')
  if (number === null || rows.some(({ id }) => id === number)) return null
  const search = await parseSearch(`#${number}`, false)
  const { rows: hits } = await listIncidents({ search, includeMerged: true, limit: 2 })
  return hits.find(({ id }) => id === number) ?? null
}

/** Each filter in use, as the page names it and offers to leave it out. */
function filtersInUse({ state: { text } }: Context, sent: Record<string, string>, form: FilterForm) {
  return Object.entries(listFilters)
    .filter(([name]) => sent[name] && sent[name] !== 'false' && sent[name].trim() !== '')
    .map(([name, { label }]) => ({ name, label: label(sent[name]!, { t: text, p: text.incidents, form }) }))
}
