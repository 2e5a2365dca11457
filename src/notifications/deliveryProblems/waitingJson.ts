import { z } from 'zod'
import { instantText, shape, wholeNumber } from '../../platform/http/json.js'
import { deliveryReasons } from '../../vocabulary/email/delivery.js'

/**
 * Messages of one kind that wait after failed attempts. `stuck`: none has got through for minutes.
 */
export const WaitingJson = shape('WaitingMessages', {
  kind: z.enum(['mail', 'push']),
  count: wholeNumber,
  oldestAt: instantText,
  since: instantText,
  nextAttemptAt: instantText,
  reason: z.enum(deliveryReasons),
  why: z.string(),
  stuck: z.boolean(),
})
