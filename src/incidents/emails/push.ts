import { incidentContext, isUndone } from './incidentContext.js'
import type { Reader } from '../../notifications/emails/reader.js'
import { type OutboxMessage, partsOf } from '../../vocabulary/email/delivery.js'
import { stateOf } from './state.js'

/** A push before it has a device: the lock screen's text, and data to open the right place in the app. */
export type Push = {
  title: string
  body: string
  /** Values are strings, because the messaging service accepts nothing else. */
  data: { incidentId: string; event: string }
  /** A newer push of the same incident replaces an unread one. */
  collapseKey: string
}

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
