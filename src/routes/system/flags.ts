import { z } from 'zod'
import { setFlag } from '../../actions/system/setFlag.js'
import { type FlagName, isFlag } from '../../domain/system/flags.js'
import { NotFound } from '../../domain/system/invalid.js'
import { allFlags, type Flag } from '../../models/system/flag.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { flag, input } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

const SwitchRequest = z.object({ enabled: flag('enabled') })

/** Switches of the service, for admins (decisions 1.8, 6.2). */
export function flagRoutes(router: AppRouter): void {
  const writes = [allow('flag.manage'), throttle('writes'), body()] as const

  router.get(both('/admin/flags'), allow('flag.manage'), async (ctx) => {
    await respond(ctx, { data: (await allFlags()).map(presentFlag), view: 'system/flags' })
  })

  router.patch('/api/admin/flags/:name', ...writes, change)
  router.post('/admin/flags/:name', ...writes, change)
}

async function change(ctx: Context): Promise<void> {
  const name = flagName(ctx)
  const { enabled } = input(ctx, SwitchRequest)
  await setFlag(ctx.state.actor, name, enabled)
  const changed = (await allFlags()).find((each) => each.name === name)!
  await respond(ctx, { data: presentFlag(changed), location: '/admin/flags', notice: 'switched' })
}

function flagName(ctx: Context): FlagName {
  const { name } = ctx.params
  if (!isFlag(name)) throw new NotFound()
  return name
}

function presentFlag({ name, enabled, updatedAt }: Flag) {
  return { name, enabled, updatedAt: updatedAt?.toISOString() ?? null }
}
