import { query } from '../../../platform/db/database.js'
import type { ClosingReason, Status } from '../../../vocabulary/lifecycle.js'
import type { Via } from '../../../vocabulary/people/actor.js'
import type { StaffRole } from '../../../vocabulary/people/permissions.js'
import { IncidentUpdate } from './incidentUpdate.js'

/**
 * `isAnonymous`: written by the anonymous reporter. `signedAs`: whose name others than staff read
 * instead, on an anonymous report. `authorRole`: set only for entries by staff, never for emails.
 * Only for staff: `authorEmail` (an email's sender), `senderProven`, `claimedName` (the account
 * that an email not proven claims to come from), `bodyForStaff` (replaces the body).
 */
export type TimelineUpdate = {
  id: number
  incidentId: number
  authorName: string
  authorRole: StaffRole | null
  authorEmail: string | null
  senderProven: boolean | null
  claimedName: string | null
  isAnonymous: boolean
  signedAs: string | null
  via: Via
  body: string
  bodyForStaff: string | null
  newStatus: Status | null
  createdAt: Date
  /** What the entry said again beside its words; null for the rest. */
  expectedBackAt: Date | null
  statusReason: string | null
  closingReason: ClosingReason | null
  onStatusPage: boolean
  /** A resident said by it that the repair failed. */
  isReopening: boolean
  /** Its words are the service's own. */
  automatic: boolean
  /** Its words while they are hidden, for staff alone; `body` is empty then (decision 7.14). */
  hiddenBody: string | null
  hiddenReason: string | null
  /** Of the email that it came by, where that says more; for staff alone (decision 9.1). */
  wholeEmailId: number | null
}

/** These entries of an incident, oldest first. */
export async function timelineEntries(incidentId: number, ids: readonly number[]): Promise<TimelineUpdate[]> {
  return query('select * from timeline_entries where incident_id = $1 and id = any ($2) order by id', [
    incidentId,
    ids,
  ])
}

/**
 * The latest entry of each of these incidents that is neither by staff nor by the service, if it
 * has one.
 */
export async function lastComments(incidentIds: readonly number[]): Promise<Map<number, TimelineUpdate>> {
  const rows = await query<TimelineUpdate>(
    `select last.*
     from unnest($1::integer[]) i (id)
     cross join lateral (
       select * from timeline_entries
       where incident_id = i.id and is_by_someone_else order by id desc limit 1
     ) last`,
    [incidentIds],
  )
  return new Map(rows.map((update) => [update.incidentId, update]))
}

/** Why an entry of this incident closed it, if it did; null also for an id that is none. */
export async function closingReasonOf(incidentId: number, updateId: unknown): Promise<ClosingReason | null> {
  if (!Number.isSafeInteger(updateId)) return null
  const entry = await IncidentUpdate.query()
    .findOne({ id: updateId as number, incidentId })
    .select('closingReason')
  return entry?.closingReason ?? null
}
