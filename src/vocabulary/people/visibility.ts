import type { Viewer } from './actor.js'

/** Who reads which flat an incident is about (decision 7.13); the others read its tower. */
export const unitVisibilities = ['everybody', 'signed_in', 'staff'] as const
type UnitVisibility = (typeof unitVisibilities)[number]

/** Whether this reader may know an incident's flat. In SQL: `public_place_name`. */
export function seesUnits({ staff, isSignedIn }: Viewer, visibility: UnitVisibility): boolean {
  return visibility === 'everybody' || staff || (visibility === 'signed_in' && isSignedIn)
}
