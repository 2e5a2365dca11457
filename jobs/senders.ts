import { forgetDevice } from '../src/actions/devices.js'
import { sendMail } from '../src/adapters/mailer.js'
import { sendPush } from '../src/adapters/push.js'
import { mailDelivery } from '../src/mails/mailDelivery.js'
import { pushDelivery } from '../src/mails/pushDelivery.js'
import { messageSender } from '../src/outbox/messages.js'
import { webhookSender } from '../src/outbox/webhooks.js'
import type { Sender } from '../src/outbox.js'

/** Everything that leaves the building, for whoever runs an outbox. */
export function senders(): Sender[] {
  return [
    webhookSender(),
    messageSender({ mail: mailDelivery(sendMail), push: pushDelivery(sendPush, forgetDevice) }),
  ]
}
