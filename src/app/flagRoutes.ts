import { z } from 'zod'
import { allFlags } from '../platform/db/flags.js'
import { fromRow, instantText, shape } from '../platform/http/json.js'
import { both } from '../platform/http/paths.js'
import { route, routePair } from '../platform/http/route/route.js'
import { flags } from '../vocabulary/flags.js'
import { flag } from '../vocabulary/inputRules.js'
import { setFlag } from './setFlag.js'

/** A switch of the service (decision 6.2). */
const FlagJson = shape('Flag', {
  name: z.enum(flags),
  enabled: z.boolean(),
  updatedAt: instantText.nullable(),
})

const SwitchRequest = z.object({ enabled: flag('enabled') }).meta({ id: 'SwitchRequest' })

/** Feature switches, for admins (decisions 1.8, 6.2). */
export const flagRoutes = [
  route({
    method: 'get',
    paths: both('/admin/flags'),
    group: 'operations',
    summary: 'Lists the feature switches.',
    permission: 'flag.manage',
    answer: z.array(FlagJson),
    handle: async () => ({
      data: (await allFlags()).map((each) => fromRow(FlagJson, each)),
      view: 'app/flags',
    }),
  }),

  ...routePair({
    method: 'patch',
    paths: '/api/admin/flags/:name',
    group: 'operations',
    fromForm: '/admin/flags/:name',
    summary: 'Turns a feature on or off.',
    permission: 'flag.manage',
    throttle: 'writes',
    params: { name: z.enum(flags) },
    body: SwitchRequest,
    answer: FlagJson,
    handle: async ({ params: { name }, body: { enabled }, actor }) => {
      await setFlag(actor, name, enabled)
      const changed = (await allFlags()).find((each) => each.name === name)!
      return { data: fromRow(FlagJson, changed), location: '/admin/flags', notice: 'switched' }
    },
  }),
]
