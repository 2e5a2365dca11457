import type { Viewer } from './actor.js'

/** Who makes accounts: the office alone, or anyone whose address is confirmed (decision 7.15). */
export const signUps = ['office', 'anybody'] as const
export type SignUp = (typeof signUps)[number]

/** Who must have a second factor (decision 7.12). */
export const secondFactorDemands = ['off', 'staff'] as const

/** Who reads which flat an incident is about (decision 7.13); the others read its tower. */
export const unitVisibilities = ['everybody', 'signed_in', 'staff'] as const
type UnitVisibility = (typeof unitVisibilities)[number]

/** When what comes by email is public: at once, or when the office sorted it (decision 7.13). */
export const mailVisibilities = ['at_once', 'when_sorted'] as const

/** Whether this reader may know an incident's flat. In SQL: `publicPlaceNameSql`. */
export function seesUnits({ staff, isSignedIn }: Viewer, visibility: UnitVisibility): boolean {
  return visibility === 'everybody' || staff || (visibility === 'signed_in' && isSignedIn)
}
