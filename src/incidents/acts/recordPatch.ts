import type { Change } from '../../platform/db/change.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { incidentFact, storedEmailFollowerKey } from '../../vocabulary/events.js'
import type { Stamps } from '../../vocabulary/lifecycle.js'
import type { Incident } from '../model/incident.js'
import type { Author, Person } from '../model/person.js'
import type { PostedPhotos } from '../model/photos/photos.js'
import type { AllowedPatch, IncidentPatch } from './allowedPatch.js'

/** The author of an entry that is not by the actor of the change: the sender of an email. */
export type EntrySender = {
  author: Author
  /** The account that follows and waits for an answer; null for a sender without one. */
  person: Person
  commentedBy: { authorId: number | null } | { emailFollowerId: number | null }
}

/** A patch that may be applied, with who it is by. `actsAs`: who it counts as, see `capacityOf`. */
export type PatchInProgress = {
  incident: Incident
  patch: IncidentPatch
  allowed: AllowedPatch
  actsAs: Person
  sender: EntrySender | null
  photos: PostedPhotos | undefined
  /** Followers read something new: words, a status, a time or a reason. */
  hasNews: boolean
  /** The office says something of its own in public, in words or as a forecast. */
  isStaffUpdate: boolean
}

const actionOf = {
  fixed: 'incident.verified',
  notFixed: 'incident.reopened',
  undo: 'incident.confirmation_undone',
} as const

/** Records the audit entry of a correction, which has no entry in the timeline and no event. */
export function recordCorrection(c: Change, { incident, patch, allowed }: PatchInProgress): void {
  const { before, after, changes } = allowed
  // From this entry on the severity counts for the past, so it is recorded even if it stays the
  // same.
  const retroactive = patch.retroactive && {
    severity: { before: before.severity, after: after.severity },
    retroactive: { before: null, after: true },
  }
  c.audit('incident.edited', incident.id, { ...changes, ...retroactive })
}

/** Who wrote an entry, as the details of its event say it. */
function senderDetails(commentedBy: EntrySender['commentedBy']): Record<string, number | null> {
  return 'authorId' in commentedBy
    ? { authorId: commentedBy.authorId }
    : { [storedEmailFollowerKey]: commentedBy.emailFollowerId }
}

/** Records the audit entry of a comment, and its event. */
export function recordComment(
  c: Change,
  { incident, allowed, sender, photos, hasNews }: PatchInProgress,
  updateId: number,
): void {
  const photoCount = photos ? photos.stored.length + photos.staged.length : 0
  c.audit('incident.commented', incident.id, {
    update: { before: null, after: updateId },
    ...allowed.changes,
    ...(sender && { photos: { before: null, after: photoCount } }),
  })
  // An assignment without words is news only to the assignee (decision 7.2).
  if (!hasNews && photoCount === 0) return
  c.emit({
    event: 'incident.commented',
    incident: { id: incident.id },
    details: { updateId, ...senderDetails(sender?.commentedBy ?? { authorId: c.actor.id }) },
  })
}

/**
 * Records the audit entry of a change of status, and its events. `breach`: what `writeColumns`
 * returned.
 */
export function recordMove(
  c: Change,
  { incident, patch, allowed }: PatchInProgress,
  stamps: Stamps,
  breach: { slaBreached?: boolean },
  updateId: number,
): void {
  const { before, after } = allowed
  const { id, status, acknowledgedAt, resolvedAt, verifiedAt, slaBreached } = incident
  const { move } = patch
  const isAnswer = move !== undefined
  const details = { from: status, to: stamps.status, updateId, ...(isAnswer && { verification: true }) }
  if (move === 'notFixed') c.emit({ event: 'incident.reopened', incident: { id }, details })
  c.audit(
    move ? actionOf[move] : 'incident.status_changed',
    id,
    changesBetween(
      { status, acknowledgedAt, resolvedAt, verifiedAt, slaBreached, ...before },
      { slaBreached, ...stamps, ...after, ...breach },
    ),
  )
  c.emit({
    event: 'incident.status_changed',
    incident: { ...incidentFact(incident), status: stamps.status, ...breach },
    details,
  })
}
