/**
 * Progress of an incident, in terms that every language has; any other text is the office's own and
 * shown as it is. Public, so it must name nobody.
 */
export const statusReasons = ['waiting_for_parts', 'engineer_coming', 'being_repaired', 'watching'] as const
export type StatusReason = (typeof statusReasons)[number]
