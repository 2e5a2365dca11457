import { z } from 'zod'
import { Asset, Unit } from '../../building/building.js'
import { followBox } from '../../notifications/follow/followBox.js'
import type { Context } from '../../platform/http/context.js'
import { formatFor } from '../../platform/http/format/format.js'
import { queryOf } from '../../platform/http/request/query.js'
import { authorTag } from '../../platform/http/session/csrf.js'
import { draftFor } from '../../platform/http/session/formDraft.js'
import { latestStatement } from '../../status/queries/latestStatement.js'
import { nextStatuses } from '../../vocabulary/lifecycle.js'
import { nextActs } from '../acts/oneTapActs.js'
import { costsOf, presentCosts } from '../model/costs.js'
import {
  candidatesFor,
  type DuplicateCandidate,
  likelySimilarity,
  mostAlike,
  searchDuplicates,
  similarity,
  withOwnTitle,
} from '../model/duplicates.js'
import { editableNames, type ListedIncident } from '../model/entity.js'
import { Incident } from '../model/incident.js'
import { isFollowed } from '../model/incidentFollowers.js'
import { reportedByStaff } from '../model/json/incidentJson.js'
import { undoableMerges } from '../model/merges.js'
import { stagedPhotos } from '../model/photos/stagedPhotos.js'
import { mayUndoConfirmation } from '../model/undoableConfirmation.js'
import { CarriedPhotoIds } from './postedPhotos.js'
import { readerPart } from './readerPart.js'
import { type UpdateFormExtras, updateForm } from './update/updateForm.js'

/** Search words for duplicates. */
const FindQuery = z.object({ find: z.string('not_acceptable').default('') })

/** Likely duplicates offered at once. */
const mostSuggested = 6

/** What only the page of an incident needs, besides the incident and its timeline. */
type IncidentPageExtras = ReaderExtras & StaffExtras & Partial<UpdateFormExtras>

type ReaderExtras = Awaited<ReturnType<typeof readerExtras>>

/** What staff read and choose from on the page; empty for everyone else. */
type StaffExtras = {
  assets: readonly Asset[]
  units: readonly Unit[]
  candidates: readonly LikelyDuplicate[]
  /** The merges that can still be undone, by their entries in the timeline. */
  undo: Awaited<ReturnType<typeof undoableMerges>>
  /** The words that duplicates were looked for by. */
  find: string
  /** The initial values of the correction form. */
  correctable: Record<string, unknown>
} & ReturnType<typeof presentCosts>

const withoutStaffExtras: StaffExtras = {
  assets: [],
  units: [],
  candidates: [],
  undo: {},
  find: '',
  correctable: {},
  ...presentCosts([]),
}

/** `duplicates`: those merged into the incident, whose reports are marked like its own. */
export async function incidentPageExtras(
  ctx: Context,
  row: ListedIncident,
  duplicates: readonly ListedIncident[],
): Promise<IncidentPageExtras> {
  const { find } = queryOf(ctx, FindQuery)
  const [forReader, forStaff] = await Promise.all([
    readerExtras(ctx, row, duplicates),
    ctx.state.viewer.staff ? staffExtras(ctx, row, find) : withoutStaffExtras,
  ])
  return { ...forReader, ...forStaff }
}

/** What every reader gets, with what they themselves may do. */
async function readerExtras(ctx: Context, row: ListedIncident, duplicates: readonly ListedIncident[]) {
  const { user, actor } = ctx.state
  const [part, following, statement, mayUndo] = await Promise.all([
    readerPart(ctx, row),
    user ? isFollowed(row.id, user.id) : false,
    latestStatement(row.id),
    mayUndoConfirmation(actor, row),
  ])
  return {
    ...(isTheirNotice(ctx, row) ? {} : { notice: null }),
    part,
    byStaff: reportedByStaff([row, ...duplicates]),
    nextStatuses: nextStatuses(row),
    nextActs: row.dismissedAt === null ? nextActs(row.status) : [],
    following,
    /** Of a hidden text: others still read its title. */
    isTitlePublic: row.hiddenTitle === row.title,
    late: row.expectedBackAt !== null && row.expectedBackAt.getTime() <= Date.now(),
    statement: statement && { ...statement, createdAt: statement.createdAt.toISOString() },
    mayUndo,
    ...(await commentForm(ctx, row.id)),
    writer: user ? authorTag(user.id) : '',
    follow: user ? null : await followBox(ctx, { incidentId: row.id, assetId: null, towerId: null }),
  }
}

/** The form of an update as it is shown first: empty, or as it was sent before a sign-in. */
async function commentForm(ctx: Context, incidentId: number) {
  const { user, staged = [] } = ctx.state
  const draft = ctx.method === 'GET' ? draftFor(ctx, `/incidents/${incidentId}/updates`) : null
  if (!user || !draft) return { staged, draft: null }
  const { fields, photosKept } = draft
  const photos = await stagedPhotos({ userId: user.id }, CarriedPhotoIds.parse(fields).stagedPhotos)
  const words = photosKept ? 'whole' : 'withoutPhotos'
  return { staged: photos, draft: words, filled: 'comment', values: fields } as const
}

async function staffExtras(
  ctx: Context,
  row: ListedIncident,
  find: string,
): Promise<StaffExtras & Partial<UpdateFormExtras>> {
  const [assets, units, stored, costs, candidates, undo] = await Promise.all([
    Asset.inUse(),
    Unit.all(),
    Incident.query().findById(row.id),
    costsOf(row.id),
    duplicatesFor(find, row),
    undoableMerges(row.id),
  ])
  return {
    assets,
    units,
    candidates,
    undo,
    find,
    correctable: stored ? await correctable(ctx, stored) : {},
    ...presentCosts(costs),
    ...(stored ? await updateForm(ctx, stored) : {}),
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

/** An incident that this one may duplicate. `isLikely`: unresolved and much alike. */
type LikelyDuplicate = DuplicateCandidate & { isLikely: boolean }

/**
 * Incidents this one may duplicate, unresolved ones first: found by search words, else the most
 * similar ones of the same place.
 */
async function duplicatesFor(find: string, row: ListedIncident): Promise<LikelyDuplicate[]> {
  const incident = withOwnTitle(row)
  const words = find.slice(0, 200).split(/\s+/).filter(Boolean)
  const candidates =
    words.length > 0
      ? await searchDuplicates(words.slice(0, 8), row.id, mostSuggested)
      : mostAlike(incident, await candidatesFor(row), mostSuggested)
  const isOpen = ({ resolvedAt }: DuplicateCandidate) => resolvedAt === null
  return [...candidates.filter(isOpen), ...candidates.filter((one) => !isOpen(one))].map((one) => ({
    ...one,
    isLikely: words.length === 0 && isOpen(one) && similarity(incident.title, one.title) >= likelySimilarity,
  }))
}
