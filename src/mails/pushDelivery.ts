import { config } from '../config.js'
import { settingOf } from '../domain/accounts/notifications.js'
import type { Deliver, DeliveryOutcome } from '../domain/mail/delivery.js'
import { Device } from '../models/accounts/device.js'
import { type Push, pushOf } from './push.js'
import { readerOf } from './reader.js'
import { dropped, recipientOf, suppressionReason } from './suppression.js'

/** How a push went. `dead`: the messaging service knows the token no more. */
export type PushOutcome = DeliveryOutcome | { as: 'dead' }

/**
 * Writes the push of an outbox row for its device and hands it to `send` (spec §4 rule 4). A dead token is dropped:
 * `forget` removes the device, which no more pushes will go to (decision 4.10).
 */
export function pushDelivery(
  send: (token: string, push: Push) => Promise<PushOutcome>,
  forget: (deviceId: number) => Promise<void>,
): Deliver {
  return async (row) => {
    if (!config.push.enabled) return dropped('push is off')
    const user = await recipientOf(row)
    if (!user) return dropped('no recipient')
    const device = await Device.of(user.id, row.payload.deviceId)
    if (!device) return dropped('no device')
    const { push: setting } = settingOf[row.event as keyof typeof settingOf]
    const obstacle = await suppressionReason(user, setting, row.incidentId)
    if (obstacle) return dropped(obstacle)
    const push = await pushOf(await readerOf(user), row)
    if (!push) return dropped('no incident')
    const pushed = await send(device.token, push)
    if (pushed.as !== 'dead') return pushed
    await forget(device.id)
    return dropped('dead token')
  }
}
