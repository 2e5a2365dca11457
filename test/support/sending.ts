import type pg from 'pg'
import { emailKinds } from '../../src/app/emailKinds.js'
import { pushOf } from '../../src/incidents/emails/push.js'
import * as email from '../../src/notifications/emails/emailDelivery.js'
import { fanOut } from '../../src/notifications/fanOut.js'
import * as push from '../../src/notifications/pushDelivery.js'
import { query } from '../../src/platform/db/database.js'
import * as outbox from '../../src/platform/outbox/messageSender.js'

type Rest<F> = F extends (first: never, ...rest: infer R) => unknown ? R : never

/**
 * The product's senders with the kinds of email, pushes and events that `app/wiring.ts` gives them.
 */
export const emailDelivery = (...rest: Rest<typeof email.emailDelivery>) =>
  email.emailDelivery(emailKinds, ...rest)
export const pushDelivery = (...rest: Rest<typeof push.pushDelivery>) => push.pushDelivery(pushOf, ...rest)

/** Hands on what happened before it sends, as a process that sends does. */
export function messageSender(
  deliver: Parameters<typeof outbox.messageSender>[0],
  options?: outbox.MessageOptions,
): ReturnType<typeof outbox.messageSender> {
  const sender = outbox.messageSender(deliver, options)
  return {
    ...sender,
    drain: async () => {
      await fanOut()
      await sender.drain()
    },
  }
}

/** Asks for messages or deliveries, after what happened is handed on. */
export async function queryAfterFanOut<T extends pg.QueryResultRow>(
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  await fanOut()
  return query<T>(sql, values)
}
