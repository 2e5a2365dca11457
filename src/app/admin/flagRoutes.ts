import { z } from 'zod'
import { both } from '../../platform/http/request/both.js'
import { flag } from '../../platform/http/request/input.js'
import { routePair } from '../../platform/http/route/pair.js'
import { route } from '../../platform/http/route/route.js'
import { allFlags } from '../../platform/ops/flag.js'
import { flags } from '../../vocabulary/flags.js'
import { FlagJson, presentFlag } from './flagJson.js'
import { setFlag } from './setFlag.js'

const SwitchRequest = z.object({ enabled: flag('enabled') }).meta({ id: 'SwitchRequest' })

/** Feature switches, for admins (decisions 1.8, 6.2). */
export const flagRoutes = [
  route({
    method: 'get',
    paths: both('/admin/flags'),
    summary: 'Lists the switches of the service.',
    permission: 'flag.manage',
    answer: z.array(FlagJson),
    handle: async () => ({ data: (await allFlags()).map(presentFlag), view: 'system/flags' }),
  }),

  ...routePair({
    method: 'patch',
    paths: '/api/admin/flags/:name',
    fromForm: '/admin/flags/:name',
    summary: 'Switches a part of the service on or off.',
    permission: 'flag.manage',
    throttle: 'writes',
    params: { name: z.enum(flags) },
    body: SwitchRequest,
    answer: FlagJson,
    handle: async ({ params: { name }, body: { enabled }, actor }) => {
      await setFlag(actor, name, enabled)
      const changed = (await allFlags()).find((each) => each.name === name)!
      return { data: presentFlag(changed), location: '/admin/flags', notice: 'switched' }
    },
  }),
]
