import { emailKinds } from '../../src/app/emailKinds.js'
import { pushOf } from '../../src/incidents/emails/handedOver.js'
import { fanOutEvents } from '../../src/notifications/effects/emailRows.js'
import * as email from '../../src/notifications/emails/emailDelivery.js'
import * as push from '../../src/notifications/pushDelivery.js'
import * as outbox from '../../src/platform/outbox/messages.js'

type Rest<F> = F extends (first: never, ...rest: infer R) => unknown ? R : never

/** The product's senders with the kinds of email, pushes and events that `app/wiring.ts` gives them. */
export const mailDelivery = (...rest: Rest<typeof email.mailDelivery>) =>
  email.mailDelivery(emailKinds, ...rest)
export const pushDelivery = (...rest: Rest<typeof push.pushDelivery>) => push.pushDelivery(pushOf, ...rest)
export const messageSender = (
  deliver: Parameters<typeof outbox.messageSender>[0],
  options?: outbox.MessageOptions,
) => outbox.messageSender(deliver, fanOutEvents, options)
