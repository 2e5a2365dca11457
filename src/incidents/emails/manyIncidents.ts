import type { NotifiedEvent } from '../../notifications/audience.js'
import type { Reader } from '../../notifications/emails/reader.js'
import type { EmailContent } from '../../notifications/emails/renderEmail.js'
import { pageUrl } from '../../platform/links/pageUrl.js'
import { own } from '../../vocabulary/collections.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { type IncidentContext, incidentContext, isUndone } from './incidentContext.js'
import { stateOf } from './incidentState.js'

/** Incidents named in one email; the others are only counted. */
const mostNamed = 50

const topics = {
  'incident.status_changed': 'status',
  'incident.sla_breached': 'escalated',
  'incident.merged': 'merged',
  'incident.unmerged': 'unmerged',
} as const satisfies Partial<Record<NotifiedEvent | 'incident.unmerged', string>>
type Topic = (typeof topics)[keyof typeof topics]

/**
 * To followers: what one act, or several in a short time, did to many incidents: each with its
 * latest state.
 */
export async function renderMany(
  reader: Reader,
  parts: readonly OutboxMessage[],
): Promise<EmailContent | null> {
  const { t } = reader
  const latest = [...new Map(parts.map((part) => [part.incidentId, part])).values()]
  const topic = own<Topic>(topics, latest[0]?.event)
  if (!topic) return null
  const contexts = await Promise.all(latest.slice(0, mostNamed).map(incidentContext))
  const items = contexts.flatMap((context, i) =>
    context && !isUndone(context, latest[i]!) ? [itemOf(reader, context, latest[i]!)] : [],
  )
  if (items.length === 0) return null
  const title = t.emails.subject.many(items.length + Math.max(0, latest.length - mostNamed))
  return {
    view: 'incidents',
    subject: title,
    about: { list: 'incidents' },
    why: t.emails.why.followerOfMany,
    unsubscribe: { topic: topic === 'unmerged' ? 'merged' : topic, text: t.emails.stop.kind },
    data: {
      title,
      lead: t.emails.lead.many[topic],
      items,
      more: latest.length > mostNamed ? t.emails.more(latest.length - mostNamed) : null,
      button: { href: pageUrl('/incidents'), text: t.emails.button.list },
    },
  }
}

function itemOf(reader: Reader, context: IncidentContext, message: OutboxMessage) {
  const { t } = reader
  const { row, incident, survivor } = context
  const state = stateOf(reader, context, message)
  return {
    id: row.id,
    title: row.title,
    where: incident.assetName ?? incident.unitName,
    state: survivor.id === row.id ? state : `${state}. ${t.emails.survivor} INC-${survivor.id}`,
    href: pageUrl(`/incidents/${survivor.id}`),
  }
}
