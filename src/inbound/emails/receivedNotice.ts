import { incidentContext } from '../../incidents/emails/incidentContext.js'
import { filesNotTaken, followOffer, unsubscribeChoices } from '../../incidents/emails/reportEmailParts.js'
import { subjectWithoutTitle } from '../../incidents/emails/threadSubject.js'
import { hasAccount, type Reader } from '../../notifications/emails/reader.js'
import type { EmailContent } from '../../notifications/emails/renderEmail.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'

/**
 * To the sender of an email that is not proven, or that was added to a report (decision 2.10): that
 * it came in, and as what. It repeats nothing that anyone wrote but the names of files, because
 * anyone may have put this address into From (decision 7.4). `payload.as`: `created` or `appended`.
 * The sender of a report that is proven gets `renderReceipt`.
 */
export async function renderReceived(reader: Reader, message: OutboxMessage): Promise<EmailContent | null> {
  const story = await incidentContext(message)
  if (!story) return null
  const { t } = reader
  const { id } = story.row
  const p = t.emails.received
  const { sentence, buttons, others } = await followOffer(reader, id, story.survivor.id)
  return {
    view: 'notice',
    subject: subjectWithoutTitle(reader),
    about: { incidentId: id },
    why: p.why,
    ...unsubscribeChoices(reader, id),
    data: {
      title: message.payload.as === 'appended' ? p.appended(id) : p.created(id),
      state: { text: p.state, tone: 'operational' },
      leads: [hasAccount(reader) ? p.public : p.publicWithoutAddress, sentence],
      quotes: [],
      facts: filesNotTaken(t, message),
      buttons,
      others,
    },
  }
}
