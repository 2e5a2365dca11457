import { z } from 'zod'
import { Asset, Unit } from '../../building/building.js'
import { followBox } from '../../notifications/follow/followers.js'
import { query } from '../../platform/db/database.js'
import type { Answer } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { formatFor } from '../../platform/http/format/format.js'
import { addressFor } from '../../platform/http/paths.js'
import { representationOf } from '../../platform/http/representation.js'
import { pathId, queryOf } from '../../platform/http/request/query.js'
import { authorTag } from '../../platform/http/session/csrf.js'
import { latestStatement } from '../../status/queries/latestStatement.js'
import { nextStatuses, refuseMerged } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { costsOf, presentCosts } from '../acts/costs.js'
import { undoableMerges } from '../acts/merge/unmergeIncident.js'
import { nextActs } from '../acts/oneTapActs.js'
import { mayUndoConfirmation } from '../acts/undoConfirmation.js'
import { assigneeNames, noAssignee } from '../model/assignee.js'
import {
  candidatesFor,
  type DuplicateCandidate,
  likely,
  mostAlike,
  searchedFor,
  similarity,
} from '../model/duplicates.js'
import { editableNames, type ListedIncident } from '../model/entity.js'
import { affectedBy, isFollowed } from '../model/followers.js'
import { Incident } from '../model/incident.js'
import {
  acknowledgementDue,
  type PointerJson,
  type PresentedDetail,
  presentIncidentDetail,
  reportedByStaff,
} from '../model/json.js'
import { findListedIncident } from '../model/listedIncidents.js'
import { notesOf, presentNote } from '../model/notes.js'
import type { IncidentPhoto } from '../model/photos.js'
import type { TimelineUpdate } from '../model/timeline/timelineEntries.js'
import { reportEmails, unfoldedEmails } from '../model/wholeEmails.js'
import { formVersion, updateForm } from './update/updateForm.js'

type Note = ReturnType<typeof presentNote>

/** An entry of the timeline: an update, a duplicate's report or, for staff, a note. */
type TimelineEntry = { at: string } & (
  | { duplicate: PresentedDetail['duplicates'][number] }
  | { update: PresentedDetail['updates'][number] }
  | { note: Note }
)

/** The page's timeline, newest first. */
function timelineOf(detail: PresentedDetail, notes: readonly Note[]): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...detail.duplicates.map((duplicate) => ({ at: duplicate.createdAt, duplicate })),
    ...detail.updates.map((update) => ({ at: update.createdAt, update })),
    ...notes.map((note) => ({ at: note.createdAt, note })),
  ]
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).reverse()
}

/** The notes of the time that a page of the timeline shows. */
async function notesBetween(incidentId: number, since: Date | null, before: Date | null): Promise<Note[]> {
  const notes = await notesOf(incidentId)
  return notes
    .filter(({ createdAt }) => (!since || createdAt >= since) && (!before || createdAt < before))
    .map((note) => presentNote(note, incidentId))
}

/** Search words for duplicates. */
const FindQuery = z.object({ find: z.string('not_acceptable').default('') })

/** Likely duplicates offered at once. */
const mostSuggested = 6

/** An incident with its timeline and photos, as this viewer may see it. Throws NotFound. */
export async function detailOf(id: number, viewer: Viewer): Promise<PresentedDetail> {
  return (await presented(orNotFound(await findListedIncident(id)), viewer)).data
}

/** The incident whose times its forms show; null when there is none. */
export async function shownIncident({ params }: { params: Record<string, unknown> }) {
  const incident = await Incident.query().findById(params.id as number)
  return incident ?? null
}

type IncidentAnswer = Answer & {
  data: PresentedDetail | z.output<typeof PointerJson>
  /** The query of the page with what came earlier. */
  older?: { before: string } | null
}

/**
 * An incident's page and JSON; for a merged duplicate the pointer to its survivor (decision 2.6).
 * `before`: what came before this instant, when all of it was too much for one page.
 */
export async function incidentAnswer(
  ctx: Context,
  id = pathId(ctx),
  before: Date | null = null,
): Promise<IncidentAnswer> {
  const version = await formVersion(ctx, id)
  const row = orNotFound(await findListedIncident(id))
  if (row.mergedIntoId !== null) return pointerAnswer(ctx, row.id, row.mergedIntoId)
  const isPage = representationOf(ctx) !== 'json'
  const { data, duplicates, ...left } = await presented(row, ctx.state.viewer, { before, isPage })
  const older = left.older && { before: left.older.toISOString() }
  const next = older && `/incidents/${id}?${new URLSearchParams(older)}`
  if (!isPage) return { data, older, view: 'incidents/show' }
  const notes = ctx.state.viewer.staff ? await notesBetween(id, left.older, before) : []
  const timeline = { entries: timelineOf(data, notes), next, isOlder: before !== null }
  const emails = await unfoldedEmails(wholeEmailIds(data, notes))
  const extras = { ...(await pageOnly(ctx, [row, ...duplicates])), timeline, emails, version }
  return { data, older, view: 'incidents/show', extras }
}

/**
 * The same page after a refused comment form, with what was typed and the staged photos. Throws
 * NotFound, and Conflict for a merged duplicate, which has no page.
 */
export async function incidentPage(ctx: Context): Promise<Record<string, unknown>> {
  refuseMerged(orNotFound(await findListedIncident(pathId(ctx))))
  const { data, extras } = await incidentAnswer(ctx)
  return { data, ...extras }
}

function pointerAnswer(ctx: Context, id: number, mergedInto: number): IncidentAnswer {
  const page = `/incidents/${mergedInto}`
  return { data: { id, mergedInto, redirectTo: addressFor(ctx, page) }, location: page, notice: 'merged' }
}

/** The emails that the page of a timeline unfolds: only staff are given any. */
function wholeEmailIds({ wholeEmailId, duplicates, updates }: PresentedDetail, notes: readonly Note[]) {
  const ids = [
    wholeEmailId,
    ...duplicates.map((duplicate) => duplicate.wholeEmailId),
    ...updates.map((update) => update.wholeEmailId),
    ...notes.map((note) => note.wholeEmailId),
  ]
  return ids.filter((id) => id !== undefined)
}

/** `isPage`: for people, on a page that unfolds whole emails and notes for staff. */
async function presented(
  row: ListedIncident,
  viewer: Viewer,
  { before = null, isPage = false }: { before?: Date | null; isPage?: boolean } = {},
) {
  const [affected, assignee, { older, ...family }] = await Promise.all([
    affectedBy(row.id),
    viewer.staff ? assigneeNames(row.id) : noAssignee,
    familyPage(row.id, { before, withEmails: isPage && viewer.staff }),
  ])
  const { duplicates } = family
  const reportedByEmail = [row, ...duplicates].filter(({ source }) => source === 'email')
  const detail = {
    ...family,
    affected,
    assignee,
    reportEmails: viewer.staff ? await reportEmails(reportedByEmail.map(({ id }) => id)) : undefined,
  }
  return { data: presentIncidentDetail(row, detail, viewer), duplicates, older }
}

/** What only the page needs: the reader's own state, and what staff choose from. */
async function pageOnly(
  ctx: Context,
  [row, ...duplicates]: [ListedIncident, ...ListedIncident[]],
): Promise<Record<string, unknown>> {
  const { user, viewer } = ctx.state
  const { find } = queryOf(ctx, FindQuery)
  const [following, assets, units, stored, statement, costs, candidates, undo, mayUndo] = await Promise.all([
    user ? isFollowed(row.id, user.id) : false,
    viewer.staff ? Asset.inUse() : [],
    viewer.staff ? Unit.all() : [],
    viewer.staff ? Incident.query().findById(row.id) : undefined,
    latestStatement(row.id),
    viewer.staff ? costsOf(row.id) : [],
    viewer.staff ? duplicatesFor(find, row) : [],
    viewer.staff ? undoableMerges(row.id) : {},
    mayUndoConfirmation(ctx.state.actor, row),
  ])
  return {
    ...(isTheirNotice(ctx, row) ? {} : { notice: null }),
    byStaff: reportedByStaff([row, ...duplicates]),
    nextStatuses: nextStatuses(row),
    nextActs: row.dismissedAt === null ? nextActs(row.status) : [],
    acknowledgeBy: acknowledgementDue(row),
    following,
    /** Of a hidden text: others still read its title. */
    isTitlePublic: row.hiddenTitle === row.title,
    late: row.expectedBackAt !== null && row.expectedBackAt.getTime() <= Date.now(),
    assets,
    units,
    statement: statement && { ...statement, createdAt: statement.createdAt.toISOString() },
    ...presentCosts(costs),
    candidates,
    undo,
    mayUndo,
    find,
    correctable: stored ? await correctable(ctx, stored) : {},
    ...(stored ? await updateForm(ctx, stored) : {}),
    staged: ctx.state.staged ?? [],
    writer: user ? authorTag(user.id) : '',
    follow: user ? null : await followBox(ctx, { incidentId: row.id, assetId: null, towerId: null }),
  }
}

/**
 * People share addresses, so a notice about an act is shown only to the person who acted, and a
 * receipt only to the reporter.
 */
function isTheirNotice(
  { query: { notice }, state: { user } }: Context,
  { reporterId }: ListedIncident,
): boolean {
  if (notice === 'reported') return user !== null && user.id === reporterId
  return user !== null || notice === 'merged'
}

/** The initial values of the correction form: of every field that a correction may change. */
async function correctable(ctx: Context, stored: Incident): Promise<Record<string, unknown>> {
  const { property } = await ctx.state.building()
  const { localInput } = formatFor(ctx.state.locale, property.timezone)
  const textOf = (value: unknown) => (value instanceof Date ? localInput(value.toISOString()) : (value ?? ''))
  return Object.fromEntries(editableNames.map((name) => [name, textOf(stored[name])]))
}

/**
 * Incidents this one may duplicate, unresolved ones first: found by search words, else the most
 * similar ones of the same place. `isLikely`: unresolved and much alike.
 */
async function duplicatesFor(
  find: string,
  row: ListedIncident,
): Promise<(DuplicateCandidate & { isLikely: boolean })[]> {
  const words = find.slice(0, 200).split(/\s+/).filter(Boolean)
  const candidates =
    words.length > 0
      ? await searchedFor(words.slice(0, 8), row.id, mostSuggested)
      : mostAlike(row, await candidatesFor(row), mostSuggested)
  const isOpen = ({ resolvedAt }: DuplicateCandidate) => resolvedAt === null
  return [...candidates.filter(isOpen), ...candidates.filter((one) => !isOpen(one))].map((one) => ({
    ...one,
    isLikely: words.length === 0 && isOpen(one) && similarity(row.title, one.title) >= likely,
  }))
}

/**
 * A page of what an incident and its merged duplicates hold. `older`: what came before this instant
 * was left out; null when nothing was.
 */
type FamilyPage = {
  duplicates: ListedIncident[]
  updates: TimelineUpdate[]
  photos: IncidentPhoto[]
  older: Date | null
}

/**
 * The entries and photos of an incident and the reports, entries and photos of its duplicates,
 * oldest first (decision 2.5): the newest before the instant `before` that fit on a page (decision
 * 8.7). `withEmails`: the page has the whole emails of them as well.
 */
async function familyPage(
  incidentId: number,
  { before, withEmails }: { before: Date | null; withEmails: boolean },
): Promise<FamilyPage> {
  const [span] = await query<{ since: Date | null; more: boolean }>(spanSql, [
    incidentId,
    before,
    limits.timelineEntries,
    limits.timelineBytes,
    withEmails,
    limits.text,
  ])
  const { since, more } = span!
  if (since === null) return { duplicates: [], updates: [], photos: [], older: null }
  const parameters = [incidentId, before, since]
  const [duplicates, updates, photos] = await Promise.all([
    query<ListedIncident>(duplicatesSql, parameters),
    query<TimelineUpdate>(updatesSql, parameters),
    query<IncidentPhoto>(photosSql, parameters),
  ])
  return { duplicates, updates, photos, older: more ? since : null }
}

const duplicatesSql = `
  select * from listed_incidents
  where merged_into_id = $1 and created_at >= $3 and ($2::timestamptz is null or created_at < $2)
  order by created_at, id`

const updatesSql = `
  select p.*
  from timeline_entries p
  join incidents d on d.id = p.incident_id
  where (d.id = $1 or d.merged_into_id = $1) and p.created_at >= $3
    and ($2::timestamptz is null or p.created_at < $2)
  order by p.created_at, p.id`

const photosSql = `
  select p.id, p.incident_id, p.path, p.width, p.height, p.created_at, p.update_id, p.hidden_at
  from photos p
  join incidents d on d.id = p.incident_id
  where (d.id = $1 or d.merged_into_id = $1) and p.created_at >= $3
    and ($2::timestamptz is null or p.created_at < $2)
  order by p.created_at, p.id`

/**
 * The time from which entries fit on one page; entries of one instant stay together. The email that
 * the incident was reported by is on every page. An entry takes 900 bytes on the page and in the
 * JSON beside its own text, as the email does that it came by; others than staff see no email
 * (`$5`) and no note. Of one incident only the newest rows are read: one with more is cut in any
 * case.
 */
const spanSql = `
  with family as (
    select id, merged_into_id, title, description, created_at from incidents where id = $1 or merged_into_id = $1
  ), entries as (
    select d.created_at as at, 900 + escaped_bytes(d.title) + escaped_bytes(d.description) + coalesce((
      select 900 + escaped_bytes(e.subject) + escaped_bytes(left(e.text, $6))
      from whole_emails e
      where $5::boolean and e.incident_id = d.id and e.update_id is null and e.note_id is null
    ), 0) as bytes
    from family d
    where d.merged_into_id = $1 and ($2::timestamptz is null or d.created_at < $2)
    union all
    select p.created_at, 900 + escaped_bytes(p.body) + coalesce((
      select 900 + escaped_bytes(e.subject) + escaped_bytes(left(e.text, $6))
      from whole_emails e
      where $5::boolean and e.update_id = p.id
    ), 0)
    from family d
    cross join lateral (
      select id, created_at, body from incident_updates
      where incident_id = d.id and ($2::timestamptz is null or created_at < $2)
      order by id desc limit $3 + 1
    ) p
    union all
    select p.created_at, 900 + escaped_bytes(p.body) + coalesce((
      select 900 + escaped_bytes(e.subject) + escaped_bytes(left(e.text, $6))
      from whole_emails e
      where e.note_id = p.id
    ), 0)
    from family d
    cross join lateral (
      select id, created_at, body from internal_notes
      where incident_id = d.id and ($2::timestamptz is null or created_at < $2)
      order by id desc limit $3 + 1
    ) p
    where $5
    union all
    select p.created_at, 450
    from family d
    cross join lateral (
      select created_at from photos
      where incident_id = d.id and ($2::timestamptz is null or created_at < $2)
      order by id desc limit $3 + 1
    ) p
  ), room as (
    select $4 - coalesce((
      select 900 + escaped_bytes(e.subject) + escaped_bytes(left(e.text, $6))
      from whole_emails e
      where $5::boolean and e.incident_id = $1 and e.update_id is null and e.note_id is null
    ), 0) as bytes
  )
  select min(at) filter (where fits) as since, coalesce(not bool_and(fits), false) as more
  from (
    select e.at, coalesce(count(*) over newer, 0) < $3::bigint
      and coalesce(sum(e.bytes) over newer, 0) < room.bytes as fits
    from entries e, room
    window newer as (order by e.at desc groups between unbounded preceding and 1 preceding)
  ) counted`
