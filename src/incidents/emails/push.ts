import type { Reader } from '../../notifications/emails/reader.js'
import type { Push } from '../../notifications/push/pushDelivery.js'
import { type OutboxMessage, partsOf } from '../../vocabulary/email/delivery.js'
import { incidentContext, isUndone } from './incidentContext.js'
import { stateOf } from './state.js'

/** The push of an event. It names nobody: others can read a lock screen. Null without such an incident. */
export async function pushOf(reader: Reader, outgoing: OutboxMessage): Promise<Push | null> {
  const story = await incidentContext(outgoing)
  if (!story || isUndone(story, outgoing)) return null
  const { t } = reader
  const { row, survivor } = story
  const others = new Set(partsOf(outgoing).map(({ incidentId }) => incidentId)).size - 1
  const title = t.mails.push.title(stateOf(reader, story, outgoing), row.id)
  return {
    title: others > 0 ? t.mails.push.andOthers(title, others) : title,
    body: row.title,
    data: { incidentId: String(survivor.id), event: outgoing.event },
    collapseKey: `incident-${row.id}`,
  }
}
