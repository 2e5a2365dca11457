import { z } from 'zod'
import { change } from '../platform/db/change.js'
import { countsOf } from '../platform/db/dependents.js'
import { flagColumn, idColumn, textColumn, wholeColumn } from '../platform/db/kinds.js'
import { entity, resourceOf } from '../platform/http/records/entity.js'
import { place } from '../platform/http/records/fields.js'
import { resourceRoutes } from '../platform/http/records/resource.js'
import { both } from '../platform/http/request/both.js'
import { flag, line, oneOf, optionalLine } from '../platform/http/request/input.js'
import { route } from '../platform/http/route/route.js'
import { limits } from '../vocabulary/limits.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound } from '../vocabulary/validation.js'
import { Contact } from './building.js'

const lengths = { label: 200, phone: 100, email: 320, notes: 2_000 }

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

/** The contacts of the building directory (spec §2), whose order the office sets. */
export const contactEntity = entity({
  name: 'contact',
  json: { everyone: 'Contact', office: 'OfficeContact' },
  from: 'contacts r',
  search: `concat_ws(' ', r.name, r.label, r.phone, r.email, r.notes)`,
  fields: {
    id: { kind: idColumn, reader: 'everyone' },
    name: {
      kind: textColumn,
      reader: 'everyone',
      input: line('name', limits.name),
      form: { kind: 'line', maxlength: limits.name },
      sort: { name: 'name', by: 'lower(r.name)', type: 'text' },
      list: true,
    },
    label: {
      kind: textColumn,
      reader: 'everyone',
      input: optionalLine('label', lengths.label),
      form: { kind: 'line', maxlength: lengths.label },
      list: true,
    },
    phone: {
      kind: textColumn,
      reader: 'everyone',
      input: optionalLine('phone', lengths.phone),
      form: { kind: 'tel', maxlength: lengths.phone },
      list: true,
    },
    email: {
      kind: textColumn,
      reader: 'everyone',
      input: optionalLine('email', lengths.email),
      form: { kind: 'email', maxlength: lengths.email },
      list: true,
    },
    notes: {
      kind: textColumn,
      reader: 'everyone',
      input: optionalLine('notes', lengths.notes),
      form: { kind: 'text' },
    },
    /** The list's buttons move a contact; only JSON sets the number itself. */
    sortOrder: {
      kind: wholeColumn,
      reader: 'everyone',
      input: place.default(0),
      sort: { name: 'order', by: 'r.sort_order', type: 'integer' },
    },
    isEmergency: {
      kind: flagColumn,
      input: flag('emergency').default(false),
      form: { kind: 'flag' },
      list: { cell: ({ isEmergency }: { isEmergency: boolean }, { t }) => isEmergency && t.office.yes },
    },
  },
})

const MoveRequest = z.object({ direction: oneOf('direction', ['up', 'down']) })

const contacts = resourceOf(contactEntity, {
  path: 'contacts',
  permission: 'contact.manage',
  kind: { model: Contact },
  order: 'order',
  nameOf: ({ name }) => name,
  elsewhere: { direction: 'POST /api/admin/contacts/:id/move (direction)' },
  words: (t) => t.office.contacts,
  moves: '/admin/contacts',
  defaults: { isEmergency: false },
  dependents: async ({ id }, { office }) => {
    const { assets } = await countsOf({ assets: ['select count(*) from assets where contact_id = $1', id] })
    return [{ count: assets, text: office.dependents.lookedAfter(assets), blocks: false }]
  },
})

export const contactRoutes = [
  ...resourceRoutes(contacts),
  route({
    method: 'post',
    paths: both('/admin/contacts/:id/move'),
    summary: 'Moves a contact up or down by one.',
    permission: 'contact.manage',
    throttle: 'writes',
    body: MoveRequest,
    answer: z.array(contactEntity.publicJson),
    handle: async ({ params: { id }, body: { direction }, actor }) => {
      await moveContact(actor, id, direction)
      const data = (await Contact.all()).map(contactEntity.presentPublic)
      return { data, location: '/admin/contacts', notice: 'moved' }
    },
  }),
]
