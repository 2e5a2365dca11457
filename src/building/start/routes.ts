import { change } from '../../platform/db/change.js'
import { both } from '../../platform/http/request/both.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { Property } from '../building.js'
import { presentStart, StartJson } from './json.js'
import { nextStep, startState, stepAddresses } from './queries.js'

/** Ends the checklist of first steps; nothing when it was ended before. */
async function dismissStart(actor: Actor): Promise<void> {
  await change(actor, async (c) => {
    const [ended] = await c.query(
      'update properties set start_dismissed_at = $1 where start_dismissed_at is null returning id',
      [c.now],
    )
    if (ended) c.audit('property.start_dismissed', 1)
    else c.noop()
  })
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
      extras: async () => ({
        addresses: stepAddresses,
        next: await nextStep(),
        mailVisibility: (await Property.current()).mailVisibility,
      }),
    }),
  }),

  route({
    method: 'post',
    paths: both('/admin/start/dismissal'),
    summary: 'Hides the setup steps from the desk. Their page stays available.',
    permission: 'user.manage',
    throttle: 'writes',
    body: emptyBody,
    answer: StartJson,
    handle: async ({ actor }) => {
      await dismissStart(actor)
      return { data: presentStart(await startState()), location: '/admin', notice: 'startDismissed' }
    },
  }),
]
