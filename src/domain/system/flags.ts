/** What can be switched on and off without a restart. One that the database does not have yet is off. */
export const flags = ['ai_triage'] as const
export type FlagName = (typeof flags)[number]

/** Whether there is such a switch. */
export function isFlag(name: string | undefined): name is FlagName {
  return (flags as readonly (string | undefined)[]).includes(name)
}
