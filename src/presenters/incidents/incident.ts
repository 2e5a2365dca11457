import type { Viewer } from '../../domain/accounts/actor.js'
import { anonymousName } from '../../domain/incidents/anonymity.js'
import type { IncidentPhoto, ListedIncident, TimelineUpdate } from '../../models/incidents/incident.js'

const nameFor = (viewer: Viewer, hidden: boolean, name: string) =>
  hidden && !viewer.staff ? anonymousName : name
const iso = (date: Date | null) => date?.toISOString() ?? null

/** An incident as listed (spec §2), field by field; for staff, with the address of a mail's sender (decision 2.10). */
export function presentIncident(row: ListedIncident, viewer: Viewer) {
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
export type PresentedIncident = ReturnType<typeof presentIncident>

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
export function presentUpdate(update: TimelineUpdate, viewer: Viewer) {
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
export function presentPhoto(photo: IncidentPhoto) {
  return { id: photo.id, path: photo.path, createdAt: photo.createdAt.toISOString() }
}

/**
 * Incident detail: all incident fields plus updates and photos, oldest first (spec §2); besides, how many said that they
 * are affected, and what the office expects.
 */
export function presentIncidentDetail(
  row: ListedIncident,
  updates: TimelineUpdate[],
  photos: IncidentPhoto[],
  affected: number,
  viewer: Viewer,
) {
  return {
    ...presentIncident(row, viewer),
    updates: updates.map((update) => presentUpdate(update, viewer)),
    photos: photos.map(presentPhoto),
    affectedCount: affected,
    expectedBackAt: iso(row.expectedBackAt),
    statusReason: row.statusReason,
  }
}
export type PresentedDetail = ReturnType<typeof presentIncidentDetail>

/** The pointer answered for a merged duplicate (decision 2.6). `redirectTo` is an address for this caller. */
export function presentPointer(id: number, mergedInto: number, redirectTo: string) {
  return { id, mergedInto, redirectTo }
}

/** The answer to a merge (decision 2.5). */
export function presentMerge(mergedInto: number, redirectTo: string) {
  return { mergedInto, redirectTo }
}

/** The fields asset detail lists of an incident (spec §2). */
export function presentAssetIncident(row: ListedIncident, viewer: Viewer) {
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
