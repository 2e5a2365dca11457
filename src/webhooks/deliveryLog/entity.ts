import { countColumn, idColumn, instantColumn, orNull, textColumn } from '../../platform/db/columnKinds.js'
import { entity } from '../../platform/http/records/entity.js'
import type { RowOf } from '../../platform/http/records/entityTypes.js'

/**
 * A delivery in the log; `status` and `finishedAt` are null until it ends. `body` is then the
 * signed text, byte for byte (decision 4.8).
 */
const deliveryEntity = entity({
  name: 'webhook_delivery',
  json: { office: 'WebhookDelivery' },
  from: 'webhook_deliveries r',
  fields: {
    id: { column: idColumn },
    event: { column: textColumn },
    status: { column: orNull(textColumn) },
    durationMs: { column: orNull(countColumn) },
    createdAt: { column: instantColumn },
    finishedAt: { column: orNull(instantColumn) },
    body: { column: textColumn },
  },
})
export const { json: DeliveryJson, present, find: findDelivery, listing } = deliveryEntity.records
export type LoggedDelivery = RowOf<typeof deliveryEntity>
