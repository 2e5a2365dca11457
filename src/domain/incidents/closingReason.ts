/** Why the office closes an incident (decision 7.14). */
export const closingReasons = ['fixed', 'no_fault_found', 'not_ours', 'cannot_be_repaired'] as const
export type ClosingReason = (typeof closingReasons)[number]
