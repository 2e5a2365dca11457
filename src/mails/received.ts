import { config } from '../config.js'
import type { OutboxMessage } from '../domain/mail/delivery.js'
import { incidentContext } from './incidentContext.js'
import { link } from './links.js'
import type { Reader } from './reader.js'
import type { EmailContent } from './renderedEmail.js'

/** To the sender of a mail: that it came in, and as what (decision 2.10). Holds no words but theirs. */
export async function renderReceived(reader: Reader, row: OutboxMessage): Promise<EmailContent | null> {
  const { t, who } = reader
  const story = await incidentContext(row)
  if (!story) return null
  const { id, title } = story.row
  const p = t.mails.received
  return {
    view: 'account',
    subject: p.subject(title),
    about: { incidentId: id },
    why: p.why,
    stop: { topic: `incident:${id}`, text: t.mails.stop.incident },
    given: {
      title,
      leads: [
        p.lead(id),
        'userId' in who ? p.public : p.publicWithoutAddress,
        ...(config.mail.inboundAddress ? [] : [p.noAnswers]),
      ],
      button: { href: link(`/incidents/${story.survivor.id}`), text: t.mails.button.open(story.survivor.id) },
    },
  }
}
