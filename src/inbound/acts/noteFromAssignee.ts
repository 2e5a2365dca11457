import { keepWholeEmail } from '../../incidents/acts/keepWholeEmail.js'
import { insertPhotos } from '../../incidents/model/photos/photos.js'
import { markUnanswered } from '../../incidents/model/unanswered.js'
import type { Change } from '../../platform/db/change.js'
import { limits } from '../../vocabulary/limits.js'
import { cut } from '../../vocabulary/plainText.js'
import { entryWithNotTaken } from '../files/notTaken.js'
import type { EmailPhotos, EmailRecord, InboundText } from '../message.js'

/**
 * Stores the reply of an assignee outside the building as a staff note, with its photos hidden from
 * everyone but staff (decision 7.5), and puts the incident on the desk.
 */
export async function noteFromAssignee(
  c: Change,
  incidentId: number,
  email: EmailRecord,
  photos: EmailPhotos,
  t: InboundText,
): Promise<void> {
  const textInstead = photos.stored.length > 0 ? t.onlyPhotos : t.nothingNew
  const entry = entryWithNotTaken(email.newWords || textInstead, photos.notTaken, t)
  const [note]: { id: number }[] = await c
    .trx('internal_notes')
    .insert({
      incidentId,
      authorEmail: email.sender.address ?? '',
      body: cut(entry.bodyForStaff ?? entry.body, limits.text),
      createdAt: c.now,
      senderStanding: email.standing,
    })
    .returning('id')
  await keepWholeEmail(c, { noteId: note!.id }, email.whole)
  await insertPhotos(c, incidentId, null, photos.stored)
  const paths = photos.stored.map(({ path }) => path)
  await c.trx('photos').where({ incidentId }).whereIn('path', paths).update({ hiddenAt: c.now })
  await markUnanswered(c, incidentId)
  c.audit('mail.noted', note!.id, { incidentId: { before: null, after: incidentId } })
}
