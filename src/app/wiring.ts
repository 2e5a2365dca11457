import { type Device, forgetDevice } from '../accounts/account/devices.js'
import { onZoneChange } from '../building/property.js'
import { pushOf } from '../incidents/emails/incident.js'
import { changeZone } from '../maintenance/windows.js'
import { emailDelivery } from '../notifications/emails/emailDelivery.js'
import { fanOut } from '../notifications/fanOut.js'
import { noteRefusal } from '../notifications/follow/followers.js'
import { pushDelivery } from '../notifications/pushDelivery.js'
import { sendEmail } from '../platform/mail/mailer.js'
import { messageSender } from '../platform/outbox/messages.js'
import { registerFanOut, type Sender } from '../platform/outbox/outbox.js'
import { type PushMessage, type PushResult, sendPush } from '../platform/push/push.js'
import { sendToBrowser } from '../platform/push/webPush.js'
import type { Attempt } from '../vocabulary/email/delivery.js'
import { webhookSender } from '../webhooks/deliver/sendWebhooks.js'
import { emailKinds } from './emailKinds.js'

/* What the ground calls and features supply; every process that sends imports this file. */
registerFanOut(fanOut)
onZoneChange(changeZone)

/** The senders of webhooks, emails and pushes. */
export function senders(): Sender[] {
  return [
    webhookSender(),
    messageSender({
      mail: emailDelivery(emailKinds, sendEmail, noteRefusal),
      push: pushDelivery(pushOf, sendToDevice, forgetDevice),
    }),
  ]
}

/**
 * Sends a push: to a phone through the messaging service of its app, to a browser through the push
 * service of its maker.
 */
function sendToDevice(device: Device, push: PushMessage, attempt: Attempt): Promise<PushResult> {
  return device.platform === 'browser'
    ? sendToBrowser(device, push, { stop: attempt.stop })
    : sendPush(device.token, push, attempt.stop)
}
