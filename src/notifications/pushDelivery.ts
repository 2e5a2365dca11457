import { Device } from '../accounts/account/devices.js'
import { pushedTo } from '../platform/ops/config.js'
import type { Deliver, DeliveryOutcome, OutboxMessage } from '../vocabulary/email/delivery.js'
import { wants } from '../vocabulary/events.js'
import { isStaff } from '../vocabulary/people/permissions.js'
import { type NotifiedEvent, settingOf } from './audience.js'
import { type Reader, readerOf } from './emails/reader.js'
import { dropped, recipientOf, stillFollowed } from './emails/suppression.js'

/**
 * A push before it has a device: the lock screen's text, and data to open the right place in the
 * app.
 */
export type Push = {
  title: string
  body: string
  /** Values are strings, because the messaging service accepts nothing else. */
  data: { incidentId: string; event: string }
  /** A newer push of the same incident replaces an unread one. */
  collapseKey: string
}

/** The outcome of a push. `dead`: the messaging service no longer knows the device. */
export type PushOutcome = DeliveryOutcome | { as: 'dead' }

/**
 * Renders the push of an outbox row and passes it to `send` (spec §4 rule 4). On a dead token the
 * row is dropped and `forget` removes the device (decision 4.10).
 */
export function pushDelivery(
  render: (reader: Reader, row: OutboxMessage) => Promise<Push | null>,
  send: (device: Device, push: Push, stop?: AbortSignal) => Promise<PushOutcome>,
  forget: (deviceId: number) => Promise<void>,
): Deliver {
  return async (row, stop) => {
    const user = await recipientOf(row)
    if (!user) return dropped('no recipient')
    const device = await Device.of(user.id, row.payload.deviceId)
    if (!device) return dropped('no device')
    if (!pushedTo().includes(device.platform)) return dropped('push is off')
    if (!wants(user.notifications, settingOf(row.event as NotifiedEvent, 'push')))
      return dropped('not wanted')
    const toStaff = row.event === 'incident.reopened'
    if (toStaff && !isStaff(user.role)) return dropped('not staff')
    const wanted = toStaff ? row : await stillFollowed({ userId: user.id }, row)
    if (!wanted) return dropped('not followed')
    const push = await render(await readerOf(user), wanted)
    if (!push) return dropped('no incident')
    const pushed = await send(device, push, stop)
    if (pushed.as !== 'dead') return pushed
    await forget(device.id)
    return dropped('dead token')
  }
}
