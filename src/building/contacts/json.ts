import { z } from 'zod'
import { rowId, shape } from '../../platform/http/json.js'
import type { Contact, Tower, Unit } from '../building.js'

/** A tower (spec §2). */
export const TowerJson = shape('Tower', { id: rowId, name: z.string() })

export function presentTower({ id, name }: Tower): z.output<typeof TowerJson> {
  return { id, name }
}

/** A tower for the office. */
export const OfficeTowerJson = shape('OfficeTower', { ...TowerJson.shape, sortOrder: z.int() })

export function presentOfficeTower(tower: Tower): z.output<typeof OfficeTowerJson> {
  return { ...presentTower(tower), sortOrder: tower.sortOrder }
}

/** A unit (spec §2). */
export const UnitJson = shape('Unit', { id: rowId, towerId: rowId, number: z.string(), floor: z.int() })

export function presentUnit({ id, towerId, number, floor }: Unit): z.output<typeof UnitJson> {
  return { id, towerId, number, floor }
}

/** A contact of the building directory (spec §2). */
export const ContactJson = shape('Contact', {
  id: rowId,
  name: z.string(),
  label: z.string(),
  phone: z.string(),
  email: z.string(),
  notes: z.string(),
  sortOrder: z.int(),
})

export function presentContact(contact: Contact): z.output<typeof ContactJson> {
  const { id, name, label, phone, email, notes, sortOrder } = contact
  return { id, name, label, phone, email, notes, sortOrder }
}

/** A contact for the office. */
export const OfficeContactJson = shape('OfficeContact', { ...ContactJson.shape, isEmergency: z.boolean() })

export function presentOfficeContact(contact: Contact): z.output<typeof OfficeContactJson> {
  return { ...presentContact(contact), isEmergency: contact.isEmergency }
}
