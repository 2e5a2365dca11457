import type { Status } from './lifecycle.js'

/** Why the office closes an incident (decision 7.14). */
export const closingReasons = ['fixed', 'no_fault_found', 'not_ours', 'cannot_be_repaired'] as const
export type ClosingReason = (typeof closingReasons)[number]

/**
 * Why what this status closes was closed without a repair; null when it is open, was repaired, or
 * no one said why.
 */
export function unrepaired(
  status: Status,
  reason: ClosingReason | null | undefined,
): Exclude<ClosingReason, 'fixed'> | null {
  const isClosed = status === 'resolved' || status === 'verified'
  return isClosed && reason && reason !== 'fixed' ? reason : null
}

/**
 * Progress of an incident, in terms that every language has; any other text is the office's own and
 * shown as it is. Public, so it must name no one.
 */
export const statusReasons = ['waiting_for_parts', 'engineer_coming', 'being_repaired', 'watching'] as const
export type StatusReason = (typeof statusReasons)[number]
