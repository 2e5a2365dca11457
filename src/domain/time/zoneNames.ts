import { isZone } from './calendar.js'

/** IANA zone names to choose from, in the alphabet's order. Older names of the same zones are zones as well. */
export const zoneNames: readonly string[] = [...Intl.supportedValuesOf('timeZone'), 'UTC']

const spelled = new Map(zoneNames.map((name) => [name.toLowerCase(), name]))

/** The zone somebody means, as the IANA spells it, whatever letters are large; null when there is none. */
export function zoneNamed(text: string): string | null {
  const known = spelled.get(text.toLowerCase())
  if (known) return known
  return isZone(text) ? text : null
}
