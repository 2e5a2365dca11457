import { dismissStart } from '../../actions/building/dismissStart.js'
import { Property } from '../../models/building/building.js'
import { type StartStep, startState } from '../../models/building/start.js'
import { presentStart, StartJson } from '../../presenters/building/start.js'
import { both } from '../../web/request/both.js'
import { noFields } from '../../web/route/fields.js'
import { route } from '../../web/route/route.js'

/** Where each step is done. */
const addresses: Record<StartStep, string> = {
  name: '/admin/property',
  zone: '/admin/property',
  towers: '/admin/towers/new',
  assets: '/admin/assets/new',
  units: '/admin/import?kind=units',
  contacts: '/admin/contacts/new',
  people: '/admin/import?kind=residents',
  invitations: '/admin/users',
}

/** The checklist that leads an admin through a new building. */
export const startRoutes = [
  route({
    method: 'get',
    paths: both('/admin/start'),
    summary: 'The setup steps of a new building, and which are done.',
    permission: 'user.manage',
    answer: StartJson,
    handle: async () => ({
      data: presentStart(await startState()),
      view: 'building/start',
      extras: { addresses, mailVisibility: (await Property.current()).mailVisibility },
    }),
  }),

  route({
    method: 'post',
    paths: both('/admin/start/dismissal'),
    summary: 'Hides the setup steps from the desk. Their page stays available.',
    permission: 'user.manage',
    throttle: 'writes',
    body: noFields,
    answer: StartJson,
    handle: async ({ actor }) => {
      await dismissStart(actor)
      return { data: presentStart(await startState()), location: '/admin', notice: 'startDismissed' }
    },
  }),
]
