import { change } from '../../platform/db/change.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'

/**
 * Moves a contact one place up or down; no effect at the end of the list. Locks and renumbers all contacts, so
 * that concurrent moves cannot leave equal positions. Throws NotFound.
 */
export async function moveContact(actor: Actor, id: number, direction: 'up' | 'down'): Promise<void> {
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
