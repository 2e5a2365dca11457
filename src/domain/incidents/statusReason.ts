/**
 * What is being done about an incident, in words of ours that every language has; anything else is the office's own
 * short text and shown as it is. Public, so it names nobody.
 */
export const statusReasons = ['waiting_for_parts', 'engineer_coming', 'being_repaired', 'watching'] as const
export type StatusReason = (typeof statusReasons)[number]
