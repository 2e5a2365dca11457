import { z } from 'zod'
import { instantText, shape } from '../../platform/http/json.js'
import { noContent } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { deviceOfBrowser } from '../../platform/http/session/browserCookies.js'
import { config } from '../../platform/process/config.js'
import { isAuthSecret, isPublicKey } from '../../platform/process/webPushKeys.js'
import { caseInsensitive, oneOf, trimmedText } from '../../vocabulary/inputRules.js'
import { phonePlatforms, registerBrowser, registerDevice, removeBrowser } from '../users/devices.js'
import { BrowserJson, presentBrowser } from './json.js'

/** Device registration (spec §2). */
const DeviceRequest = z
  .object({ token: trimmedText('token', 4096), platform: caseInsensitive(oneOf('platform', phonePlatforms)) })
  .meta({ id: 'DeviceRequest' })

/** Only what the caller sent: not for whom the device was registered before. */
const DeviceJson = shape('Device', {
  token: z.string(),
  platform: z.enum(phonePlatforms),
  updatedAt: instantText,
})

/**
 * A browser's subscription, as its push manager gives it. `serverKey`: our public key that it was
 * made with.
 */
const BrowserRequest = z
  .object({
    endpoint: trimmedText('endpoint', 2048),
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
    group: 'notifications',
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
    group: 'account',
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
    group: 'account',
    fromForm: '/account/browsers/:id/remove',
    summary: 'Turns off notifications in one of your browsers.',
    permission,
    throttle,
    body: emptyBody,
    answer: noContent,
    handle: async ({ params: { id }, actor }) => {
      await removeBrowser(actor, id)
      return { location: '/account?tab=notifications', notice: 'browserRemoved' }
    },
  }),
]
