import type { Property } from '../../models/building/building.js'

/** The building itself (spec §2), with what the office sets besides. */
export function presentProperty(property: Property) {
  const { id, name, address, timezone, currency, locale, secondFactorRequired } = property
  return { id, name, address, timezone, currency, locale, secondFactorRequired }
}
