import type { Reader } from '../../notifications/emails/reader.js'
import type { PushMessage } from '../../platform/push/pushMessage.js'
import { type OutboxMessage, partsOf } from '../../vocabulary/email/delivery.js'
import { incidentContext, isUndone } from './incidentContext.js'
import { stateOf } from './incidentState.js'

/**
 * The push of an event. It names nobody: others can read a lock screen. Null without such an
 * incident.
 */
export async function pushOf(reader: Reader, message: OutboxMessage): Promise<PushMessage | null> {
  const context = await incidentContext(message)
  if (!context || isUndone(context, message)) return null
  const { t } = reader
  const { row, survivor } = context
  const others = new Set(partsOf(message).map(({ incidentId }) => incidentId)).size - 1
  const title = t.emails.push.title(stateOf(reader, context, message), row.id)
  return {
    title: others > 0 ? t.emails.push.andOthers(title, others) : title,
    body: row.title,
    data: { incidentId: String(survivor.id), event: message.event },
    page: `/incidents/${survivor.id}`,
    collapseKey: `incident-${row.id}`,
  }
}
