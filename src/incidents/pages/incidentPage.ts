import { z } from 'zod'
import type { Answer } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { addressFor } from '../../platform/http/paths.js'
import { representationOf } from '../../platform/http/representation.js'
import { pathId, queryOf } from '../../platform/http/request/query.js'
import { publicAddress } from '../../platform/process/config.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { assigneeNames, noAssignee } from '../model/assignee.js'
import type { ListedIncident } from '../model/entity.js'
import { Incident } from '../model/incident.js'
import { affectedBy } from '../model/incidentFollowers.js'
import { type PresentedDetail, presentIncidentDetail } from '../model/json/incidentDetailJson.js'
import type { PointerJson } from '../model/json/incidentJson.js'
import { findListedIncident } from '../model/listedIncidents.js'
import { notesOf, presentNote } from '../model/notes.js'
import { timelinePage } from '../model/timeline/timelinePage.js'
import { reportEmails, unfoldedEmails } from '../model/wholeEmails.js'
import { incidentPageExtras } from './incidentPageExtras.js'
import { formVersion } from './update/updateForm.js'

type Note = ReturnType<typeof presentNote>

/** An entry of the timeline: an update, a duplicate's report or, for staff, a note. */
type TimelineEntry = { at: string } & (
  | { duplicate: PresentedDetail['duplicates'][number] }
  | { update: PresentedDetail['updates'][number] }
  | { note: Note }
)

/** `updates=all`: the page has all of them, not only the newest. */
const UpdatesQuery = z.object({ updates: z.literal('all').optional().catch(undefined) })

/** How many entries of a long timeline the page has before someone asks for all of them. */
const newestEntries = 10

/**
 * The entries that the page has: the newest, unless all of them are asked for. `total`: how many
 * there are; null when none is left out. `firstEarlier`: the index of the entry that follows the
 * newest ones where all are shown; null elsewhere.
 */
function shownEntries(ctx: Context, entries: readonly TimelineEntry[]) {
  const wantsAll = queryOf(ctx, UpdatesQuery).updates === 'all'
  if (wantsAll) return { entries, total: null, firstEarlier: newestEntries }
  const total = entries.length > newestEntries ? entries.length : null
  return { entries: entries.slice(0, newestEntries), total, firstEarlier: null }
}

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

/** An incident with its timeline and photos, as this viewer may see it. Throws NotFound. */
export async function detailOf(id: number, viewer: Viewer): Promise<PresentedDetail> {
  return (await presentIncidentWithTimeline(orNotFound(await findListedIncident(id)), viewer)).data
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
  const { data, duplicates, shownSince } = await presentIncidentWithTimeline(row, ctx.state.viewer, {
    before,
    isPage,
  })
  const older = shownSince && { before: shownSince.toISOString() }
  const next = older && `/incidents/${id}?${new URLSearchParams(older)}`
  if (!isPage) return { data, older, view: 'incidents/show' }
  const notes = ctx.state.viewer.staff ? await notesBetween(id, shownSince, before) : []
  const all = timelineOf(data, notes)
  const isOlder = before !== null
  const timeline = {
    ...(isOlder ? { entries: all, total: null, firstEarlier: null } : shownEntries(ctx, all)),
    next,
    isOlder,
  }
  const emails = await unfoldedEmails(wholeEmailIds(data, notes))
  const extras = {
    ...(await incidentPageExtras(ctx, row, duplicates)),
    timeline,
    emails,
    version,
    share: sharedPage(data),
  }
  return { data, older, view: 'incidents/show', extras }
}

/** The page as it is sent to others: its address, and the state that the preview shows. */
function sharedPage({ id, resolvedAt, isDowntime }: PresentedDetail) {
  const broken = isDowntime ? 'down' : 'degraded'
  return { address: `${publicAddress()}/incidents/${id}`, state: resolvedAt ? 'operational' : broken }
}

/**
 * The page of the incident in the address, as data for its view: for a refused form, a preview or a
 * filled-in template. Throws NotFound, and Conflict for a merged duplicate, which has no page.
 */
export async function incidentPageData(ctx: Context): Promise<Record<string, unknown>> {
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

/**
 * `isPage`: for people, on a page that unfolds whole emails and notes for staff. `shownSince`: what
 * came before this instant was left out; null when nothing was.
 */
async function presentIncidentWithTimeline(
  row: ListedIncident,
  viewer: Viewer,
  { before = null, isPage = false }: { before?: Date | null; isPage?: boolean } = {},
) {
  const [affected, assignee, { older: shownSince, duplicates, updates, photos }] = await Promise.all([
    affectedBy(row.id),
    viewer.staff ? assigneeNames(row.id) : noAssignee,
    timelinePage(row.id, { before, withEmails: isPage && viewer.staff }),
  ])
  const reportedByEmail = [row, ...duplicates].filter(({ source }) => source === 'email')
  const detail = {
    updates,
    photos,
    duplicates,
    affected,
    assignee,
    reportEmails: viewer.staff ? await reportEmails(reportedByEmail.map(({ id }) => id)) : undefined,
  }
  return { data: presentIncidentDetail(row, detail, viewer), duplicates, shownSince }
}
