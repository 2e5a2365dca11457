import { forgetDevice } from './actions/accounts/devices.js'
import { noteRefusal } from './actions/mail/mailFollowers.js'
import { sendPush } from './adapters/accounts/push.js'
import { sendToBrowser } from './adapters/accounts/webPush.js'
import { sendMail } from './adapters/mail/mailer.js'
import { chatBody } from './mails/chatBody.js'
import { mailDelivery } from './mails/mailDelivery.js'
import type { Push } from './mails/push.js'
import { type PushOutcome, pushDelivery } from './mails/pushDelivery.js'
import type { Device } from './models/accounts/device.js'
import { messageSender } from './outbox/messages.js'
import { webhookSender } from './outbox/webhooks.js'
import type { Sender } from './outbox.js'

/** The senders of webhooks, mails and pushes. */
export function senders(): Sender[] {
  return [
    webhookSender({ shape: chatBody }),
    messageSender({
      mail: mailDelivery(sendMail, noteRefusal),
      push: pushDelivery(sendToDevice, forgetDevice),
    }),
  ]
}

/** To a phone by the messaging service of its app, to a browser by the push service of its maker. */
function sendToDevice(device: Device, push: Push, stop?: AbortSignal): Promise<PushOutcome> {
  return device.platform === 'browser'
    ? sendToBrowser(device, push, { stop })
    : sendPush(device.token, push, stop)
}
