import { z } from 'zod'
import { change } from '../../platform/db/change.js'
import { countsOf } from '../../platform/db/dependents.js'
import type { Resource } from '../../platform/http/records/description.js'
import { place } from '../../platform/http/records/fields.js'
import type { RecordKind } from '../../platform/http/records/records.js'
import { resourceRoutes } from '../../platform/http/records/resource.js'
import { both } from '../../platform/http/request/both.js'
import { flag, line, oneOf, optionalLine } from '../../platform/http/request/input.js'
import { route } from '../../platform/http/route/route.js'
import { limits } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Contact } from '../building.js'
import { ContactJson, OfficeContactJson, presentContact, presentOfficeContact } from './json.js'

/**
 * Moves a contact one place up or down; no effect at the end of the list. Locks and renumbers all
 * contacts, so that concurrent moves cannot leave equal positions. Throws NotFound.
 */
async function moveContact(actor: Actor, id: number, direction: 'up' | 'down'): Promise<void> {
  await change(actor, async (c) => {
    const rows = await c.query<{ id: number; sortOrder: number }>(
      'select id, sort_order as "sortOrder" from contacts order by sort_order, id for update',
    )
    const before = rows.findIndex((row) => row.id === id)
    orNotFound(rows[before])
    const after = before + (direction === 'up' ? -1 : 1)
    if (!rows[after]) return c.noop()
    const ids = rows.map((row) => row.id)
    ;[ids[before], ids[after]] = [ids[after]!, ids[before]!]
    await c.query(
      `update contacts set sort_order = place from unnest($1::integer[]) with ordinality as given (given_id, place)
       where id = given_id and sort_order <> place`,
      [ids],
    )
    c.audit('contact.moved', id, { place: { before: before + 1, after: after + 1 } })
  })
}

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
