import type { Contact } from '../../building/building.js'
import { grouped } from '../../vocabulary/collections.js'
import {
  asRecordset,
  type Importer,
  idsOf,
  type PlannedRow,
  planEach,
  planRow,
  RowRefused,
} from './importPlan.js'
import type { SheetRow } from './sheetColumns.js'

/** A contact there is, which the rows are compared with. */
type StoredContact = Pick<Contact, 'id' | 'name' | 'label' | 'phone' | 'email' | 'notes'>

const emptyContact = { label: '', phone: '', email: '', notes: '' }

/**
 * Matches contacts by name, and by label where the sheet has one. New ones go to the end of the
 * directory.
 */
export const contactImporter: Importer = {
  entity: 'contact',

  async plan(rows, run) {
    const contacts = await run<StoredContact>(
      'select id, name, label, phone, email, notes from contacts order by sort_order, id',
    )
    const stored = grouped(contacts, ({ name }) => name.toLowerCase())
    const key = ({ cells }: SheetRow) => contactKey(cells)
    return planEach(rows, { column: 'name', of: key }, (row) => plannedContact(row, stored))
  },

  async create(c, rows) {
    const inserted = await c.query<{ id: number; name: string; label: string }>(
      `insert into contacts (name, label, phone, email, notes, sort_order, created_at)
       select name, label, phone, email, notes, (select coalesce(max(sort_order), 0) from contacts) + place, $2
       from rows from (
         json_to_recordset($1) as (name text, label text, phone text, email text, notes text)
       ) with ordinality as r (name, label, phone, email, notes, place)
       order by place returning id, name, label`,
      [asRecordset(rows), c.now],
    )
    return idsOf(rows, inserted, contactKey)
  },

  async update(c, rows) {
    await c.query(
      `update contacts t set name = r.name, label = r.label, phone = r.phone, email = r.email, notes = r.notes
       from json_to_recordset($1) as r (id integer, name text, label text, phone text, email text, notes text)
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
  if (!contact) return planRow(row, name, { fields: { ...emptyContact, ...row.cells } }, null)
  const { id, ...fields } = contact
  return planRow(row, contact.name, { fields: { ...fields, ...row.cells } }, { id, fields })
}

function contactKey({ name, label = '' }: Record<string, unknown>): string {
  return `${name}\n${label}`.toLowerCase()
}
