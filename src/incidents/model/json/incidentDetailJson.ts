import { z } from 'zod'
import { fromRow, instantText, rowId, shape, wholeNumber } from '../../../platform/http/json.js'
import type { Viewer } from '../../../vocabulary/people/actor.js'
import { type AssigneeNames, assigneeJson, noAssignee, presentAssignee } from '../assignee.js'
import { incidentEntity, type ListedIncident } from '../entity.js'
import type { IncidentPhoto } from '../photos/photos.js'
import { hiddenJson, senderFor, wholeEmailFor, wholeEmailJson } from '../redaction.js'
import type { TimelineUpdate } from '../timeline/timelineEntries.js'
import { isForResidents, presentUpdate, UpdateJson } from '../timeline/updateJson.js'
import { IncidentJson, incidentJson, presentIncident } from './incidentJson.js'

/**
 * A photo; `path` is resolved through GET /api/photos/<path> (spec §2). `fromIncidentId`: the
 * duplicate it came from (decision 2.5).
 */
const PhotoJson = shape('Photo', {
  id: rowId,
  path: z.string(),
  createdAt: instantText,
  fromIncidentId: rowId.optional(),
  hidden: hiddenJson,
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
  // Whether the sender is proven is said of an address, beside it.
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
