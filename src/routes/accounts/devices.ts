import { z } from 'zod'
import { registerBrowser, registerDevice, removeBrowser } from '../../actions/accounts/devices.js'
import { config } from '../../config.js'
import { isAuthSecret, isPublicKey } from '../../domain/accounts/pushKeys.js'
import { phonePlatforms } from '../../models/accounts/device.js'
import { BrowserJson, presentBrowser } from '../../presenters/accounts/account.js'
import { instant, shape } from '../../presenters/json.js'
import { anyCase, line, oneOf } from '../../web/request/input.js'
import { noContent } from '../../web/route/answer.js'
import { noFields } from '../../web/route/fields.js'
import { routePair } from '../../web/route/pair.js'
import { route } from '../../web/route/route.js'
import { deviceOfBrowser } from '../../web/session/browserCookies.js'

/** Device registration (spec §2). */
const DeviceRequest = z
  .object({ token: line('token', 4096), platform: anyCase(oneOf('platform', phonePlatforms)) })
  .meta({ id: 'DeviceRequest' })

/** Only what the caller sent: not for whom the device was registered before. */
const DeviceJson = shape('Device', {
  token: z.string(),
  platform: z.enum(phonePlatforms),
  updatedAt: instant,
})

/** A browser's subscription, as its push manager gives it; `serverKey`: our public key it was made with. */
const BrowserRequest = z
  .object({
    endpoint: line('endpoint', 2048),
    p256dh: z.string('browser_key_wrong').refine(isPublicKey, 'browser_key_wrong'),
    auth: z.string('browser_key_wrong').refine(isAuthSecret, 'browser_key_wrong'),
    serverKey: z
      .string('server_key_wrong')
      .refine((key) => key === config.webPush?.publicKey, 'server_key_wrong'),
  })
  .meta({ id: 'BrowserRequest' })

const permission = 'account.manage'
const throttle = 'writes'

export const deviceRoutes = [
  route({
    method: 'post',
    paths: '/api/devices',
    summary: 'Registers a device for app notifications (spec §4 rule 4).',
    permission: 'device.register',
    throttle: 'writes',
    body: DeviceRequest,
    answer: DeviceJson,
    handle: async ({ body: { token, platform }, actor }) => {
      const { updatedAt } = await registerDevice(actor, { token, platform })
      return { data: { token, platform, updatedAt: updatedAt.toISOString() } }
    },
  }),

  route({
    method: 'post',
    paths: '/api/account/browsers',
    summary: 'Turns on notifications in this browser until it’s signed out.',
    permission,
    throttle,
    body: BrowserRequest,
    answer: BrowserJson,
    handle: async ({ ctx, body, actor }) => {
      const userAgent = ctx.get('User-Agent')
      const made = await registerBrowser(actor, { ...body, userAgent, device: deviceOfBrowser(ctx) })
      return { data: presentBrowser({ ...made, userAgent, current: true }) }
    },
  }),

  ...routePair({
    method: 'delete',
    paths: '/api/account/browsers/:id',
    fromForm: '/account/browsers/:id/remove',
    summary: 'Turns off notifications in one of your browsers.',
    permission,
    throttle,
    body: noFields,
    answer: noContent,
    handle: async ({ params: { id }, actor }) => {
      await removeBrowser(actor, id)
      return { location: '/account', notice: 'browserRemoved' }
    },
  }),
]
