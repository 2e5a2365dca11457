import { z } from 'zod'
import { moveContact } from '../../actions/building/moveContact.js'
import type { RecordKind } from '../../actions/records/records.js'
import { limits } from '../../domain/system/limits.js'
import { Contact } from '../../models/building/building.js'
import { place } from '../../pages/records/fields.js'
import { presentContact } from '../../presenters/building/directory.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { flag, input, line, oneOf, optionalLine, pathId } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'
import { addResource } from '../records/resource.js'

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

/** Contacts of the building directory (spec §2), which the office keeps in order by moving them up and down. */
export function contactRoutes(router: AppRouter): void {
  addResource<Contact>(router, {
    path: 'contacts',
    permission: 'contact.manage',
    kind,
    listing,
    order: 'order',
    find: async (id) => (await Contact.query().findById(id)) ?? null,
    present: (contact) => ({ ...presentContact(contact), isEmergency: contact.isEmergency }),
    nameOf: ({ name }) => name,
    schema: () => schema,
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
  })

  router.post(
    both('/admin/contacts/:id/move'),
    allow('contact.manage'),
    throttle('writes'),
    body(),
    async (ctx) => {
      const { direction } = input(ctx, MoveRequest)
      await moveContact(ctx.state.actor, pathId(ctx), direction)
      await respond(ctx, {
        data: (await Contact.all()).map(presentContact),
        location: '/admin/contacts',
        notice: 'moved',
      })
    },
  )
}
