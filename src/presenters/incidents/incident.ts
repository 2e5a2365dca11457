import { z } from 'zod'
import type { Viewer } from '../../domain/accounts/actor.js'
import { roles } from '../../domain/accounts/permissions.js'
import { anonymousName } from '../../domain/incidents/anonymity.js'
import { statuses } from '../../domain/incidents/lifecycle.js'
import { detailJson, type ListedIncident, listJson, presented } from '../../models/incidents/fields.js'
import type { IncidentPhoto, TimelineUpdate } from '../../models/incidents/incident.js'
import { count, instant, rowId, shape } from '../json.js'

const nameFor = (viewer: Viewer, hidden: boolean, name: string) =>
  hidden && !viewer.staff ? anonymousName : name

/** An incident in a list (spec §2); for staff with the address of a mail's sender (decision 2.10). */
export const IncidentJson = shape('Incident', { ...listJson, reporterEmail: z.string().optional() })
export type PresentedIncident = z.output<typeof IncidentJson>

export function presentIncident(row: ListedIncident, viewer: Viewer): PresentedIncident {
  return {
    ...presented(row, 'list'),
    reporterName: nameFor(viewer, row.isAnonymous, row.reporterName),
    ...(viewer.staff && row.reporterEmail !== null ? { reporterEmail: row.reporterEmail } : {}),
  }
}

/**
 * Ids of incidents reported by staff under their name and not by mail: pages mark them (decisions 7.3, 7.8).
 */
export function reportedByStaff(rows: readonly ListedIncident[]): number[] {
  return rows
    .filter(({ isAnonymous, reporterIsStaff, source }) => {
      return reporterIsStaff && !isAnonymous && source !== 'email'
    })
    .map(({ id }) => id)
}

/**
 * A timeline entry (spec §2); `via`: it came by mail (decision 7.3). `authorRole` marks staff for every
 * reader, but never on an entry without a name: the role would reveal the author (7.8).
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

/** A photo; `path` is resolved through GET /api/photos/<path> (spec §2). */
export const PhotoJson = shape('Photo', { id: rowId, path: z.string(), createdAt: instant })

export function presentPhoto(photo: IncidentPhoto): z.output<typeof PhotoJson> {
  return { id: photo.id, path: photo.path, createdAt: photo.createdAt.toISOString() }
}

/**
 * Incident detail: the incident, its updates and photos, oldest first (spec §2), the number of affected
 * people and what the office expects.
 */
export const IncidentDetailJson = shape('IncidentDetail', {
  ...IncidentJson.shape,
  updates: z.array(UpdateJson),
  photos: z.array(PhotoJson),
  affectedCount: count,
  ...detailJson,
})
export type PresentedDetail = z.output<typeof IncidentDetailJson>

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
    ...presented(row, 'detail'),
  }
}

/** The answer for a merged duplicate (decision 2.6). `redirectTo` is an address for this caller. */
export const PointerJson = shape('MergedIncident', { id: rowId, mergedInto: rowId, redirectTo: z.string() })

export function presentPointer(
  id: number,
  mergedInto: number,
  redirectTo: string,
): z.output<typeof PointerJson> {
  return { id, mergedInto, redirectTo }
}

/** The answer to a merge (decision 2.5). */
export const MergeJson = shape('Merge', { mergedInto: rowId, redirectTo: z.string() })

export function presentMerge(mergedInto: number, redirectTo: string): z.output<typeof MergeJson> {
  return { mergedInto, redirectTo }
}

/** The fields of an incident in its asset's detail (spec §2). */
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
