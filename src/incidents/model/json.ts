import { z } from 'zod'
import { fromRow, instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { config } from '../../platform/process/config.js'
import {
  type ClosingReason,
  closingReasons,
  reasonNotRepaired,
  statuses,
} from '../../vocabulary/lifecycle.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { roles } from '../../vocabulary/people/permissions.js'
import { acknowledgeBy } from '../../vocabulary/severity.js'
import { type AssigneeNames, assigneeJson, noAssignee, presentAssignee } from './assignee.js'
import { incidentEntity, type ListedIncident } from './entity.js'
import type { IncidentPhoto } from './photos.js'
import {
  authorFor,
  bodyFor,
  hidden,
  nameFor,
  senderFor,
  senderJson,
  unitFor,
  wholeEmailFor,
  wholeEmailJson,
  wordsFor,
} from './redaction.js'
import type { TimelineUpdate } from './timeline/timelineEntries.js'

/** What a list and a detail have in common. */
export const incidentJson = {
  ...incidentEntity.list.json,
  reporterEmail: z.string().optional(),
  ...senderJson,
  nameHidden: z.literal(true).optional(),
  hidden,
  notAReport: z.literal(true).optional(),
  reopened: z.literal(true).optional(),
}

/**
 * An incident in a list (spec §2); for staff with the address of an email's sender (decision 2.10),
 * and whether others do not read the name (7.13). `notAReport`: the office found it to be none
 * (7.14). `reopened`: a resident says that it is not fixed, and staff have not acted since (7.18).
 * `mergedIntoId`: with `includeMerged`, null for what is no duplicate (2.11).
 */
export const IncidentJson = shape('Incident', {
  ...incidentJson,
  mergedIntoId: rowId.nullable().optional(),
})
export type PresentedIncident = z.output<typeof IncidentJson>

export function presentIncident(row: ListedIncident, viewer: Viewer): PresentedIncident {
  return {
    ...incidentEntity.list.present(row),
    ...wordsFor(viewer, row),
    ...unitFor(viewer, row),
    reporterName: nameFor(viewer, row.isAnonymous, row.reporterName),
    ...(viewer.staff && row.reporterEmail !== null ? { reporterEmail: row.reporterEmail } : {}),
    ...senderFor(viewer, row),
    ...(viewer.staff && row.isAnonymous ? { nameHidden: true as const } : {}),
    ...(row.dismissedAt === null ? {} : { notAReport: true as const }),
    ...(isReopened(row) ? { reopened: true as const } : {}),
  }
}

/** Until when it is to be acknowledged, as text; null once it is. */
export function acknowledgementDue({ acknowledgedAt, createdAt, severity }: ListedIncident): string | null {
  return acknowledgedAt ? null : acknowledgeBy(createdAt, severity, config.slaTargets).toISOString()
}

/** A resident says that it is not fixed, and staff have not acted since (decision 7.18). */
export const isReopened = ({ reopenedAt, resolvedAt }: ListedIncident) =>
  reopenedAt !== null && resolvedAt === null

/**
 * Ids of incidents reported by staff under their name, not by mail: pages mark them (decisions 7.3,
 * 7.8).
 */
export function reportedByStaff(rows: readonly ListedIncident[]): number[] {
  return rows
    .filter(({ isAnonymous, reporterIsStaff, source }) => {
      return reporterIsStaff && !isAnonymous && source !== 'email'
    })
    .map(({ id }) => id)
}

/**
 * Reasons by id of incidents that were closed without a repair: pages show them instead of "fixed"
 * (decision 7.14).
 */
export function closedAs(rows: readonly ListedIncident[]): Record<number, ClosingReason> {
  return Object.fromEntries(
    rows.flatMap(({ id, status, closingReason }) => {
      const why = reasonNotRepaired(status, closingReason)
      return why ? [[id, why]] : []
    }),
  )
}

/**
 * A timeline entry (spec §2); `via`: by email (decision 7.3). `authorRole` marks staff, never
 * without a name (7.8): on an anonymous report others than staff read "The office" for staff, and
 * no role (9.9). `fromIncidentId`: the duplicate it came from (2.5), whose status it set to
 * `statusThere`; `newStatus` is null then. `reopened`: a resident said by it that the repair
 * failed.
 */
export const UpdateJson = shape('Update', {
  id: rowId,
  authorName: z.string(),
  body: z.string(),
  newStatus: z.enum(statuses).nullable(),
  createdAt: instantText,
  authorRole: z.enum(roles).optional(),
  via: z.literal('email').optional(),
  authorEmail: z.string().optional(),
  ...senderJson,
  fromIncidentId: rowId.optional(),
  statusThere: z.enum(statuses).optional(),
  expectedBackAt: instantText.optional(),
  statusReason: z.string().optional(),
  closingReason: z.enum(closingReasons).optional(),
  onStatusPage: z.literal(true).optional(),
  reopened: z.literal(true).optional(),
  nameHidden: z.literal(true).optional(),
  hidden,
  ...wholeEmailJson,
})

export function presentUpdate(
  update: TimelineUpdate,
  viewer: Viewer,
  shownOn = update.incidentId,
): z.output<typeof UpdateJson> {
  const { name, role } = authorFor(viewer, update)
  const isOwn = update.incidentId === shownOn
  const reason = (viewer.staff ? update.hiddenReason : null) ?? update.statusReason
  return {
    id: update.id,
    authorName: name,
    body: bodyFor(viewer, update),
    newStatus: isOwn ? update.newStatus : null,
    createdAt: update.createdAt.toISOString(),
    ...(role ? { authorRole: role } : {}),
    ...(update.via === 'email' ? { via: update.via } : {}),
    ...(viewer.staff && update.authorEmail !== null ? { authorEmail: update.authorEmail } : {}),
    ...senderFor(viewer, update),
    ...(isOwn ? {} : { fromIncidentId: update.incidentId }),
    ...(isOwn || !update.newStatus ? {} : { statusThere: update.newStatus }),
    ...(update.expectedBackAt ? { expectedBackAt: update.expectedBackAt.toISOString() } : {}),
    ...(reason ? { statusReason: reason } : {}),
    ...(update.closingReason ? { closingReason: update.closingReason } : {}),
    ...(viewer.staff && update.onStatusPage ? { onStatusPage: true as const } : {}),
    ...(update.isReopening ? { reopened: true as const } : {}),
    ...(viewer.staff && (update.hidden || update.signedAs !== null) ? { nameHidden: true as const } : {}),
    ...(update.hiddenBody === null ? {} : { hidden: true as const }),
    ...wholeEmailFor(viewer, update.wholeEmailId),
  }
}

/**
 * A photo; `path` is resolved through GET /api/photos/<path> (spec §2). `fromIncidentId`: the
 * duplicate it came from (decision 2.5).
 */
const PhotoJson = shape('Photo', {
  id: rowId,
  path: z.string(),
  createdAt: instantText,
  fromIncidentId: rowId.optional(),
  hidden,
})

function presentPhoto(photo: IncidentPhoto, shownOn: number): z.output<typeof PhotoJson> {
  const { id, path, createdAt, incidentId, hiddenAt } = photo
  const from = incidentId === shownOn ? {} : { fromIncidentId: incidentId }
  return { id, path, createdAt: createdAt.toISOString(), ...from, ...(hiddenAt ? { hidden: true } : {}) }
}

/** A merged duplicate as its survivor shows it (decisions 2.5, 7.6). */
const DuplicateJson = IncidentJson.pick({
  id: true,
  title: true,
  createdAt: true,
  description: true,
  reporterName: true,
  reporterEmail: true,
  senderProven: true,
  claimedName: true,
  source: true,
  nameHidden: true,
  hidden: true,
})
  .extend(wholeEmailJson)
  .meta({ id: 'Duplicate' })

function presentDuplicate(
  row: ListedIncident,
  viewer: Viewer,
  wholeEmailId: number | undefined,
): z.output<typeof DuplicateJson> {
  const { senderProven, claimedName, ...incident } = presentIncident(row, viewer)
  const sender = incident.reporterEmail === undefined ? {} : senderFor(viewer, row)
  return fromRow(DuplicateJson, { ...incident, ...sender, ...wholeEmailFor(viewer, wholeEmailId) })
}

/**
 * Incident detail: the incident, its updates and photos with those of its duplicates, oldest first
 * (spec §2, decision 2.5), the number of affected people and what the office expects; whether
 * someone is on it and, for staff, who.
 */
export const IncidentDetailJson = shape('IncidentDetail', {
  ...incidentJson,
  updates: z.array(UpdateJson),
  photos: z.array(PhotoJson),
  affectedCount: wholeNumber,
  ...incidentEntity.detail.json,
  duplicates: z.array(DuplicateJson),
  hiddenPhotos: wholeNumber.optional(),
  isAssigned: z.boolean(),
  ...assigneeJson,
  ...wholeEmailJson,
})
export type PresentedDetail = z.output<typeof IncidentDetailJson>

/**
 * What the detail shows besides the incident's row. Updates and photos are in the order in which
 * they are shown.
 */
type Shown = {
  updates: readonly TimelineUpdate[]
  photos: readonly IncidentPhoto[]
  duplicates?: readonly ListedIncident[]
  affected: number
  assignee?: AssigneeNames
  /** Ids of the emails that the incident and its duplicates were reported by, for staff. */
  reportEmails?: ReadonlyMap<number, number> | undefined
}

/** Residents do not see an entry that only assigns: `isAssigned` tells them so. */
const isForResidents = ({ body, newStatus, expectedBackAt, statusReason, via, hiddenBody }: TimelineUpdate) =>
  Boolean(body || newStatus || expectedBackAt || statusReason || via === 'email' || hiddenBody !== null)

export function presentIncidentDetail(
  row: ListedIncident,
  { updates, photos, duplicates = [], affected, assignee = noAssignee, reportEmails }: Shown,
  viewer: Viewer,
): PresentedDetail {
  const visiblePhotos = photos.filter(({ hiddenAt }) => viewer.staff || hiddenAt === null)
  return {
    ...presentIncident(row, viewer),
    updates: updates
      .filter((update) => viewer.staff || isForResidents(update))
      .map((update) => presentUpdate(update, viewer, row.id)),
    photos: visiblePhotos.map((photo) => presentPhoto(photo, row.id)),
    ...(visiblePhotos.length < photos.length ? { hiddenPhotos: photos.length - visiblePhotos.length } : {}),
    affectedCount: affected,
    ...incidentEntity.detail.present(row),
    duplicates: duplicates.map((duplicate) =>
      presentDuplicate(duplicate, viewer, reportEmails?.get(duplicate.id)),
    ),
    isAssigned: row.assigneeId !== null || row.contactId !== null,
    ...(viewer.staff ? presentAssignee(row, assignee) : {}),
    ...wholeEmailFor(viewer, reportEmails?.get(row.id)),
  }
}

/** The answer for a merged duplicate (decision 2.6). `redirectTo` is an address for this caller. */
export const PointerJson = shape('MergedIncident', { id: rowId, mergedInto: rowId, redirectTo: z.string() })

/** The answer to a merge (decision 2.5). */
export const MergeJson = shape('Merge', { mergedInto: rowId, redirectTo: z.string() })

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
  hidden: true,
  notAReport: true,
}).meta({ id: 'AssetIncident' })

export function presentAssetIncident(
  row: ListedIncident,
  viewer: Viewer,
): z.output<typeof AssetIncidentJson> {
  return fromRow(AssetIncidentJson, presentIncident(row, viewer))
}
