import { z } from 'zod'
import { Asset, Property, Tower, Unit } from '../../building/building.js'
import type { Context } from '../../platform/http/context.js'
import { can, requirePermission, unauthenticated } from '../../platform/http/request/allow.js'
import { queryFlag, queryId, queryTime, rejectQuery } from '../../platform/http/request/input.js'
import { endOfPage, parseEndOfPage } from '../../platform/http/request/paging.js'
import type { InputPlace } from '../../platform/http/route/fields.js'
import { own } from '../../vocabulary/collections.js'
import { statuses } from '../../vocabulary/lifecycle.js'
import { seesUnits } from '../../vocabulary/people/visibility.js'
import { severities } from '../../vocabulary/severity.js'
import { type IncidentFilters, orderOf, placesInTower, sorts } from '../model/filters.js'
import { Incident, type ListedIncident } from '../model/incident.js'
import { closedAs, reportedByStaff } from '../model/json.js'
import { numberIn, reportedBy, soughtBy } from '../model/searchWords.js'
import { assigneeFields, assigneeFrom, assigneeOptions } from './answerForm.js'
import { deskFacts } from './deskJson.js'

const text = z.string('not_acceptable')

/**
 * Filters and order of the list (spec §4, decisions 2.11, 7.30); days and local times are in the
 * property's zone. `reporter` (a name or an address), `assignee` and the order `due` are for staff.
 */
export const IncidentQuery = ({ zone }: Pick<InputPlace, 'zone'>) =>
  z.object({
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
    assignee: assigneeFields.assignee.unwrap().unwrap().optional(),
    includeMerged: queryFlag.optional(),
    sort: z.enum(sorts, 'not_acceptable').optional(),
    after: text.optional(),
    before: queryId.optional(),
    limit: queryId.optional(),
  })

type Asked = Omit<z.output<ReturnType<typeof IncidentQuery>>, 'limit'>

/**
 * The filters of a request. Throws 401 or 403 for filters that are for staff alone, 400 for an end
 * that belongs to no page.
 */
export async function filtersFrom(ctx: Context, asked: Asked): Promise<IncidentFilters> {
  const { q, towerId, reporter, assignee, after, ...simple } = asked
  if (reporter !== undefined || assignee || asked.sort === 'due') requireStaff(ctx)
  if (asked.unitId !== undefined && !(await maySee(ctx)))
    throw rejectQuery('unitId', { problems: { unitId: ['unit_filter_hidden'] } })
  const { assigneeId, contactId } = assigneeFrom({ assignee, dueOn: undefined })
  const [sought, places, reports] = await Promise.all([
    q?.trim() ? soughtBy(q, ctx.state.viewer.staff, await maySee(ctx)) : undefined,
    towerId === undefined ? undefined : placesInTower(towerId),
    reporter?.trim() ? reportedBy(reporter) : undefined,
  ])
  const filters: IncidentFilters = { ...simple, sought, places, reporter: reports, assigneeId, contactId }
  if (after === undefined) return filters
  const { key } = orderOf(filters)
  if (!key) throw rejectQuery('after')
  return { ...filters, after: parseEndOfPage(after, key.type) }
}

/** Whether this reader may look for flats: a hit tells which flat it is about (decision 7.13). */
async function maySee({ state: { viewer } }: Context): Promise<boolean> {
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
  const asked = ctx.query as Record<string, string>
  const [assets, towers, units, facts, exact, assignees] = await Promise.all([
    Asset.inUse(),
    Tower.all(),
    maySee(ctx).then((may) => (may ? Unit.all() : [])),
    deskFacts(rows.map(({ id }) => id)),
    exactly(asked.q, rows),
    can(ctx, 'office.read') ? assigneeOptions(ctx) : [],
  ])
  const form = { assets, towers, units, assignees }
  const chosen = inWords(ctx, asked, form)
  const p = ctx.state.text.incidents
  const said = [asked.q?.trim(), p.found(rows.length, more)].filter(Boolean).join(': ')
  return {
    ...form,
    asked,
    more,
    facts,
    exact,
    chosen,
    said,
    heading: chosen.length > 0 ? said : p.title,
    sorts: sorts.filter((sort) => sort !== 'due' || can(ctx, 'office.read')),
    byStaff: reportedByStaff(rows),
    closedAs: closedAs(rows),
  }
}

/** The incident of the number in `q`, when the page does not show it: a duplicate, or far down. */
async function exactly(q: string | undefined, rows: readonly ListedIncident[]) {
  const number = numberIn(q ?? '')
  if (number === null || rows.some(({ id }) => id === number)) return null
  const sought = await soughtBy(`#${number}`, false)
  const found = await Incident.list({ sought, includeMerged: true, limit: 2 })
  return found.rows.find(({ id }) => id === number) ?? null
}

type Form = {
  assets: readonly Asset[]
  towers: readonly Tower[]
  units: readonly Unit[]
  assignees: readonly [value: string, label: string][]
}

/** Each filter in use, as the page says it and takes it away. */
function inWords({ state: { text: t } }: Context, asked: Record<string, string>, form: Form) {
  const p = t.incidents
  const named = (list: readonly { id: number; name: string }[], id: string) =>
    list.find((each) => String(each.id) === id)?.name ?? `#${id}`
  const says: Record<string, (value: string) => string> = {
    q: (words) => p.words(words),
    status: (status) => `${p.status}: ${own<string>(t.status, status)}`,
    open: () => p.openOnly,
    severity: (severity) => `${p.severity}: ${own<string>(t.severity, severity)}`,
    towerId: (id) => `${p.tower}: ${named(form.towers, id)}`,
    assetId: (id) => `${p.place}: ${named(form.assets, id)}`,
    unitId: (id) => `${p.flat}: ${named(form.units, id)}`,
    from: (day) => `${p.from}: ${day}`,
    to: (day) => `${p.to}: ${day}`,
    reporter: (name) => `${p.reporter}: ${name}`,
    assignee: (assignee) => `${t.answers.assignee}: ${nameOfAssignee(assignee)}`,
    includeMerged: () => p.includeMerged,
  }
  const nameOfAssignee = (assignee: string) =>
    assignee === 'nobody'
      ? t.answers.noOne
      : (form.assignees.find(([value]) => value === assignee)?.[1] ?? assignee)
  return Object.entries(says)
    .filter(([name]) => asked[name] && asked[name] !== 'false' && asked[name].trim() !== '')
    .map(([name, say]) => ({ name, said: say(asked[name]!) }))
}
