import { query } from '../../platform/db/database.js'
import { limits } from '../../vocabulary/limits.js'
import { WebhookSubscription } from '../../webhooks/subscriptions/entity.js'

/**
 * Failed deliveries: the number of emails and pushes given up in the last days, and at most so many
 * webhooks whose last delivery failed.
 */
export async function recentFailedDeliveries(most: number) {
  const [[messages], receivers] = await Promise.all([
    query<{ count: number }>(
      'select count(*)::integer as count from outbox where failed_at > now() - make_interval(days => $1)',
      [limits.failedMessageDays],
    ),
    WebhookSubscription.query()
      .where({ active: true })
      .where('lastStatus', '!~', '^2\\d\\d$')
      .orderBy('lastFiredAt', 'desc')
      .limit(most)
      .select('id', 'url', 'lastStatus', 'lastFiredAt'),
  ])
  const failing = receivers.map(({ id, url, lastStatus, lastFiredAt }) => ({
    id,
    url,
    lastStatus,
    // A subscription with an outcome has been sent something.
    lastFiredAt: lastFiredAt!,
  }))
  return { messages: messages!.count, receivers: failing }
}
