import type { Contact, Tower, Unit } from '../../models/building/building.js'

/** A tower (spec §2). */
export function presentTower({ id, name }: Tower) {
  return { id, name }
}

/** A unit (spec §2). */
export function presentUnit({ id, towerId, number, floor }: Unit) {
  return { id, towerId, number, floor }
}

/** A contact of the building directory (spec §2). */
export function presentContact({ id, name, label, phone, email, notes, sortOrder }: Contact) {
  return { id, name, label, phone, email, notes, sortOrder }
}
