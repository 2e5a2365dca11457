import { forgetDevice } from './actions/accounts/devices.js'
import { noteRefusal } from './actions/mail/mailFollowers.js'
import { sendPush } from './adapters/accounts/push.js'
import { sendMail } from './adapters/mail/mailer.js'
import { chatBody } from './mails/chatBody.js'
import { mailDelivery } from './mails/mailDelivery.js'
import { pushDelivery } from './mails/pushDelivery.js'
import { messageSender } from './outbox/messages.js'
import { webhookSender } from './outbox/webhooks.js'
import type { Sender } from './outbox.js'

/** The senders of webhooks, mails and pushes. */
export function senders(): Sender[] {
  return [
    webhookSender({ shape: chatBody }),
    messageSender({
      mail: mailDelivery(sendMail, noteRefusal),
      push: pushDelivery(sendPush, forgetDevice),
    }),
  ]
}
