import { z } from 'zod'
import { instantText, rowId, shape } from '../../../platform/http/json.js'
import { closingReasons, statuses } from '../../../vocabulary/lifecycle.js'
import type { Viewer } from '../../../vocabulary/people/actor.js'
import { roles } from '../../../vocabulary/people/permissions.js'
import {
  authorFor,
  bodyFor,
  hiddenJson,
  senderFor,
  senderJson,
  wholeEmailFor,
  wholeEmailJson,
} from '../redaction.js'
import type { TimelineUpdate } from './timelineEntries.js'

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
  hidden: hiddenJson,
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
    ...(viewer.staff && (update.isAnonymous || update.signedAs !== null)
      ? { nameHidden: true as const }
      : {}),
    ...(update.hiddenBody === null ? {} : { hidden: true as const }),
    ...wholeEmailFor(viewer, update.wholeEmailId),
  }
}

/** Residents do not see an entry that only assigns: `isAssigned` tells them so. */
export const isForResidents = ({
  body,
  newStatus,
  expectedBackAt,
  statusReason,
  via,
  hiddenBody,
}: TimelineUpdate) =>
  Boolean(body || newStatus || expectedBackAt || statusReason || via === 'email' || hiddenBody !== null)
