import { isZone } from './calendar.js'

/**
 * IANA zone names to choose from, in alphabetical order. Their older names are accepted as well.
 */
export const zoneNames: readonly string[] = [...Intl.supportedValuesOf('timeZone'), 'UTC']

const spelled = new Map(zoneNames.map((name) => [name.toLowerCase(), name]))

/** The IANA spelling of a zone name typed in any case; null when there is none. */
export function zoneNamed(text: string): string | null {
  const known = spelled.get(text.toLowerCase())
  if (known) return known
  return isZone(text) ? text : null
}
