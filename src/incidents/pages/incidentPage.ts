import { z } from 'zod'
import { Asset, Unit } from '../../building/building.js'
import { followBox } from '../../notifications/follow/followBox.js'
import type { Answer } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { formatFor } from '../../platform/http/format/format.js'
import { addressFor } from '../../platform/http/paths.js'
import { representationOf } from '../../platform/http/representation.js'
import { pathId, queryOf } from '../../platform/http/request/query.js'
import { authorTag } from '../../platform/http/session/csrf.js'
import { latestStatement } from '../../status/queries/latestStatement.js'
import { nextStatuses, refuseMerged } from '../../vocabulary/lifecycle.js'
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
import { timelinePage } from '../model/timeline/timelinePage.js'
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
  const [affected, assignee, { older, ...page }] = await Promise.all([
    affectedBy(row.id),
    viewer.staff ? assigneeNames(row.id) : noAssignee,
    timelinePage(row.id, { before, withEmails: isPage && viewer.staff }),
  ])
  const { duplicates } = page
  const reportedByEmail = [row, ...duplicates].filter(({ source }) => source === 'email')
  const detail = {
    ...page,
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
