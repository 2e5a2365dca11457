import { z } from 'zod'
import { own } from '../../../vocabulary/collections.js'
import { parseId } from '../../../vocabulary/limits.js'
import { byId, type Listing, type ListPage, type ListQuery } from '../../db/listing.js'
import { sealing } from '../../process/sealing.js'
import type { Context } from '../context.js'
import { type Format, formatFor } from '../format/format.js'
import { isApi, noticeParameters } from '../paths.js'
import { can } from '../request/allow.js'
import { endOfPage, linkNext, PageQuery, parseEndOfPage, rowsOf } from '../request/paging.js'
import { rejectQuery } from '../request/query.js'
import { versionOf } from './recordActs.js'
import type { Resource } from './resource.js'

type Listable = {
  listing: Listing
  /** The order where the address names none: of the page, and of the JSON, else newest first. */
  order?: string | undefined
  jsonOrder?: string | undefined
  filters?: { schema: Record<string, z.ZodType> } | undefined
}

type Sort = Listing['sorts'][string]

const ListParameters = z.object({
  q: z.string('not_acceptable').max(200, 'not_acceptable').optional(),
  sort: z.string('not_acceptable').optional(),
  after: z.string('not_acceptable').optional(),
  ...PageQuery.shape,
})

/** The query of a list: search, order, page and the list's filters. */
export function listQuery({ filters }: Pick<Listable, 'filters'>): z.ZodObject {
  return z.object({ ...ListParameters.shape, ...filters?.schema })
}

/** Makes a ListQuery of what `listQuery` read. Throws 400 for unknown values (decision 2.11). */
export function parseListQuery(
  ctx: Context,
  query: Record<string, unknown>,
  { listing, order: pageOrder, jsonOrder }: Listable,
): ListQuery {
  const {
    q,
    before,
    limit,
    after,
    sort = isApi(ctx.path) ? jsonOrder : pageOrder,
    ...filters
  } = query as z.output<typeof ListParameters>
  const order = own<Sort>(listing.sorts, sort?.replace(/^-/, ''))
  if (sort !== undefined && !order) throw rejectQuery('sort', { allowed: directionsOf(listing.sorts) })
  return {
    q,
    before,
    sort,
    after: after === undefined ? undefined : parseEndOfPage(after, (order ?? byId).type),
    limit: rowsOf(ctx, limit),
    filters,
  }
}

/** The orders as an address has them: up, and down with a minus sign. */
const directionsOf = (sorts: object): string[] => Object.keys(sorts).flatMap((name) => [name, `-${name}`])

/** As `linkNext`, for the page after this one's last row. */
export function linkMore(ctx: Context, { sort }: ListQuery, more: ListPage<unknown>['more']): string | null {
  if (!more) return null
  return linkNext(ctx, sort === undefined ? { before: String(more.id) } : { after: endOfPage(more) })
}

type Extras = Record<string, unknown>
type AnyRow = { id: number }

/** What every page of a resource shares. */
function resourcePage<R extends AnyRow>(ctx: Context, { path, words }: Resource<R>): Extras {
  return { list: `/admin/${path}`, words: words(ctx.state.text) }
}

async function viewOf(ctx: Context): Promise<{ t: Context['state']['text']; h: Format }> {
  const { property } = await ctx.state.building()
  return { t: ctx.state.text, h: formatFor(ctx.state.locale, property.timezone) }
}

/** A list of at most so many records without filters needs no search. */
const fewRows = 8

/** Whether a list shows its search: where it helps, and where something is searched for. */
function hasSearch(
  query: Context['query'],
  list: { rows: number; hasMore: boolean; filters: number },
): boolean {
  // `was` names the record that was deleted just before.
  const isSearched = Object.keys(query).some((name) => name !== 'was' && !noticeParameters.includes(name))
  const isLong = list.hasMore || list.rows > fewRows
  return isSearched || isLong || (list.rows > 0 && list.filters > 0)
}

/** The parameters besides the filters that leave rows out of a list. */
const narrowing = ['q', 'before', 'after']

/** Whether an empty list may be empty because of what is searched for. */
function isNarrowed(query: Context['query'], { filters }: Pick<Listable, 'filters'>): boolean {
  const names = [...narrowing, ...Object.keys(filters?.schema ?? {})]
  return names.some((name) => Boolean(query[name]))
}

/** Of what was deleted, in the list's address: sealed, as no link may put words into a notice. */
export const deletedName = sealing('deleted')

/** The list page: columns and cells as text, so that one template serves every resource. */
export async function listPage<R extends AnyRow>(
  ctx: Context,
  resource: Resource<R>,
  { rows, next, wanted }: { rows: R[]; next: string | null; wanted: ListQuery },
): Promise<Extras> {
  const view = await viewOf(ctx)
  const deleted = typeof ctx.query.was === 'string' ? deletedName.open(ctx.query.was) : null
  const filterFields = (await resource.filters?.fields(ctx)) ?? []
  // Whether something is archived is said only where something is.
  const columns = resource.columns.filter(
    ({ name, cell }) => name !== 'archivedAt' || rows.some((row) => cell(row, view)),
  )
  return {
    ...resourcePage(ctx, resource),
    next,
    wanted,
    name: deleted,
    canUndelete: deleted !== null && resource.acts.undelete !== null,
    links: linksOf(ctx, resource),
    above: resource.above && { view: resource.above.view, data: await resource.above.load() },
    moves: wanted.sort === 'order' && !wanted.q ? resource.moves : undefined,
    query: ctx.query,
    hasSearch: hasSearch(ctx.query, {
      rows: rows.length,
      hasMore: next !== null,
      filters: filterFields.length,
    }),
    isNarrowed: isNarrowed(ctx.query, resource),
    filterFields,
    columns: columns.map(({ name, sort }) => ({ name, ...sorting(sort, wanted) })),
    rows: rows.map((row) => ({
      id: row.id,
      name: resource.nameOf(row),
      cells: columns.map(({ name, cell, isAmount }) => ({ name, isAmount, text: cell(row, view) })),
    })),
  }
}

/** The pages that the head of this person's list leads to. */
function linksOf<R extends AnyRow>(ctx: Context, { links = [] }: Resource<R>) {
  const open = links.filter(({ permission }) => can(ctx, permission))
  return open.map(({ href, label }) => ({ href, label: label(ctx.state.text) }))
}

/** The column's current direction, and the `sort` its heading links to; null where it has none. */
function sorting(sort: string | undefined, wanted: ListQuery) {
  if (sort === undefined) return { direction: null, asks: null }
  if (wanted.sort === sort) return { direction: 'ascending', asks: `-${sort}` }
  return { direction: wanted.sort === `-${sort}` ? 'descending' : null, asks: sort }
}

/** The form of a new record; the address may fill in the resource's `fromAddress` fields. */
export async function newPage<R extends AnyRow>(ctx: Context, resource: Resource<R>): Promise<Extras> {
  const entries = (resource.fromAddress ?? []).map((name) => [name, ctx.query[name]] as const)
  const filled = Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
  return { ...(await formPage(ctx, resource, null)), values: { ...resource.defaults, ...filled } }
}

/** The form of a record, with the parts below it. */
export async function editPage<R extends AnyRow>(
  ctx: Context,
  resource: Resource<R>,
  row: R,
): Promise<Extras> {
  return { ...(await formPage(ctx, resource, row)), values: await formValues(ctx, resource, row) }
}

/** The page of a refused form; if the record was deleted meanwhile, the form creates it again. */
export async function refusedPage<R extends AnyRow>(ctx: Context, resource: Resource<R>): Promise<Extras> {
  const id = parseId(ctx.params.id)
  const row = id === null ? null : await resource.find(id)
  return {
    ...(await formPage(ctx, resource, row)),
    stored: row ? await formValues(ctx, resource, row) : null,
  }
}

async function formPage<R extends AnyRow>(
  ctx: Context,
  resource: Resource<R>,
  row: R | null,
): Promise<Extras> {
  const list = `/admin/${resource.path}`
  return {
    ...resourcePage(ctx, resource),
    id: row?.id ?? null,
    name: row ? resource.nameOf(row) : null,
    action: row ? `${list}/${row.id}` : list,
    recordVersion: row ? versionOf(resource.kind, row) : null,
    fields: await resource.fields(ctx),
    archive: row && archiveForm(resource, row),
    previews: resource.preview && `${row ? `${list}/${row.id}` : list}/preview`,
    below: row && resource.below ? resource.below.view : null,
    belowData: row && resource.below ? await resource.below.load(row, ctx) : null,
  }
}

/** The form that archives a record or takes it back; null when records cannot be archived. */
function archiveForm<R extends AnyRow>({ path, archives }: Resource<R>, row: R) {
  if (!archives) return null
  const archived = (row as { archivedAt?: unknown }).archivedAt !== null
  return { archived, action: `/admin/${path}/${row.id}/${archived ? 'unarchive' : 'archive'}` }
}

async function formValues<R extends AnyRow>(ctx: Context, resource: Resource<R>, row: R): Promise<Extras> {
  return { ...row, ...resource.values?.(row, await viewOf(ctx)) }
}

/** The confirmation page of a deletion, with the dependent records. */
export async function deletePage<R extends AnyRow>(
  ctx: Context,
  resource: Resource<R>,
  row: R,
): Promise<Extras> {
  const dependents = (await resource.dependents?.(row, ctx.state.text)) ?? []
  return {
    ...resourcePage(ctx, resource),
    name: resource.nameOf(row),
    action: ctx.path,
    canUndo: resource.acts.undelete !== null,
    archive: archiveForm(resource, row),
    back: `/admin/${resource.path}/${row.id}`,
    dependents: dependents.filter(({ count }) => count > 0),
    blocked: dependents.some(({ count, blocks }) => count > 0 && blocks),
  }
}
