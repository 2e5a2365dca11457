import { z } from 'zod'
import { both } from '../platform/http/request/both.js'
import { route } from '../platform/http/route/route.js'
import { Contact, Tower, Unit } from './building.js'
import { contactEntity, towerEntity, unitEntity } from './entities.js'

/** Towers and units for everyone, contacts for people with an account (spec §4, §5 rule 3). */
export const directoryRoutes = [
  route({
    method: 'get',
    paths: '/api/towers',
    summary: 'Lists the towers.',
    permission: 'place.read',
    answer: z.array(towerEntity.publicJson),
    handle: async () => ({ data: (await Tower.all()).map(towerEntity.presentPublic) }),
  }),

  route({
    method: 'get',
    paths: '/api/units',
    summary: 'Lists the units.',
    permission: 'place.read',
    answer: z.array(unitEntity.publicJson),
    handle: async () => ({ data: (await Unit.all()).map(unitEntity.presentPublic) }),
  }),

  route({
    method: 'get',
    paths: both('/contacts'),
    summary: 'Lists the contacts of the building in display order.',
    permission: 'contact.read',
    answer: z.array(contactEntity.publicJson),
    handle: async () => ({
      data: (await Contact.all()).map(contactEntity.presentPublic),
      view: 'building/contacts',
    }),
  }),
]
