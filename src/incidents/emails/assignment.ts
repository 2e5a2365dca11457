import type { Reader } from '../../notifications/emails/reader.js'
import type { EmailContent } from '../../notifications/emails/renderEmail.js'
import { pageUrl } from '../../platform/links/pageUrl.js'
import { config } from '../../platform/process/config.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { photosToAttach } from './attachedPhotos.js'
import { severityFact } from './emailFacts.js'
import { quoted } from './emailQuotes.js'
import { incidentContext } from './incidentContext.js'

/**
 * To the contact that an incident was given: what, where, until when, and photos. Names no
 * reporter. Replies become staff notes, so it may name the flat and the due date (decision 7.5).
 * Null when it was closed, merged or given to someone else meanwhile.
 */
export async function renderAssignment(reader: Reader, message: OutboxMessage): Promise<EmailContent | null> {
  const context = await incidentContext(message)
  if (!context || context.row.contactId !== message.contactId || context.row.resolvedAt !== null) return null
  const { t, h, property } = reader
  const { row, incident } = context
  const p = t.emails.assignment
  const where = row.assetName ?? row.unitName
  const { attached } = await photosToAttach(row.id)
  return {
    view: 'notice',
    subject: p.subject(row.title),
    about: { assignment: row.id },
    why: p.why(property.name),
    unsubscribe: null,
    photos: attached,
    data: {
      title: row.title,
      state: { text: p.state, tone: 'degraded' },
      leads: [(config.email.inboundAddress ? p.lead : p.leadWithoutReplies)(property.name)],
      quotes: row.description ? [{ ...quoted(row.description), by: null }] : [],
      facts: [
        { term: p.building, value: [property.name, property.address].filter(Boolean).join(', ') },
        ...(where ? [{ term: t.emails.where, value: where }] : []),
        severityFact(t, row),
        { term: t.emails.reported, value: h.moment(incident.createdAt) },
        ...(row.dueOn ? [{ term: t.answers.dueOn, value: h.wholeDay(row.dueOn) }] : []),
      ],
      buttons: [{ href: pageUrl(`/incidents/${row.id}`), text: t.emails.button.open(row.id) }],
      others: [],
    },
  }
}
