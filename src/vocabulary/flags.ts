/** Features that can be switched without a restart. A flag missing from the database is off. */
export const flags = ['ai_triage'] as const
export type FlagName = (typeof flags)[number]
