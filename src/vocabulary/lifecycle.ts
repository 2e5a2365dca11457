import type { AssetStatus } from './assetStatus.js'
import { Conflict } from './conflict.js'
import type { Severity } from './severity.js'

/** Incident statuses in lifecycle order; verified is terminal (spec §3). */
export const statuses = ['open', 'acknowledged', 'in_progress', 'resolved', 'verified'] as const
export type Status = (typeof statuses)[number]

/** Taken up by the office, and not done yet. */
export const takenStatuses = ['acknowledged', 'in_progress'] as const satisfies readonly Status[]

/** The colour of a report's status on pages and in emails; grey before anyone has acted. */
export type StatusTone = AssetStatus | 'neutral'

/** Each status's colour, and its name for clients of hosted status pages. */
export const statusLooks = {
  open: { tone: 'neutral', hosted: 'investigating' },
  acknowledged: { tone: 'maintenance', hosted: 'identified' },
  in_progress: { tone: 'maintenance', hosted: 'identified' },
  resolved: { tone: 'operational', hosted: 'resolved' },
  verified: { tone: 'operational', hosted: 'resolved' },
} as const satisfies Record<Status, { tone: StatusTone; hosted: 'investigating' | 'identified' | 'resolved' }>

export const sources = ['web', 'mobile', 'email'] as const
export type Source = (typeof sources)[number]

/**
 * The statuses staff may set from each status (decision 2.2): any from any, as spec §3 says, except
 * out of verified. To narrow the reading, edit one row.
 */
const transitions: Record<Status, readonly Status[]> = {
  open: ['acknowledged', 'in_progress', 'resolved', 'verified'],
  acknowledged: ['open', 'in_progress', 'resolved', 'verified'],
  in_progress: ['open', 'acknowledged', 'resolved', 'verified'],
  resolved: ['open', 'acknowledged', 'in_progress', 'verified'],
  verified: [],
}

/** The fields of an incident that the rules need. */
export type LifecycleState = {
  id: number
  status: Status
  createdAt: Date
  downtimeStartedAt: Date | null
  acknowledgedAt: Date | null
  resolvedAt: Date | null
  verifiedAt: Date | null
  mergedIntoId: number | null
}

/** The columns a transition writes (decision 2.3). */
export type Stamps = Pick<LifecycleState, 'status' | 'acknowledgedAt' | 'resolvedAt' | 'verifiedAt'>

/** The statuses staff may choose next, in lifecycle order: for the form and for the rule. */
export function nextStatuses(incident: Pick<LifecycleState, 'status' | 'mergedIntoId'>): readonly Status[] {
  return incident.mergedIntoId === null ? transitions[incident.status] : []
}

/** Throws Conflict for a merged duplicate, with the id of its survivor (decisions 2.6, 6.7). */
export function refuseMerged(incident: Pick<LifecycleState, 'mergedIntoId'>): void {
  if (incident.mergedIntoId !== null)
    throw new Conflict('incident_merged', { mergedInto: incident.mergedIntoId })
}

/** Throws Conflict for what is "not a report" (decision 7.14): it is made a report again first. */
export function refuseDismissed({ dismissedAt }: { dismissedAt: Date | null }): void {
  if (dismissedAt !== null) throw new Conflict('incident_dismissed')
}

/**
 * The stamps of a staff status update at `now`; a duplicate is refused before. Throws Conflict out
 * of verified. Null when the status stays the same: the update is then a plain comment
 * (decision 2.2).
 */
export function transition(incident: LifecycleState, to: Status, now: Date): Stamps | null {
  if (incident.status === to) return null
  if (!transitions[incident.status].includes(to)) throw new Conflict('incident_verified')
  return stampsFor(incident, to, now)
}

/** The stamps of a verification (spec §3); not fixed reopens. Throws Conflict unless resolved. */
export function verificationStamps(incident: LifecycleState, fixed: boolean, now: Date): Stamps {
  if (incident.status !== 'resolved') throw new Conflict('incident_not_resolved')
  return stampsFor(incident, fixed ? 'verified' : 'in_progress', now)
}

/** The stamps of a confirmation taken back (decision 8.4). Throws Conflict unless verified. */
export function undoConfirmationStamps(incident: LifecycleState): Stamps {
  if (incident.status !== 'verified') throw new Conflict('changed_meanwhile')
  const { acknowledgedAt, resolvedAt } = incident
  return { status: 'resolved', acknowledgedAt, resolvedAt, verifiedAt: null }
}

/**
 * The stamps of what is closed without an answer whether it is fixed, as a duplicate is by a merge
 * (decision 2.5) and as no report: verified, resolved if it was not.
 */
export function closingStamps(incident: LifecycleState, now: Date): Stamps {
  return stampsFor(incident, 'verified', now)
}

/** A clock that went back stamps no end before its start, so that no change is refused for it. */
function stampsFor(incident: LifecycleState, to: Status, clock: Date): Stamps {
  const { createdAt, downtimeStartedAt } = incident
  const now = new Date(Math.max(+clock, +createdAt, +(downtimeStartedAt ?? 0)))
  const done = to === 'resolved' || to === 'verified'
  return {
    status: to,
    acknowledgedAt: incident.acknowledgedAt ?? (to === 'open' ? null : now),
    resolvedAt: done ? (incident.resolvedAt ?? now) : null,
    verifiedAt: to === 'verified' ? (incident.verifiedAt ?? now) : null,
  }
}

/** Whether a new report counts as downtime: on an asset and critical (decisions 2.7, 6.10). */
export function startsDowntime(assetId: number | null, severity: Severity): boolean {
  return assetId !== null && severity === 'critical'
}

/** Why the office closes an incident (decision 7.14). */
export const closingReasons = ['fixed', 'no_fault_found', 'not_ours', 'cannot_be_repaired'] as const
export type ClosingReason = (typeof closingReasons)[number]

/** Why this was closed without a repair; null when it is open, was repaired, or no one said why. */
export function reasonNotRepaired(
  status: Status,
  reason: ClosingReason | null | undefined,
): Exclude<ClosingReason, 'fixed'> | null {
  const isClosed = status === 'resolved' || status === 'verified'
  return isClosed && reason && reason !== 'fixed' ? reason : null
}

/**
 * The one colour of a status: grey as well for what was closed without a repair, amber where a
 * resident says that it is not fixed.
 */
export function statusTone(
  status: Status,
  reason: ClosingReason | null | undefined,
  reopened = false,
): StatusTone {
  if (reopened) return 'degraded'
  return reasonNotRepaired(status, reason) ? 'neutral' : statusLooks[status].tone
}

/**
 * Progress of an incident, in terms that every language has; any other text is the office's own and
 * shown as it is. Public, so it must name no one.
 */
export const statusReasons = ['waiting_for_parts', 'engineer_coming', 'being_repaired', 'watching'] as const
export type StatusReason = (typeof statusReasons)[number]
