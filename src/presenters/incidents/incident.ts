import { z } from 'zod'
import type { Viewer } from '../../domain/accounts/actor.js'
import { roles } from '../../domain/accounts/permissions.js'
import { anonymousName } from '../../domain/incidents/anonymity.js'
import { sources, statuses } from '../../domain/incidents/lifecycle.js'
import { severities } from '../../domain/incidents/severity.js'
import type { IncidentPhoto, ListedIncident, TimelineUpdate } from '../../models/incidents/incident.js'
import { count, instant, rowId, shape } from '../json.js'

const nameFor = (viewer: Viewer, hidden: boolean, name: string) =>
  hidden && !viewer.staff ? anonymousName : name
const iso = (date: Date | null) => date?.toISOString() ?? null

/** An incident as listed (spec §2), field by field; for staff, with the address of a mail's sender (decision 2.10). */
export const IncidentJson = shape('Incident', {
  id: rowId,
  title: z.string(),
  description: z.string(),
  severity: z.enum(severities),
  status: z.enum(statuses),
  isDowntime: z.boolean(),
  assetId: rowId.nullable(),
  assetName: z.string().nullable(),
  unitId: rowId.nullable(),
  unitName: z.string().nullable(),
  reporterName: z.string(),
  slaBreached: z.boolean(),
  source: z.enum(sources),
  createdAt: instant,
  resolvedAt: instant.nullable(),
  reporterEmail: z.string().optional(),
})
export type PresentedIncident = z.output<typeof IncidentJson>

/** The row as this viewer may see it. */
export function presentIncident(row: ListedIncident, viewer: Viewer): PresentedIncident {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    severity: row.severity,
    status: row.status,
    isDowntime: row.isDowntime,
    assetId: row.assetId,
    assetName: row.assetName,
    unitId: row.unitId,
    unitName: row.unitName,
    reporterName: nameFor(viewer, row.isAnonymous, row.reporterName),
    slaBreached: row.slaBreached,
    source: row.source,
    createdAt: row.createdAt.toISOString(),
    resolvedAt: iso(row.resolvedAt),
    ...(viewer.staff && row.reporterEmail !== null ? { reporterEmail: row.reporterEmail } : {}),
  }
}

/** The ids of those that somebody of the staff reported by name and not by mail: pages mark it (decisions 7.3, 7.8). */
export function reportedByStaff(rows: readonly ListedIncident[]): number[] {
  return rows
    .filter(({ isAnonymous, reporterIsStaff, source }) => {
      return reporterIsStaff && !isAnonymous && source !== 'email'
    })
    .map(({ id }) => id)
}

/**
 * A timeline entry (spec §2, incident detail); `via` says that it came by mail (decision 7.3). One of the staff's says so
 * by `authorRole`, to every reader alike, unless it was written without a name: a role would tell whose it is (7.8).
 */
export const UpdateJson = shape('Update', {
  id: rowId,
  authorName: z.string(),
  body: z.string(),
  newStatus: z.enum(statuses).nullable(),
  createdAt: instant,
  authorRole: z.enum(roles).optional(),
  via: z.literal('email').optional(),
  authorEmail: z.string().optional(),
})

/** The entry as this viewer may see it. */
export function presentUpdate(update: TimelineUpdate, viewer: Viewer): z.output<typeof UpdateJson> {
  const role = update.hidden ? null : update.authorRole
  return {
    id: update.id,
    authorName: nameFor(viewer, update.hidden, update.authorName),
    body: (viewer.staff ? update.bodyForStaff : null) ?? update.body,
    newStatus: update.newStatus,
    createdAt: update.createdAt.toISOString(),
    ...(role ? { authorRole: role } : {}),
    ...(update.via === 'email' ? { via: update.via } : {}),
    ...(viewer.staff && update.authorEmail !== null ? { authorEmail: update.authorEmail } : {}),
  }
}

/** A photo; its path is resolved through GET /api/photos/<path> (spec §2). */
export const PhotoJson = shape('Photo', { id: rowId, path: z.string(), createdAt: instant })

/** The photo's row as an answer. */
export function presentPhoto(photo: IncidentPhoto): z.output<typeof PhotoJson> {
  return { id: photo.id, path: photo.path, createdAt: photo.createdAt.toISOString() }
}

/**
 * Incident detail: all incident fields plus updates and photos, oldest first (spec §2); besides, how many said that they
 * are affected, and what the office expects.
 */
export const IncidentDetailJson = shape('IncidentDetail', {
  ...IncidentJson.shape,
  updates: z.array(UpdateJson),
  photos: z.array(PhotoJson),
  affectedCount: count,
  expectedBackAt: instant.nullable(),
  statusReason: z.string().nullable(),
})
export type PresentedDetail = z.output<typeof IncidentDetailJson>

/** The incident with what belongs to it, as this viewer may see it. */
export function presentIncidentDetail(
  row: ListedIncident,
  updates: TimelineUpdate[],
  photos: IncidentPhoto[],
  affected: number,
  viewer: Viewer,
): PresentedDetail {
  return {
    ...presentIncident(row, viewer),
    updates: updates.map((update) => presentUpdate(update, viewer)),
    photos: photos.map(presentPhoto),
    affectedCount: affected,
    expectedBackAt: iso(row.expectedBackAt),
    statusReason: row.statusReason,
  }
}

/** The pointer answered for a merged duplicate (decision 2.6). `redirectTo` is an address for this caller. */
export const PointerJson = shape('MergedIncident', { id: rowId, mergedInto: rowId, redirectTo: z.string() })

/** Where the survivor is. */
export function presentPointer(
  id: number,
  mergedInto: number,
  redirectTo: string,
): z.output<typeof PointerJson> {
  return { id, mergedInto, redirectTo }
}

/** The answer to a merge (decision 2.5). */
export const MergeJson = shape('Merge', { mergedInto: rowId, redirectTo: z.string() })

/** Where the survivor is. */
export function presentMerge(mergedInto: number, redirectTo: string): z.output<typeof MergeJson> {
  return { mergedInto, redirectTo }
}

/** The fields asset detail lists of an incident (spec §2). */
export const AssetIncidentJson = IncidentJson.pick({
  id: true,
  title: true,
  severity: true,
  status: true,
  isDowntime: true,
  reporterName: true,
  slaBreached: true,
  source: true,
  createdAt: true,
  resolvedAt: true,
}).meta({ id: 'AssetIncident' })

/** The incident as its asset's page lists it. */
export function presentAssetIncident(
  row: ListedIncident,
  viewer: Viewer,
): z.output<typeof AssetIncidentJson> {
  const {
    id,
    title,
    severity,
    status,
    isDowntime,
    reporterName,
    slaBreached,
    source,
    createdAt,
    resolvedAt,
  } = presentIncident(row, viewer)
  return { id, title, severity, status, isDowntime, reporterName, slaBreached, source, createdAt, resolvedAt }
}
