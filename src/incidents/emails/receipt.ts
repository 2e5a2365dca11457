import { hasAccount, type Reader } from '../../notifications/emails/reader.js'
import type { EmailContent } from '../../notifications/emails/renderEmail.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { photosToAttach } from './attachedPhotos.js'
import { placeFacts, severityFact } from './emailFacts.js'
import { quoted } from './emailQuotes.js'
import { incidentContext } from './incidentContext.js'
import { filesNotTaken, followOffer, unsubscribeChoices } from './reportEmailParts.js'
import { threadSubject } from './threadSubject.js'

/**
 * To who reported, by form, API or email (decision 9.13): the number, their own words and photos,
 * and the link. It begins the thread of the report's later emails. It goes only to an account that
 * reported, or to an address that is proven.
 */
export async function renderReceipt(reader: Reader, message: OutboxMessage): Promise<EmailContent | null> {
  const context = await incidentContext(message)
  if (!context) return null
  const { t } = reader
  const { row } = context
  const p = t.emails.receipt
  const photos = await photosToAttach(row.id, { ofReport: true })
  const { sentence, buttons, others } = await followOffer(reader, row.id, context.survivor.id)
  return {
    view: 'notice',
    subject: await threadSubject(reader, row),
    about: { incidentId: row.id },
    why: p.why,
    ...unsubscribeChoices(reader, row.id),
    photos: photos.attached,
    data: {
      title: row.title,
      state: { text: p.state, tone: 'operational' },
      leads: [
        p.lead(row.id),
        ...(row.isAnonymous ? [p.anonymous] : []),
        ...(hasAccount(reader) ? [] : [sentence]),
      ],
      quotes: row.description ? [{ ...quoted(row.description), by: null }] : [],
      facts: [
        ...placeFacts(reader, context),
        // An email says nothing of it.
        ...(row.source === 'email' ? [] : [severityFact(t, row)]),
        ...(photos.count > 0
          ? [{ term: p.photos, value: p.photosAttached(photos.count, photos.attached.length) }]
          : []),
        ...filesNotTaken(t, message),
      ],
      buttons,
      others,
    },
  }
}
