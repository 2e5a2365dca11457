import { z } from 'zod'
import { Asset, Unit } from '../../building/building.js'
import { followBox } from '../../notifications/follow/followers.js'
import { formatFor } from '../../platform/http/answer/format.js'
import { type Answer, representationOf } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { addressFor } from '../../platform/http/request/both.js'
import { pathId, queryOf } from '../../platform/http/request/input.js'
import { authorTag } from '../../platform/http/session/authorTag.js'
import { config } from '../../platform/ops/config.js'
import { latestStatement } from '../../status/queries/latestStatement.js'
import { nextStatuses, refuseMerged } from '../../vocabulary/lifecycle.js'
import { undoMinutes } from '../../vocabulary/limits.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { acknowledgeBy } from '../../vocabulary/severity.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { affectedBy } from '../affected.js'
import { assigneeOf, nobody } from '../assignee.js'
import { costsOf, presentCosts } from '../costs/costs.js'
import { familyPage } from '../family.js'
import { Incident, type ListedIncident } from '../incident.js'
import { type PresentedDetail, presentIncidentDetail, presentPointer, reportedByStaff } from '../json.js'
import {
  candidatesFor,
  type DuplicateCandidate,
  likely,
  mostAlike,
  searchedFor,
  similarity,
} from '../merge/duplicates.js'
import { mergedSince } from '../merge/queries.js'
import { minutesToUndo } from '../merge/rules.js'
import { notesOf, presentNote } from '../notes/queries.js'
import { answerForm, formVersion } from '../update/answerForm.js'

type Duplicate = PresentedDetail['duplicates'][number]
type Note = ReturnType<typeof presentNote>
type Update = PresentedDetail['updates'][number]

/** An entry of the timeline: an update, a duplicate's report or, for staff, a note. */
type TimelineEntry = { at: string } & ({ duplicate: Duplicate } | { update: Update } | { note: Note })

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

/** The merges into an incident that can still be undone, by the id of their entry. */
async function undoable(
  survivorId: number,
): Promise<Record<number, { duplicateId: number; minutes: number }>> {
  const now = new Date()
  const merges = await mergedSince(survivorId, new Date(now.getTime() - undoMinutes * 60_000))
  return Object.fromEntries(
    merges.map(({ updateId, duplicateId, mergedAt }) => [
      updateId,
      { duplicateId, minutes: minutesToUndo(mergedAt, now) },
    ]),
  )
}

/** Search words for duplicates. */
const FindQuery = z.object({ find: z.string('not_acceptable').default('') })

/** Likely duplicates offered at once. */
const mostSuggested = 6

/** An incident with its timeline and photos, as this viewer may see it. Throws NotFound. */
export async function detailOf(id: number, viewer: Viewer): Promise<PresentedDetail> {
  return (await presented(orNotFound(await Incident.find(id)), viewer)).data
}

type IncidentAnswer = Answer & {
  data: PresentedDetail | ReturnType<typeof presentPointer>
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
  const row = orNotFound(await Incident.find(id))
  if (row.mergedIntoId !== null) return pointerAnswer(ctx, row.id, row.mergedIntoId)
  const { data, duplicates, ...left } = await presented(row, ctx.state.viewer, before)
  const older = left.older && { before: left.older.toISOString() }
  const next = older && `/incidents/${id}?${new URLSearchParams(older)}`
  if (representationOf(ctx) === 'json') return { data, older, view: 'incidents/show' }
  const notes = ctx.state.viewer.staff ? await notesBetween(id, left.older, before) : []
  const timeline = { entries: timelineOf(data, notes), next, isOlder: before !== null }
  const extras = { ...(await pageOnly(ctx, [row, ...duplicates])), timeline, version }
  return { data, older, view: 'incidents/show', extras }
}

/**
 * The same page after a refused comment form, with what was typed and the staged photos. Throws
 * NotFound, and Conflict for a merged duplicate, which has no page.
 */
export async function incidentPage(ctx: Context): Promise<Record<string, unknown>> {
  refuseMerged(orNotFound(await Incident.find(pathId(ctx))))
  const { data, extras } = await incidentAnswer(ctx)
  return { data, ...extras }
}

function pointerAnswer(ctx: Context, id: number, mergedInto: number): IncidentAnswer {
  const page = `/incidents/${mergedInto}`
  return { data: presentPointer(id, mergedInto, addressFor(ctx, page)), location: page, notice: 'merged' }
}

async function presented(row: ListedIncident, viewer: Viewer, before: Date | null = null) {
  const [affected, doer, { older, ...family }] = await Promise.all([
    affectedBy(row.id),
    viewer.staff ? assigneeOf(row.id) : nobody,
    familyPage(row.id, before),
  ])
  const { duplicates } = family
  const shown = { ...family, affected, doer }
  return { data: presentIncidentDetail(row, shown, viewer), duplicates, older }
}

/** What only the page needs: the reader's own state, and what staff choose from. */
async function pageOnly(
  ctx: Context,
  [row, ...duplicates]: [ListedIncident, ...ListedIncident[]],
): Promise<Record<string, unknown>> {
  const { user, viewer } = ctx.state
  const { find } = queryOf(ctx, FindQuery)
  const [following, assets, units, stored, statement, costs, candidates, undo] = await Promise.all([
    user ? Incident.isFollowed(row.id, user.id) : false,
    viewer.staff ? Asset.inUse() : [],
    viewer.staff ? Unit.all() : [],
    viewer.staff ? Incident.query().findById(row.id) : undefined,
    latestStatement(row.id),
    viewer.staff ? costsOf(row.id) : [],
    viewer.staff ? duplicatesFor(find, row) : [],
    viewer.staff ? undoable(row.id) : {},
  ])
  return {
    ...(isTheirNotice(ctx, row) ? {} : { notice: null }),
    byStaff: reportedByStaff([row, ...duplicates]),
    nextStatuses: nextStatuses(row),
    acknowledgeBy: row.acknowledgedAt
      ? null
      : acknowledgeBy(row.createdAt, row.severity, config.slaTargets).toISOString(),
    following,
    late: row.expectedBackAt !== null && row.expectedBackAt.getTime() <= Date.now(),
    assets,
    units,
    statement: statement && { ...statement, createdAt: statement.createdAt.toISOString() },
    ...presentCosts(costs),
    candidates,
    undo,
    find,
    correctable: stored ? await correctable(ctx, stored) : {},
    ...(stored ? await answerForm(ctx, stored) : {}),
    staged: ctx.state.staged ?? [],
    writer: user ? authorTag(user.id) : '',
    follow: user ? null : await followBox(ctx, { incidentId: row.id, assetId: null, towerId: null }),
  }
}

/**
 * Addresses are shared: what someone did is said to no one else, a receipt only to who reported.
 */
function isTheirNotice(
  { query: { notice }, state: { user } }: Context,
  { reporterId }: ListedIncident,
): boolean {
  if (notice === 'reported') return user !== null && user.id === reporterId
  return user !== null || notice === 'merged'
}

/** The initial values of the correction form. */
async function correctable(ctx: Context, stored: Incident): Promise<Record<string, unknown>> {
  const { title, severity, assetId, unitId, isDowntime } = stored
  const { property } = await ctx.state.building()
  const { localInput } = formatFor(ctx.state.locale, property.timezone)
  const typedAs = (at: Date | null) => (at ? localInput(at.toISOString()) : '')
  return {
    ...{ title, severity, assetId, unitId, isDowntime },
    downtimeStartedAt: typedAs(stored.downtimeStartedAt),
    downtimeEndedAt: typedAs(stored.downtimeEndedAt),
  }
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
  const found =
    words.length > 0
      ? await searchedFor(words.slice(0, 8), row.id, mostSuggested)
      : mostAlike(row, await candidatesFor(row), mostSuggested)
  const isOpen = ({ resolvedAt }: DuplicateCandidate) => resolvedAt === null
  return [...found.filter(isOpen), ...found.filter((one) => !isOpen(one))].map((one) => ({
    ...one,
    isLikely: words.length === 0 && isOpen(one) && similarity(row.title, one.title) >= likely,
  }))
}
