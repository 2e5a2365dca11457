import { z } from 'zod'
import { change } from '../platform/db/change.js'
import { countsOf } from '../platform/db/listing.js'
import { both } from '../platform/http/paths.js'
import { resourceFrom } from '../platform/http/records/entity.js'
import { resourceRoutes } from '../platform/http/records/resourceRoutes.js'
import { route } from '../platform/http/route/route.js'
import { oneOf } from '../vocabulary/inputRules.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound } from '../vocabulary/validation.js'
import { Contact } from './building.js'
import { contactEntity } from './entities/contactEntity.js'

/**
 * Moves a contact one place up or down; no effect at the end of the list. Locks and renumbers all
 * contacts, so that concurrent moves cannot leave equal positions. Throws NotFound.
 */
async function moveContact(actor: Actor, id: number, direction: 'up' | 'down'): Promise<void> {
  await change(actor, async (c) => {
    const rows = await c.query<{ id: number; sortOrder: number }>(
      'select id, sort_order from contacts order by sort_order, id for update',
    )
    const before = rows.findIndex((row) => row.id === id)
    orNotFound(rows[before])
    const after = before + (direction === 'up' ? -1 : 1)
    if (!rows[after]) return c.noop()
    const ids = rows.map((row) => row.id)
    ;[ids[before], ids[after]] = [ids[after]!, ids[before]!]
    await c.query(
      `update contacts set sort_order = place from unnest($1::integer[]) with ordinality as places (contact_id, place)
       where id = contact_id and sort_order <> place`,
      [ids],
    )
    c.audit('contact.moved', id, { place: { before: before + 1, after: after + 1 } })
  })
}

const MoveRequest = z.object({ direction: oneOf('direction', ['up', 'down']) })

const contacts = resourceFrom(contactEntity, {
  path: 'contacts',
  group: 'building',
  permission: 'contact.manage',
  kind: {
    model: Contact,
    displayOrder: {},
    references: [
      { table: 'assets', column: 'contact_id' },
      { table: 'incidents', column: 'contact_id', unless: 'assignee_id' },
    ],
  },
  order: 'order',
  links: [
    { href: '/admin/import?kind=contacts', permission: 'import.run', label: (text) => text.imports.title },
  ],
  nameOf: ({ name }) => name,
  movedFields: { direction: 'POST /api/admin/contacts/:id/move (direction)' },
  words: (t) => t.contacts,
  moves: '/admin/contacts',
  defaults: { isEmergency: false, isPublic: false },
  dependents: async ({ id }, { records }) => {
    const { assets } = await countsOf({ assets: ['select count(*) from assets where contact_id = $1', id] })
    return [{ count: assets, text: records.dependents.lookedAfter(assets), blocks: false }]
  },
})

export const contactRoutes = [
  ...resourceRoutes(contacts),
  route({
    method: 'post',
    paths: both('/admin/contacts/:id/move'),
    group: 'building',
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
