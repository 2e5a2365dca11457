import { z } from 'zod'
import { archiveRecord } from '../../actions/records/archive.js'
import { found } from '../../domain/system/invalid.js'
import { Tower } from '../../models/building/building.js'
import type { Field, Resource } from '../../pages/records/description.js'
import { options } from '../../pages/records/pages.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { pathId, queryId } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

const states = ['false', 'true', 'all'] as const

/** Registers POST …/:id/archive and …/:id/unarchive of a resource, as a page's form and as JSON. */
export function addArchive<R extends { id: number }>(
  router: AppRouter,
  { path, permission, kind, present, find }: Resource<R>,
): void {
  for (const [verb, archived] of [
    ['archive', true],
    ['unarchive', false],
  ] as const) {
    const address = both(`/admin/${path}/:id/${verb}`)
    router.post(address, allow(permission), throttle('writes'), body(), async (ctx) => {
      const id = pathId(ctx)
      await archiveRecord(ctx.state.actor, kind, id, archived)
      const data = present(found(await find(id)))
      await respond(ctx, { data, location: `/admin/${path}/${id}`, notice: `${verb}d` })
    })
  }
}

/** Filters of what stands in a tower and can be archived; without being asked, what is in use. */
export const placeFilters = {
  schema: {
    towerId: queryId.optional(),
    archived: z.enum(states, 'not_acceptable').default('false'),
  },
  fields: async ({ state: { text } }: Context): Promise<Field[]> => [
    { name: 'towerId', kind: 'select', options: await towerOptions() },
    { name: 'archived', kind: 'select', whole: true, options: options(states, (s) => text.upkeep.states[s]) },
  ],
}

/** The towers, to choose from. */
export async function towerOptions(): Promise<NonNullable<Field['options']>> {
  return (await Tower.all()).map(({ id, name }) => ({ value: String(id), label: name }))
}
