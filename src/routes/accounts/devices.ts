import { z } from 'zod'
import { registerDevice } from '../../actions/accounts/devices.js'
import { platforms } from '../../models/accounts/device.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { input, line, oneOf } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

/** Device registration (spec §2). */
const DeviceRequest = z.object({ token: line('token', 4096), platform: oneOf('platform', platforms) })

/**
 * POST /api/devices (spec §4 rule 4): an upsert keyed on the token, so the answer is 200 whether it was known or not,
 * and says only what the caller said.
 */
export function deviceRoutes(router: AppRouter): void {
  router.post('/api/devices', allow('device.register'), throttle('writes'), body(), async (ctx) => {
    const device = input(ctx, DeviceRequest)
    const { token, platform, updatedAt } = await registerDevice(ctx.state.actor, device)
    await respond(ctx, { data: { token, platform, updatedAt: updatedAt.toISOString() } })
  })
}
