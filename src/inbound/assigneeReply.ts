import { insertPhotos } from '../incidents/photos/photos.js'
import { markUnanswered } from '../incidents/update/heard.js'
import type { Change } from '../platform/db/change.js'
import { limits } from '../vocabulary/limits.js'
import { cut } from '../vocabulary/plainText.js'
import { type InboundMessage, lockedSurvivor, type MailPhotos, type MailWords } from './emailIncident.js'
import type { MailAnswer } from './inboundDeduplication.js'

/** Notes by email on one incident in a day; further replies are held. */
const notesPerDay = 50

/**
 * Stores the reply of an assignee outside the building as a staff note, with its photos hidden from
 * everyone but staff (decision 7.5), and puts the incident on the desk. Null, and nothing is
 * stored, when the incident is unknown or has had too many such notes today; such a reply is held.
 */
export async function noteFromAssignee(
  c: Change,
  message: InboundMessage,
  photos: MailPhotos,
  words: MailWords,
): Promise<MailAnswer | null> {
  const incidentId = await lockedSurvivor(c, message.incidentId!)
  if (incidentId === null) return null
  const [today] = await c.query<{ notes: number }>(
    `select count(*)::integer as notes from internal_notes
     where incident_id = $1 and author_id is null and created_at > $2::timestamptz - interval '1 day'`,
    [incidentId, c.now],
  )
  if (today!.notes >= notesPerDay) return null
  const skipped = [...photos.skipped.refused, ...photos.skipped.later]
  const instead = photos.stored.length > 0 ? words.onlyPhotos : words.nothingNew
  const body = [message.newWords || instead, ...(skipped.length > 0 ? [words.refused(skipped, 0)] : [])]
  const [note] = await c.query<{ id: number }>(
    `insert into internal_notes (incident_id, author_email, body, created_at) values ($1, $2, $3, $4) returning id`,
    [incidentId, message.sender.address ?? '', cut(body.join('\n\n'), limits.text), c.now],
  )
  await insertPhotos(c, incidentId, null, photos.stored)
  await c.query('update photos set hidden_at = $2 where incident_id = $1 and path = any ($3)', [
    incidentId,
    c.now,
    photos.stored.map(({ path }) => path),
  ])
  await markUnanswered(c, incidentId)
  c.audit('mail.noted', note!.id, { incidentId: { before: null, after: incidentId } })
  return { action: 'appended', incidentId }
}
