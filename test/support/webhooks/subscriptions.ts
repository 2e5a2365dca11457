import { query } from '../../../src/platform/db/database.js'
import { scalar } from '../rows.js'

/** A subscription straight into the table; returns its id. */
export async function subscribe(
  url: string,
  { secret = 'receiver-secret', active = true, format = 'caretaker' } = {},
): Promise<number> {
  return scalar<number>(
    `insert into webhook_subscriptions (url, secret, events, active, format)
     values ($1, $2, '{incident.created}', $3, $4) returning id`,
    [url, secret, active, format],
  )
}

/** What a subscription is set to; the product would refuse an address of this machine. */
type SubscriptionColumns = {
  url?: string
  secret?: string
  active?: boolean
  format?: string
  events?: string[]
}

/** Sets columns of a subscription. */
export async function setSubscription(id: number, columns: SubscriptionColumns): Promise<void> {
  await query(
    `update webhook_subscriptions set
       url = coalesce($2, url),
       secret = coalesce($3, secret),
       active = coalesce($4, active),
       format = coalesce($5, format),
       events = coalesce($6::text[], events)
     where id = $1`,
    [id, columns.url, columns.secret, columns.active, columns.format, columns.events],
  )
}

/** No webhook is subscribed to, and none is in the log. */
export async function deleteSubscriptions(): Promise<void> {
  await query('delete from webhook_subscriptions')
}

/** What a subscription says of its newest delivery. */
export async function lastOf(subscription: number): Promise<{ status: string | null; firedAt: Date | null }> {
  const [row] = await query<{ status: string | null; firedAt: Date | null }>(
    'select last_status as status, last_fired_at as fired_at from webhook_subscriptions where id = $1',
    [subscription],
  )
  return row!
}
