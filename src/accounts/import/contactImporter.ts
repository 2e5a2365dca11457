import type { Contact } from '../../building/building.js'
import { grouped } from '../../vocabulary/collections.js'
import { hoursFields, hoursFrom, type OpeningHours } from '../../vocabulary/time/openingHours.js'
import {
  asRecordset,
  type Importer,
  idsOf,
  type PlannedRow,
  planEach,
  planRow,
  RowRefused,
} from './importPlan.js'
import { type SheetRow, truthOf } from './sheetColumns.js'

/** A contact there is, which the rows are compared with. */
type StoredContact = OpeningHours &
  Pick<Contact, 'id' | 'name' | 'label' | 'phone' | 'email' | 'notes' | 'isPublic'>

const emptyContact = {
  label: '',
  phone: '',
  email: '',
  hoursWeekdays: '',
  hoursSaturday: '',
  hoursSunday: '',
  notes: '',
  isPublic: false,
}

/**
 * Matches contacts by name, and by label where the sheet has one. New ones go to the end of the
 * directory.
 */
export const contactImporter: Importer = {
  entity: 'contact',

  async plan(rows, run) {
    const contacts = await run<StoredContact>(
      `select id, name, label, phone, email, hours_weekdays, hours_saturday, hours_sunday, notes, is_public
       from contacts order by sort_order, id`,
    )
    const stored = grouped(contacts, ({ name }) => name.toLowerCase())
    const key = ({ cells }: SheetRow) => contactKey(cells)
    return planEach(rows, { column: 'name', of: key }, (row) => plannedContact(row, stored))
  },

  async create(c, rows) {
    const inserted = await c.query<{ id: number; name: string; label: string }>(
      `insert into contacts (name, label, phone, email, hours_weekdays, hours_saturday, hours_sunday, notes, is_public,
         sort_order, created_at)
       select name, label, phone, email, hours_weekdays, hours_saturday, hours_sunday, notes, is_public,
         (select coalesce(max(sort_order), 0) from contacts) + place, $2
       from rows from (
         json_to_recordset($1) as (name text, label text, phone text, email text, "hoursWeekdays" text,
           "hoursSaturday" text, "hoursSunday" text, notes text, "isPublic" boolean)
       ) with ordinality as r (name, label, phone, email, hours_weekdays, hours_saturday, hours_sunday, notes,
         is_public, place)
       order by place returning id, name, label`,
      [asRecordset(rows), c.now],
    )
    return idsOf(rows, inserted, contactKey)
  },

  async update(c, rows) {
    await c.query(
      `update contacts t set name = r.name, label = r.label, phone = r.phone, email = r.email, notes = r.notes,
         hours_weekdays = r."hoursWeekdays", hours_saturday = r."hoursSaturday", hours_sunday = r."hoursSunday",
         is_public = r."isPublic"
       from json_to_recordset($1) as r (id integer, name text, label text, phone text, email text, notes text,
         "hoursWeekdays" text, "hoursSaturday" text, "hoursSunday" text, "isPublic" boolean)
       where t.id = r.id`,
      [asRecordset(rows)],
    )
  },
}

function plannedContact(row: SheetRow, stored: Map<string, StoredContact[]>): PlannedRow {
  const { name = '', label } = row.cells
  const sameName = (stored.get(name.toLowerCase()) ?? []).filter(
    (contact) => label === undefined || contact.label.toLowerCase() === label.toLowerCase(),
  )
  if (sameName.length > 1) throw new RowRefused('contact_ambiguous', 'name', name)
  const [contact] = sameName
  const values = valuesOf(row.cells)
  if (!contact) return planRow(row, name, { fields: { ...emptyContact, ...values } }, null)
  const { id, ...fields } = contact
  return planRow(row, contact.name, { fields: { ...fields, ...values } }, { id, fields })
}

/** The cells as the table stores them. */
function valuesOf({ isPublic, ...cells }: SheetRow['cells']): Record<string, unknown> {
  const hours = hoursFields.flatMap((day) => {
    const text = cells[day]
    return text === undefined ? [] : [[day, hoursFrom(text)]]
  })
  return {
    ...cells,
    ...Object.fromEntries(hours),
    ...(isPublic === undefined ? {} : { isPublic: truthOf(isPublic) }),
  }
}

function contactKey({ name, label = '' }: Record<string, unknown>): string {
  return `${name}\n${label}`.toLowerCase()
}
