import type { Property } from '../models/building.js'

/** The building itself (spec §2), with what the office sets besides. */
export function presentProperty({ id, name, address, timezone, currency, locale }: Property) {
  return { id, name, address, timezone, currency, locale }
}
