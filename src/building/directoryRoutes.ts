import { z } from 'zod'
import { both } from '../platform/http/paths.js'
import { cutList, SkipQuery } from '../platform/http/request/paging.js'
import { route } from '../platform/http/route/route.js'
import { Contact, Tower, Unit } from './building.js'
import { contactEntity } from './entities/contactEntity.js'
import { towerEntity } from './entities/towerEntity.js'
import { unitEntity } from './entities/unitEntity.js'

function placesRoute<Json extends z.ZodType>(
  name: 'towers' | 'units',
  json: Json,
  all: () => Promise<z.output<Json>[]>,
) {
  return route({
    method: 'get',
    paths: `/api/${name}`,
    group: 'building',
    otherSites: true,
    summary: `Lists the ${name}.`,
    permission: 'place.read',
    query: SkipQuery,
    answer: z.array(json),
    paged: true,
    handle: async ({ ctx, query: { skip } }) => ({ data: cutList(ctx, await all(), skip).data }),
  })
}

/** Towers and units for everybody, contacts for people with an account (spec §4, §5 rule 3). */
export const directoryRoutes = [
  placesRoute('towers', towerEntity.publicJson, async () =>
    (await Tower.all()).map(towerEntity.presentPublic),
  ),
  placesRoute('units', unitEntity.publicJson, async () => (await Unit.all()).map(unitEntity.presentPublic)),

  route({
    method: 'get',
    paths: both('/contacts'),
    group: 'building',
    summary: 'Lists the contacts of the building in display order.',
    permission: 'contact.read',
    keptOffline: true,
    query: SkipQuery,
    answer: z.array(contactEntity.publicJson),
    paged: true,
    handle: async ({ ctx, query: { skip } }) => {
      const { data, next } = cutList(ctx, (await Contact.all()).map(contactEntity.presentPublic), skip)
      return { data, view: 'building/contacts', extras: { next } }
    },
  }),
]
