import { type Knex, query, rowOf } from '../platform/db/database.js'
import { type PageOfRows, pageOfRows } from '../platform/db/pageInBytes.js'
import type { ColumnsOf } from '../platform/http/records/entity.js'
import type { subscriptionEntity } from './entity.js'

/** A row of `webhook_subscriptions`. */
export class WebhookSubscription extends rowOf<ColumnsOf<typeof subscriptionEntity>>() {
  static override tableName = 'webhook_subscriptions'

  declare createdAt: Date

  /** Newest first (decision 2.11). */
  static async list({ before, limit }: Page): Promise<WebhookSubscription[]> {
    const all = WebhookSubscription.query().orderBy('id', 'desc').limit(limit)
    return before === undefined ? all : all.where('id', '<', before)
  }

  /** Null when there is none. */
  static async find(id: number): Promise<WebhookSubscription | null> {
    return (await WebhookSubscription.query().findById(id)) ?? null
  }

  /**
   * The row, locked against other writers but not against new deliveries. Null when there is none.
   */
  static async locked(trx: Knex, id: number): Promise<WebhookSubscription | null> {
    return (await WebhookSubscription.query(trx).findById(id).forNoKeyUpdate()) ?? null
  }

  /** Deliveries sent or waiting, newest first, kept for 30 days. */
  static async deliveries(id: number, { before, limit }: Page): Promise<PageOfRows<LoggedDelivery>> {
    const found = await query<LoggedDelivery>(
      `select ${logged} from webhook_deliveries
       where subscription_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
      [id, before ?? null, limit + 1],
    )
    return pageOfRows(found, limit)
  }

  static async delivery(id: number): Promise<LoggedDelivery | null> {
    return (
      (await query<LoggedDelivery>(`select ${logged} from webhook_deliveries where id = $1`, [id]))[0] ?? null
    )
  }
}

type Page = { before: number | undefined; limit: number }

/** A delivery in the log; `status` and `finishedAt` are null until it ends. */
export type LoggedDelivery = {
  id: number
  event: string
  status: string | null
  durationMs: number | null
  createdAt: Date
  finishedAt: Date | null
  body: string
}

const logged = `id, event, status, duration_ms as "durationMs", created_at as "createdAt", finished_at as "finishedAt", body`
