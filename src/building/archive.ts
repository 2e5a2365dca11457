import { change } from '../platform/db/change.js'
import { both } from '../platform/http/paths.js'
import { lockedRecord, type RecordKind } from '../platform/http/records/recordActs.js'
import type { Resource } from '../platform/http/records/resource.js'
import { emptyBody } from '../platform/http/route/fields.js'
import { type Route, route } from '../platform/http/route/route.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound } from '../vocabulary/validation.js'

type Archivable = { id: number; archivedAt: Date | null; announcedAt?: Date }

/**
 * Archives a record (no longer offered for choice, history kept) or restores it. Writes nothing
 * when it is in that state already. Throws NotFound.
 */
export async function archiveRecord(
  actor: Actor,
  kind: RecordKind,
  id: number,
  archived: boolean,
): Promise<void> {
  const { entity, model } = kind
  await change(actor, async (c) => {
    const row = orNotFound((await lockedRecord(c, kind, id)) as Archivable | undefined)
    if ((row.archivedAt !== null) === archived) return c.noop()
    const archivedAt = archived ? c.now : null
    await model
      .query(c.trx)
      .findById(id)
      .patch({ archivedAt } as object)
    if (entity === 'asset' && !archived) {
      // A restored asset announces no status change from the time it was archived: announcements
      // go on from now.
      const announcedAt = new Date(Math.max(c.now.getTime() - 1, row.announcedAt?.getTime() ?? 0))
      await c.trx('assets').where({ id }).update({ announcedAt })
    }
    c.audit(`${entity}.${archived ? 'archived' : 'unarchived'}`, id, {
      archivedAt: { before: row.archivedAt, after: archivedAt },
    })
    if (entity === 'asset') c.recheckStatus(id)
  })
}

/** POST …/:id/archive and …/:id/unarchive of a resource, from a form and as JSON. */
export function archiveRoutes<R extends { id: number }>(resource: Resource<R>): Route[] {
  const { path, permission, kind, present, find, json } = resource
  const archiveRoute = (verb: 'archive' | 'unarchive', summary: string) =>
    route({
      method: 'post',
      paths: both(`/admin/${path}/:id/${verb}`),
      group: resource.group,
      summary,
      permission,
      throttle: 'writes',
      body: emptyBody,
      answer: json,
      handle: async ({ params: { id }, actor }) => {
        await archiveRecord(actor, kind, id, verb === 'archive')
        const data = present(orNotFound(await find(id)))
        return { data, location: `/admin/${path}/${id}`, notice: `${verb}d` }
      },
    })
  return [
    archiveRoute('archive', 'Takes it out of use; what happened to it stays.'),
    archiveRoute('unarchive', 'Takes it back into use.'),
  ]
}
