import { z } from 'zod'
import { change } from '../platform/db/change.js'
import { allFlags, type FlagName, flags } from '../platform/db/flags.js'
import { fromRow, instantText, shape } from '../platform/http/json.js'
import { both } from '../platform/http/paths.js'
import { route, routePair } from '../platform/http/route/route.js'
import { changesBetween } from '../vocabulary/audit.js'
import { flag } from '../vocabulary/inputRules.js'

import type { Actor } from '../vocabulary/people/actor.js'

/** Turns a feature on or off (decision 6.2); writes nothing when it is so already. */
export async function setFlag(actor: Actor, name: FlagName, enabled: boolean): Promise<void> {
  await change(actor, async (c) => {
    await c.query('insert into feature_flags (name) values ($1) on conflict do nothing', [name])
    const [flag] = await c.query<{ enabled: boolean }>(
      'select enabled from feature_flags where name = $1 for update',
      [name],
    )
    if (flag!.enabled === enabled) return c.noop()
    await c.trx('feature_flags').where({ name }).update({ enabled, updatedAt: c.now })
    c.audit('feature_flag.updated', null, changesBetween({ [name]: flag!.enabled }, { [name]: enabled }))
  })
}

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
