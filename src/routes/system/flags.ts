import { z } from 'zod'
import { setFlag } from '../../actions/system/setFlag.js'
import { flags } from '../../domain/system/flags.js'
import { allFlags } from '../../models/system/flag.js'
import { FlagJson, presentFlag } from '../../presenters/system/flag.js'
import { both } from '../../web/request/both.js'
import { flag } from '../../web/request/input.js'
import { routePair } from '../../web/route/pair.js'
import { route } from '../../web/route/route.js'

const SwitchRequest = z.object({ enabled: flag('enabled') }).meta({ id: 'SwitchRequest' })

/** Feature switches, for admins (decisions 1.8, 6.2). */
export const flagRoutes = [
  route({
    method: 'get',
    paths: both('/admin/flags'),
    summary: 'Lists the feature switches.',
    permission: 'flag.manage',
    answer: z.array(FlagJson),
    handle: async () => ({ data: (await allFlags()).map(presentFlag), view: 'system/flags' }),
  }),

  ...routePair({
    method: 'patch',
    paths: '/api/admin/flags/:name',
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
      return { data: presentFlag(changed), location: '/admin/flags', notice: 'switched' }
    },
  }),
]
