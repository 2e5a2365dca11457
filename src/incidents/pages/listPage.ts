import { Asset, Tower, Unit } from '../../building/building.js'
import type { Context } from '../../platform/http/context.js'
import { can } from '../../platform/http/request/allow.js'
import type { Text } from '../../text/index.js'
import { own } from '../../vocabulary/collections.js'
import type { ListedIncident } from '../model/entity.js'
import { closedAs, reportedByStaff } from '../model/json/incidentJson.js'
import { listIncidents } from '../model/listedIncidents.js'
import { rowFacts } from '../model/rowFacts.js'
import { sorts } from '../model/search/filters.js'
import { parseSearch, possibleIncidentNumber } from '../model/search/searchWords.js'
import { type ListFilter, mayFilterByUnit } from './listQuery.js'
import { assigneeOptions } from './update/assigneeInput.js'

/** What only the page needs: the form, the filters in words, and what each row shows besides. */
export async function incidentListPage(ctx: Context, rows: readonly ListedIncident[], more: boolean) {
  const query = ctx.query as Record<string, string>
  const [assets, towers, units, facts, incidentOfNumber, assignees] = await Promise.all([
    Asset.inUse(),
    Tower.all(),
    mayFilterByUnit(ctx).then((may) => (may ? Unit.all() : [])),
    rowFacts(rows.map(({ id }) => id)),
    findByNumber(query.q, rows),
    can(ctx, 'office.read') ? assigneeOptions(ctx) : [],
  ])
  const form = { assets, towers, units, assignees }
  const filtersInUse = describeFilters(ctx, query, form)
  const p = ctx.state.text.incidents
  const words = query.q?.trim()
  const summary = [words, p.found(rows.length, more)].filter(Boolean).join(': ')
  return {
    ...form,
    query,
    more,
    facts,
    incidentOfNumber,
    filtersInUse,
    summary,
    heading: filtersInUse.length > 0 ? summary : p.title,
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
function describeFilters({ state: { text } }: Context, query: Record<string, string>, form: FilterForm) {
  return Object.entries(filterLabels)
    .filter(([name]) => isInUse(name as ListFilter, query[name] ?? ''))
    .map(([name, label]) => ({ name, label: label(query[name]!, { t: text, p: text.incidents, form }) }))
}

/** The filters that are on or off; in the others "false" is a word. */
const flags: readonly ListFilter[] = ['open', 'includeMerged']

function isInUse(name: ListFilter, value: string): boolean {
  return value.trim() !== '' && !(flags.includes(name) && value === 'false')
}

/** What the controls of the filters offer. */
type FilterForm = {
  assets: readonly Asset[]
  towers: readonly Tower[]
  units: readonly Unit[]
  assignees: readonly [value: string, label: string][]
}

/** What the label of a filter in use is made from. */
type LabelSource = { t: Text; p: Text['incidents']; form: FilterForm }

/** How the page names each filter while it is in use, in the order of the page. */
const filterLabels: Record<ListFilter, (value: string, source: LabelSource) => string> = {
  q: (words, { p }) => p.words(words),
  status: (status, { t, p }) => `${p.status}: ${own<string>(t.status, status)}`,
  open: (_value, { p }) => p.openOnly,
  severity: (severity, { t, p }) => `${p.severity}: ${own<string>(t.severity, severity)}`,
  towerId: (id, { p, form }) => `${p.tower}: ${nameOf(form.towers, id)}`,
  assetId: (id, { p, form }) => `${p.place}: ${nameOf(form.assets, id)}`,
  unitId: (id, { p, form }) => `${p.flat}: ${nameOf(form.units, id)}`,
  from: (day, { p }) => `${p.from}: ${day}`,
  to: (day, { p }) => `${p.to}: ${day}`,
  reporter: (name, { p }) => `${p.reporter}: ${name}`,
  assignee: (assignee, { t, form }) => `${t.answers.assignee}: ${nameOfAssignee(assignee, t, form)}`,
  includeMerged: (_value, { p }) => p.includeMerged,
}

function nameOf(places: readonly { id: number; name: string }[], id: string): string {
  return places.find((place) => String(place.id) === id)?.name ?? `#${id}`
}

function nameOfAssignee(assignee: string, t: Text, { assignees }: FilterForm): string {
  if (assignee === 'nobody') return t.answers.noOne
  return assignees.find(([value]) => value === assignee)?.[1] ?? assignee
}
