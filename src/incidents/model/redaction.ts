import { z } from 'zod'
import { rowId } from '../../platform/http/json.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { anonymousName } from '../../vocabulary/people/personName.js'
import { seesUnits } from '../../vocabulary/people/visibility.js'
import type { ListedIncident } from './entity.js'
import type { TimelineUpdate } from './timeline/timelineEntries.js'

/** The name this reader sees; only staff see who is anonymous (decision 2.9). */
export const nameFor = (viewer: Viewer, isAnonymous: boolean, name: string) =>
  isAnonymous && !viewer.staff ? anonymousName : name

/**
 * Who wrote an entry, for this reader. Staff read the name and the role. On an anonymous report
 * others read neither, whether the office acts or the reporter writes (decision 9.9): not even the
 * kind of role may tell them apart.
 */
export function authorFor(
  viewer: Viewer,
  { authorName, authorRole, isAnonymous, signedAs }: TimelineUpdate,
): { name: string; role: TimelineUpdate['authorRole'] } {
  if (signedAs !== null && !viewer.staff) return { name: signedAs, role: null }
  return { name: nameFor(viewer, isAnonymous, authorName), role: isAnonymous ? null : authorRole }
}

/**
 * Present only while a text or photo is hidden: residents and guests are shown that something is
 * hidden (decision 7.14).
 */
export const hiddenJson = z.literal(true).optional()

/** Staff read what is hidden; the row itself holds what everyone else reads. */
export function wordsFor(
  viewer: Viewer,
  { title, description, hiddenTitle, hiddenDescription }: ListedIncident,
) {
  if (hiddenTitle === null) return { title, description }
  const own = { title: hiddenTitle, description: hiddenDescription ?? '' }
  return { ...(viewer.staff ? own : { title, description }), hidden: true as const }
}

/** The flat an incident is about, or its tower alone (decision 7.13). */
export function unitFor(viewer: Viewer, row: ListedIncident) {
  const { unitId, unitName, towerName, unitVisibility } = row
  if (unitId === null || seesUnits(viewer, unitVisibility)) return { unitId, unitName }
  return { unitId: null, unitName: towerName }
}

/** What staff read of an email's sender (decisions 2.10, 7.3); others read nothing of it. */
export const senderJson = {
  senderProven: z.boolean().optional(),
  claimedName: z.string().optional(),
}

export function senderFor(
  viewer: Viewer,
  { senderProven, claimedName }: { senderProven: boolean | null; claimedName: string | null },
) {
  if (!viewer.staff || senderProven === null) return {}
  return { senderProven, ...(claimedName === null ? {} : { claimedName }) }
}

/** The id of the whole email that something came by, which staff can read (decision 9.1). */
export const wholeEmailJson = { wholeEmailId: rowId.optional() }

export function wholeEmailFor(viewer: Viewer, wholeEmailId: number | null | undefined) {
  return viewer.staff && wholeEmailId ? { wholeEmailId } : {}
}

/** The words of an entry: staff read what is hidden, and the names of files that were not taken. */
export const bodyFor = ({ staff }: Viewer, { body, bodyForStaff, hiddenBody }: TimelineUpdate) =>
  (staff ? (bodyForStaff ?? hiddenBody) : null) ?? body
