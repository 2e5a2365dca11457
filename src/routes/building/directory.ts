import { Contact, Tower, Unit } from '../../models/building/building.js'
import { presentContact, presentTower, presentUnit } from '../../presenters/building/directory.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { both } from '../../web/request/both.js'

/** Towers and units for everybody, contacts for those the building knows (spec §4, §5 rule 3). */
export function directoryRoutes(router: AppRouter): void {
  router.get('/api/towers', allow('place.read'), async (ctx) => {
    await respond(ctx, { data: (await Tower.all()).map(presentTower) })
  })

  router.get('/api/units', allow('place.read'), async (ctx) => {
    await respond(ctx, { data: (await Unit.all()).map(presentUnit) })
  })

  router.get(both('/contacts'), allow('contact.read'), async (ctx) => {
    await respond(ctx, { data: (await Contact.all()).map(presentContact), view: 'building/contacts' })
  })
}
