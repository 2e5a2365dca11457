import type { Change } from '../platform/db/change.js'
import { deliveryFailures } from '../vocabulary/webhookStatus.js'

/** Ends all deliveries that wait, without sending them; returns how many. */
export async function dropWaitingDeliveries(c: Change): Promise<number> {
  return c
    .trx('webhook_deliveries')
    .where({ claimedAt: null })
    .update({ claimedAt: c.now, finishedAt: c.now, status: deliveryFailures.paused })
}
