import { z } from 'zod'
import { moveContact } from '../../actions/building/moveContact.js'
import type { RecordKind } from '../../actions/records/records.js'
import { limits } from '../../domain/system/limits.js'
import { Contact } from '../../models/building/building.js'
import { countsOf } from '../../models/system/dependents.js'
import type { Resource } from '../../pages/records/description.js'
import { place } from '../../pages/records/fields.js'
import {
  ContactJson,
  OfficeContactJson,
  presentContact,
  presentOfficeContact,
} from '../../presenters/building/directory.js'
import { both } from '../../web/request/both.js'
import { flag, line, oneOf, optionalLine } from '../../web/request/input.js'
import { route } from '../../web/route/route.js'
import { resourceRoutes } from '../records/resource.js'

const kind: RecordKind = {
  entity: 'contact',
  model: Contact,
  fields: ['name', 'label', 'phone', 'email', 'notes', 'sortOrder', 'isEmergency'],
}

const listing = {
  columns:
    'r.id, r.name, r.label, r.phone, r.email, r.notes, r.sort_order as "sortOrder", r.is_emergency as "isEmergency"',
  from: 'contacts r',
  search: `concat_ws(' ', r.name, r.label, r.phone, r.email, r.notes)`,
  sorts: {
    name: { by: 'lower(r.name)', type: 'text' },
    order: { by: 'r.sort_order', type: 'integer' },
  },
} as const

const schema = z.object({
  name: line('name', limits.name),
  label: optionalLine('label', 200),
  phone: optionalLine('phone', 100),
  email: optionalLine('email', 320),
  notes: optionalLine('notes', 2_000),
  sortOrder: place.default(0),
  isEmergency: flag('emergency').default(false),
})

const MoveRequest = z.object({ direction: oneOf('direction', ['up', 'down']) })

const contacts: Resource<Contact, typeof OfficeContactJson> = {
  path: 'contacts',
  permission: 'contact.manage',
  kind,
  listing,
  order: 'order',
  find: async (id) => (await Contact.query().findById(id)) ?? null,
  present: presentOfficeContact,
  json: OfficeContactJson,
  nameOf: ({ name }) => name,
  schema,
  elsewhere: { direction: 'POST /api/admin/contacts/:id/move (direction)' },
  words: (t) => t.office.contacts,
  columns: [
    { name: 'name', sort: 'name', cell: ({ name }) => name },
    { name: 'label', cell: ({ label }) => label },
    { name: 'phone', cell: ({ phone }) => phone },
    { name: 'email', cell: ({ email }) => email },
    { name: 'isEmergency', cell: ({ isEmergency }, { t }) => isEmergency && t.office.yes },
  ],
  moves: '/admin/contacts',
  fields: async () => [
    { name: 'name', kind: 'line', maxlength: limits.name },
    { name: 'label', kind: 'line', maxlength: 200 },
    { name: 'phone', kind: 'tel', maxlength: 100 },
    { name: 'email', kind: 'email', maxlength: 320 },
    { name: 'notes', kind: 'text' },
    { name: 'isEmergency', kind: 'flag' },
  ],
  defaults: { isEmergency: false },
  dependents: async ({ id }, { office }) => {
    const { assets } = await countsOf({ assets: ['select count(*) from assets where contact_id = $1', id] })
    return [{ count: assets, text: office.dependents.lookedAfter(assets), blocks: false }]
  },
}

/** Contacts of the building directory (spec §2), whose order the office sets. */
export const contactRoutes = [
  ...resourceRoutes(contacts),
  route({
    method: 'post',
    paths: both('/admin/contacts/:id/move'),
    summary: 'Moves a contact up or down by one.',
    permission: 'contact.manage',
    throttle: 'writes',
    body: MoveRequest,
    answer: z.array(ContactJson),
    handle: async ({ params: { id }, body: { direction }, actor }) => {
      await moveContact(actor, id, direction)
      const data = (await Contact.all()).map(presentContact)
      return { data, location: '/admin/contacts', notice: 'moved' }
    },
  }),
]
