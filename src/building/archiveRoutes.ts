import { z } from 'zod'
import type { Context } from '../platform/http/context.js'
import { archiveRecord, requireTower } from '../platform/http/records/archive.js'
import type { Field, Resource } from '../platform/http/records/description.js'
import { options } from '../platform/http/records/pages.js'
import type { RecordKind } from '../platform/http/records/records.js'
import { both } from '../platform/http/request/both.js'
import { queryId } from '../platform/http/request/input.js'
import { emptyBody } from '../platform/http/route/fields.js'
import { type Route, route } from '../platform/http/route/route.js'
import { orNotFound } from '../vocabulary/validation.js'
import { towerOptions } from './entities.js'

const states = ['false', 'true', 'all'] as const

/** POST …/:id/archive and …/:id/unarchive of a resource, from a form and as JSON. */
export function archiveRoutes<R extends { id: number }>(resource: Resource<R>): Route[] {
  return [
    moving(resource, 'archive', 'Takes it out of use; what happened to it stays.'),
    moving(resource, 'unarchive', 'Takes it back into use.'),
  ]
}

function moving<R extends { id: number }>(
  { path, permission, kind, present, find, json }: Resource<R>,
  verb: 'archive' | 'unarchive',
  summary: string,
): Route {
  return route({
    method: 'post',
    paths: both(`/admin/${path}/:id/${verb}`),
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
}

/** Filters of records that are in a tower and can be archived; by default, those in use. */
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

/** Throws when a record is put into a tower that is not there. */
export const inTower: NonNullable<RecordKind['check']> = async (c, after, before) => {
  if (after.towerId !== before?.towerId) await requireTower(c, after.towerId as number)
}
