import { keepWholeEmail } from '../../incidents/acts/keepWholeEmail.js'
import type { ListedIncident } from '../../incidents/model/entity.js'
import { insertPhotos } from '../../incidents/model/photos/photos.js'
import { writeEntry } from '../../incidents/model/timeline/writeEntry.js'
import type { Change } from '../../platform/db/change.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { incidentFact } from '../../vocabulary/events.js'
import { limits } from '../../vocabulary/limits.js'
import { systemActor } from '../../vocabulary/people/actor.js'
import { cut } from '../../vocabulary/plainText.js'
import { entryWithNotTaken } from '../files/notTaken.js'
import type { EmailPhotos, EmailRecord, InboundText } from '../message.js'
import { isProven } from '../senderStanding.js'
import { publicReading, publicWords } from '../words/publicWords.js'
import { answerReporter } from './answerEmails.js'

/**
 * Opens an untriaged incident, severity medium, without a place (spec §4 rule 5). Returns its id.
 * `isQuiet`: no one is emailed about it. `acknowledges`: the sender gets one email about it, and
 * follows the incident.
 */
export async function openByEmail(
  c: Change,
  email: EmailRecord,
  photos: EmailPhotos,
  t: InboundText,
  { isQuiet, acknowledges }: { isQuiet: boolean; acknowledges: boolean },
): Promise<number> {
  const incident = await insertIncident(c, email, t)
  const { title, description, reporterId, reporterEmail } = incident
  await keepWholeEmail(c, { incidentId: incident.id }, email.whole)
  await insertPhotos(c, incident.id, null, photos.stored)
  const system = { id: null, label: systemActor('email').name, via: 'email' as const }
  if (photos.notTaken.length > 0)
    await writeEntry(c, incident.id, system, entryWithNotTaken('', photos.notTaken, t))
  c.audit(
    'incident.created',
    incident.id,
    changesBetween(null, {
      title,
      description,
      reporterId,
      reporterEmail,
      severity: 'medium',
      status: 'open',
      source: 'email',
      photos: photos.stored.length,
    }),
  )
  const details = isQuiet ? { quiet: true } : {}
  c.emit({ event: 'incident.created', incident: incidentFact(incident), details })
  await answerReporter(c, incident.id, email, t, { acknowledges, notTaken: photos.notTaken })
  return incident.id
}

async function insertIncident(c: Change, email: EmailRecord, t: InboundText): Promise<ListedIncident> {
  const { user, accountId, sender, answersOurs } = email
  // The incident it answers may be anonymous, but the subject does not say which it is.
  const reading = publicReading(email, answersOurs, t)
  const title = cut(publicWords(email.title, reading), limits.title)
  const description = cut(publicWords(email.newWords, reading), limits.text)
  const [inserted] = await c.query<{ id: number }>(
    `with inserted as (
       insert into incidents
         (title, description, severity, source, reporter_id, reporter_email, sender_proven, created_at)
       values ($1, $2, 'medium', 'email', $3, $4, $5, $6) returning *
     ), followed as (
       insert into followers (incident_id, user_id, created_at)
       select id, $7::integer, created_at from inserted where $7::integer is not null
     )
     select id from inserted`,
    [
      title || t.noSubject,
      description,
      user?.id ?? null,
      sender.address,
      isProven(email.standing),
      c.now,
      accountId,
    ],
  )
  const [incident] = await c.query<ListedIncident>('select * from listed_incidents where id = $1', [
    inserted!.id,
  ])
  return incident!
}
