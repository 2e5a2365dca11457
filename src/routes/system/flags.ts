import { z } from 'zod'
import { setFlag } from '../../actions/system/setFlag.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { type FlagName, flags } from '../../domain/system/flags.js'
import { allFlags } from '../../models/system/flag.js'
import { FlagJson, presentFlag } from '../../presenters/system/flag.js'
import { both } from '../../web/request/both.js'
import { flag } from '../../web/request/input.js'
import { route } from '../../web/route/route.js'

const shared = {
  permission: 'flag.manage',
  throttle: 'writes',
  params: { name: z.enum(flags) },
  body: z.object({ enabled: flag('enabled') }).meta({ id: 'SwitchRequest' }),
  answer: FlagJson,
} as const

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

  route({
    ...shared,
    method: 'patch',
    paths: '/api/admin/flags/:name',
    summary: 'Switches a part of the service on or off.',
    handle: ({ params, body, actor }) => change(actor, params.name, body.enabled),
  }),

  route({
    ...shared,
    method: 'post',
    paths: '/admin/flags/:name',
    summary: 'The same from a form.',
    handle: ({ params, body, actor }) => change(actor, params.name, body.enabled),
  }),
]

async function change(actor: Actor, name: FlagName, enabled: boolean) {
  await setFlag(actor, name, enabled)
  const changed = (await allFlags()).find((each) => each.name === name)!
  return { data: presentFlag(changed), location: '/admin/flags', notice: 'switched' }
}
