import { z } from 'zod'
import { registerDevice } from '../../actions/accounts/devices.js'
import { platforms } from '../../models/accounts/device.js'
import { instant, shape } from '../../presenters/json.js'
import { line, oneOf } from '../../web/request/input.js'
import { route } from '../../web/route/route.js'

/** Device registration (spec §2). */
const DeviceRequest = z
  .object({ token: line('token', 4096), platform: oneOf('platform', platforms) })
  .meta({ id: 'DeviceRequest' })

/** Only what the caller sent: not for whom the device was registered before. */
const DeviceJson = shape('Device', { token: z.string(), platform: z.enum(platforms), updatedAt: instant })

export const deviceRoutes = [
  route({
    method: 'post',
    paths: '/api/devices',
    summary: 'Registers a device for push messages, known or not (spec §4 rule 4).',
    permission: 'device.register',
    throttle: 'writes',
    body: DeviceRequest,
    answer: DeviceJson,
    handle: async ({ body, actor }) => {
      const { token, platform, updatedAt } = await registerDevice(actor, body)
      return { data: { token, platform, updatedAt: updatedAt.toISOString() } }
    },
  }),
]
