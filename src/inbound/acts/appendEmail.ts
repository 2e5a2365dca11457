import { applyPatch } from '../../incidents/acts/applyPatch.js'
import { keepWholeEmail } from '../../incidents/acts/keepWholeEmail.js'
import { Incident } from '../../incidents/model/incident.js'
import { hasAnonymousReport } from '../../incidents/model/timeline/anonymity.js'
import type { Change } from '../../platform/db/change.js'
import { limits } from '../../vocabulary/limits.js'
import { byEmailName } from '../../vocabulary/people/personName.js'
import { cut } from '../../vocabulary/plainText.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { entryWithNotTaken } from '../files/notTaken.js'
import type { EmailPhotos, EmailRecord, InboundText } from '../message.js'
import { isProven } from '../senderStanding.js'
import { publicReading, publicWords } from '../words/publicWords.js'
import { answerCommenter } from './answerEmails.js'

/** Adds an email to an incident's timeline. It never reopens the incident (decision 4.5). */
export async function appendEmail(
  c: Change,
  incidentId: number,
  email: EmailRecord,
  photos: EmailPhotos,
  t: InboundText,
): Promise<void> {
  const incident = orNotFound(await Incident.locked(c.trx, incidentId))
  const { user, accountId, sender, newWords, standing } = email
  const emailFollowerId = await answerCommenter(c, incidentId, email, t, photos.notTaken)
  const reading = publicReading(email, await hasAnonymousReport(c.query, incidentId), t)
  const author = {
    id: user?.id ?? null,
    label: byEmailName,
    email: sender.address,
    isProven: isProven(standing),
    // By email also when staff accept it: it is the sender's comment, never one of the office
    // (decision 7.3).
    via: 'email' as const,
  }
  const text = cut(publicWords(newWords, reading), limits.text)
  const textInstead = photos.stored.length > 0 ? t.onlyPhotos : t.nothingNew
  const commentedBy = accountId === null ? { emailFollowerId } : { authorId: accountId }
  const { updateId } = await applyPatch(
    c,
    incident,
    entryWithNotTaken(text || textInstead, photos.notTaken, t),
    {
      photos: { stored: photos.stored, staged: [] },
      sender: { author, person: user, commentedBy },
    },
  )
  if (updateId !== null) await keepWholeEmail(c, { updateId }, email.whole)
}
