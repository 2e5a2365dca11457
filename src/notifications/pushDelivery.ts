import { Device } from '../accounts/users/devices.js'
import { pushedTo } from '../platform/process/config.js'
import type { PushMessage } from '../platform/push/pushMessage.js'
import type { PushResult } from '../platform/push/pushResult.js'
import { type Attempt, type Deliver, dropped, type OutboxMessage } from '../vocabulary/email/delivery.js'
import { wants } from '../vocabulary/notificationSettings.js'
import { isStaff } from '../vocabulary/people/permissions.js'
import { type NotifiedEvent, notifiedEvents, settingOf } from './audience.js'
import { type Reader, readerOf } from './emails/reader.js'
import { partsStillFollowed, recipientOf } from './emails/stillWanted.js'

/**
 * Renders the push of an outbox row and passes it to `send` (spec §4 rule 4). On a dead token the
 * row is dropped and `forget` removes the device (decision 4.10).
 */
export function pushDelivery(
  render: (reader: Reader, row: OutboxMessage) => Promise<PushMessage | null>,
  send: (device: Device, push: PushMessage, attempt: Attempt) => Promise<PushResult>,
  forget: (deviceId: number) => Promise<void>,
): Deliver {
  return async (row, attempt = {}) => {
    const event = row.event as NotifiedEvent
    const user = await recipientOf(row)
    if (!user) return dropped('no recipient')
    const device = await Device.of(user.id, row.payload.deviceId)
    if (!device) return dropped('no device')
    if (!pushedTo().includes(device.platform)) return dropped('push is off')
    if (!wants(user.notifications, settingOf(event, 'push'))) return dropped('not wanted')
    const toStaff = notifiedEvents[event].push !== 'followers'
    if (toStaff && !isStaff(user.role)) return dropped('not staff')
    const wanted = toStaff ? row : await partsStillFollowed({ userId: user.id }, row)
    if (!wanted) return dropped('not followed')
    const push = await render(await readerOf(user), wanted)
    if (!push) return dropped('no incident')
    const pushed = await send(device, push, attempt)
    if (pushed.as !== 'dead') return pushed
    await forget(device.id)
    return dropped('dead token')
  }
}
