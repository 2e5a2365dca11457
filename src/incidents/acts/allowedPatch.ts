import { type Changes, changesBetween } from '../../vocabulary/audit.js'
import {
  type ClosingReason,
  refuseDismissed,
  refuseMerged,
  type Stamps,
  type Status,
  transition,
  undoConfirmationStamps,
  verificationStamps,
} from '../../vocabulary/lifecycle.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { type Editable, editableNames } from '../model/entity.js'
import type { Incident } from '../model/incident.js'

/** The columns that a patch sets, beside the status and its stamps. */
type PatchedColumns = Pick<Incident, Editable | 'closingReason'>

/** Who deals with an incident, and until which local day (YYYY-MM-DD); undefined stays. */
export type AssigneeChange = Pick<IncidentPatch, 'assigneeId' | 'contactId' | 'dueOn'>

/**
 * A change of an incident, whichever page, endpoint or email makes it (decision 8.3). Undefined
 * fields stay.
 */
export type IncidentPatch = { [N in Editable]?: Incident[N] | undefined } & {
  /** The words of its entry in the timeline; without them it is a correction, which writes none. */
  body?: string | undefined
  /** What staff read in that entry instead. */
  bodyForStaff?: string | null
  /** The status that staff set; the present one changes nothing (decision 2.2). */
  newStatus?: Status | null | undefined
  /** A move that is not by the choice of staff: an answer whether it is fixed, or its undoing. */
  move?: 'fixed' | 'notFixed' | 'undo'
  /** Staff do it as the office's work, also where the incident is their own report. */
  byOffice?: boolean
  closingReason?: ClosingReason | null | undefined
  /** Undefined: yes (decision 7.16). */
  onStatusPage?: boolean | undefined
  /** The words are the service's own. */
  automatic?: boolean
  /** The severity counts for the past as well (decision 2.8). */
  retroactive?: boolean | undefined
  /** A text sent again although it names a hidden reporter (decision 7.13). */
  namedAnyway?: string | null | undefined
}

/** Whether it sets anything that only staff set, beside the status. */
export function setsStaffFields(patch: IncidentPatch): boolean {
  return ([...editableNames, 'closingReason', 'onStatusPage', 'retroactive'] as const).some(
    (name) => patch[name] !== undefined,
  )
}

/** What a patch makes of an incident; `stamps`: where it moves, if it does. */
export type AllowedPatch = {
  stamps: Stamps | null
  before: PatchedColumns
  after: PatchedColumns
  changes: Changes
}

/**
 * What a patch makes of a locked incident at `now`. The one set of rules for every way to change it
 * (decision 8.3). Throws Conflict and ValidationFailed.
 */
export function allowedPatch(incident: Incident, patch: IncidentPatch, now: Date): AllowedPatch {
  refuseMerged(incident)
  const stamps = stampsOf(incident, patch, now)
  const closed = { before: incident.resolvedAt !== null, after: (stamps ?? incident).resolvedAt !== null }
  const before = columnsBefore(incident)
  const after = { ...columnsAfter(before, patch, closed.after), closingReason: before.closingReason }
  if (stamps) after.closingReason = closingReasonAfter(incident, patch, closed)
  // What is open again has no corrected end of its downtime.
  if (stamps && !closed.after) after.downtimeEndedAt = null
  const changes = changesBetween(before, after)
  const changesNothing = Object.keys(changes).length === 0
  if (patch.body === undefined || !changesNothing) refuseDismissed(incident)
  requirePlace(before, after)
  requireDowntime(after, changes, incident, now)
  requireForecast(before, patch, closed.after, now)
  if (after.assigneeId !== null && after.contactId !== null)
    throw new ValidationFailed({ assigneeId: ['one_assignee_only'] })
  if (patch.closingReason && !(stamps && closed.after))
    throw new ValidationFailed({ closingReason: ['closingReason_unresolved'] })
  requireWords(patch, stamps, changesNothing)
  return { stamps, before, after, changes }
}

function stampsOf(incident: Incident, { move, newStatus }: IncidentPatch, now: Date): Stamps | null {
  if (move === 'undo') return undoConfirmationStamps(incident)
  if (move) return verificationStamps(incident, move === 'fixed', now)
  return newStatus ? transition(incident, newStatus, now) : null
}

/** The columns that a patch can change, as they are. */
function columnsBefore(incident: Incident): PatchedColumns {
  const editable = Object.fromEntries(editableNames.map((name) => [name, incident[name]]))
  return { ...(editable as Pick<Incident, Editable>), closingReason: incident.closingReason }
}

/**
 * Setting one place, or one assignee, clears the other. An incident in a flat is never downtime
 * (decision 6.10), and a closed one has no forecast.
 */
function columnsAfter(before: PatchedColumns, patch: IncidentPatch, isClosed: boolean): PatchedColumns {
  const names = editableNames.filter((name) => patch[name] !== undefined)
  const set: Partial<PatchedColumns> = Object.fromEntries(names.map((name) => [name, patch[name]]))
  const after = { ...before, ...set }
  if (set.assetId && set.unitId === undefined) after.unitId = null
  if (set.unitId && set.assetId === undefined) after.assetId = null
  if (set.assigneeId && set.contactId === undefined) after.contactId = null
  if (set.contactId && set.assigneeId === undefined) after.assigneeId = null
  if (after.assetId === null && set.isDowntime === undefined) after.isDowntime = false
  if (!after.isDowntime) Object.assign(after, { downtimeStartedAt: null, downtimeEndedAt: null })
  if (isClosed) Object.assign(after, { expectedBackAt: null, statusReason: null })
  return after
}

/**
 * The closing reason stays while the incident is closed; closing without a reason means "fixed". A
 * reporter who confirms the repair makes it "fixed", even when the office closed it for another
 * reason.
 */
function closingReasonAfter(
  incident: Incident,
  { closingReason, move }: IncidentPatch,
  closed: { before: boolean; after: boolean },
): ClosingReason | null {
  if (!closed.after) return null
  if (move === 'fixed') return incident.closingReason && 'fixed'
  return closingReason ?? (closed.before ? incident.closingReason : 'fixed')
}

const placesOf = ({ assetId, unitId }: PatchedColumns) => Number(assetId !== null) + Number(unitId !== null)

/** A place can be changed, not taken away; email that has none yet needs none (decision 7.6). */
function requirePlace(before: PatchedColumns, after: PatchedColumns): void {
  if (placesOf(after) > 1) throw new ValidationFailed({ assetId: ['place_exactly_one'] })
  if (placesOf(after) < placesOf(before)) throw new ValidationFailed({ assetId: ['place_kept'] })
}

/** The times of a downtime are in order; only what is resolved has an end. */
function requireDowntime(
  after: PatchedColumns,
  changes: Changes,
  { createdAt, resolvedAt }: Incident,
  now: Date,
): void {
  if (!['assetId', 'isDowntime', 'downtimeStartedAt', 'downtimeEndedAt'].some((name) => changes[name])) return
  if (after.isDowntime && after.assetId === null)
    throw new ValidationFailed({ isDowntime: ['downtime_needs_asset'] })
  const start = after.downtimeStartedAt
  if (start && start > now) throw new ValidationFailed({ downtimeStartedAt: ['downtimeStart_future'] })
  if (start && resolvedAt && start > resolvedAt)
    throw new ValidationFailed({ downtimeStartedAt: ['downtimeStart_after_end'] })
  const end = after.downtimeEndedAt
  if (end && !resolvedAt) throw new ValidationFailed({ downtimeEndedAt: ['downtimeEnd_unresolved'] })
  if (end && end > now) throw new ValidationFailed({ downtimeEndedAt: ['downtimeEnd_future'] })
  if (end && end <= (start ?? createdAt))
    throw new ValidationFailed({ downtimeEndedAt: ['downtimeEnd_before_start'] })
}

/** A closed incident gets no new forecast, and no forecast is in the past. */
function requireForecast(
  before: PatchedColumns,
  { expectedBackAt: at, statusReason: reason }: IncidentPatch,
  isClosed: boolean,
  now: Date,
): void {
  const isNew = at && at.getTime() !== before.expectedBackAt?.getTime()
  if (isClosed && isNew) throw new ValidationFailed({ expectedBackAt: ['expectedBack_resolved'] })
  if (isClosed && reason && reason !== before.statusReason)
    throw new ValidationFailed({ statusReason: ['expectedBack_resolved'] })
  if (isNew && at <= now) throw new ValidationFailed({ expectedBackAt: ['expectedBack_past'] })
}

/**
 * An update without text must change something. Closing needs a text, except "Fixed" by one tap
 * (decision 8.4) and an answer to "Is it fixed?".
 */
function requireWords(
  { body, move, automatic, closingReason }: IncidentPatch,
  stamps: Stamps | null,
  changesNothing: boolean,
): void {
  if (body !== '' || move) return
  const closesSilently = automatic && (closingReason ?? 'fixed') === 'fixed'
  if (stamps?.resolvedAt ? !closesSilently : !stamps && changesNothing)
    throw new ValidationFailed({ body: ['body_required'] })
}
