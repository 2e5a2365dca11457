import { propertyLocale } from '../building/building.js'
import { applyPatch } from '../incidents/acts/applyPatch.js'
import { keepWholeEmail } from '../incidents/acts/keepWholeEmail.js'
import { hasHiddenReporter, Incident, type ListedIncident } from '../incidents/model/incident.js'
import { insertPhotos } from '../incidents/model/photos.js'
import { markUnanswered, writeEntry } from '../incidents/model/timeline.js'
import type { Change } from '../platform/db/change.js'
import { texts } from '../text/index.js'
import { changesBetween } from '../vocabulary/audit.js'
import { incidentFact } from '../vocabulary/events.js'
import { limits } from '../vocabulary/limits.js'
import { systemActor } from '../vocabulary/people/actor.js'
import { isStaff } from '../vocabulary/people/permissions.js'
import { byEmailName } from '../vocabulary/people/personName.js'
import { cut } from '../vocabulary/plainText.js'
import { orNotFound } from '../vocabulary/validation.js'
import { answerSender, answerWriter } from './answerSender.js'
import { namedForStaff } from './files/notTaken.js'
import type { EmailPhotos, EmailRecord, FileNotTaken, InboundText } from './message.js'
import { publicWords } from './words/publicWords.js'

/** Whether the sender's server vouches for the address (decision 7.3). */
const isProven = ({ standing }: EmailRecord) => standing !== 'unproven'

/**
 * Locks the incident or, for a merged duplicate, its survivor; null when there is none. The
 * duplicate is not locked: a concurrent merge of the survivor locks in another order and would
 * deadlock.
 */
export async function lockedSurvivor(c: Change, incidentId: number): Promise<number | null> {
  const [row] = await c.query<{ id: number }>(
    `select s.id from incidents i join incidents s on s.id = coalesce(i.merged_into_id, i.id)
     where i.id = $1 for update of s`,
    [incidentId],
  )
  if (!row) return null
  const locked = orNotFound(await Incident.query(c.trx).findById(row.id).select('mergedIntoId'))
  return locked.mergedIntoId === null ? row.id : lockedSurvivor(c, locked.mergedIntoId)
}

/**
 * Opens an untriaged incident, severity medium, without a place (spec §4 rule 5). Returns its id.
 * `quiet`: sends no emails about it; `acknowledge`: but this one to the sender, who follows it.
 */
export async function openByEmail(
  c: Change,
  email: EmailRecord,
  photos: EmailPhotos,
  words: InboundText,
  { quiet, acknowledge }: { quiet: boolean; acknowledge: boolean },
): Promise<number> {
  const incident = await insertIncident(c, email, words)
  const { title, description, reporterId, reporterEmail } = incident
  await keepWholeEmail(c, { incidentId: incident.id }, email.whole)
  await insertPhotos(c, incident.id, null, photos.stored)
  const system = { id: null, label: systemActor('email').name, via: 'email' as const }
  if (photos.notTaken.length > 0)
    await writeEntry(c, incident.id, system, entryWith('', photos.notTaken, words))
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
  c.emit({ event: 'incident.created', incident: incidentFact(incident), details: quiet ? { quiet } : {} })
  await answerSender(c, incident.id, email, words, { acknowledge, notTaken: photos.notTaken })
  return incident.id
}

async function insertIncident(c: Change, email: EmailRecord, words: InboundText): Promise<ListedIncident> {
  const { user, accountId, sender, answersOurs } = email
  // The incident it answers may be anonymous, but the subject does not say which it is.
  const asPublic = (text: string) => publicText(email, text, answersOurs, words)
  const title = cut(asPublic(email.title), limits.title)
  const description = cut(asPublic(email.newWords), limits.text)
  const [made] = await c.query<{ id: number }>(
    `with made as (
       insert into incidents
         (title, description, severity, source, reporter_id, reporter_email, sender_proven, created_at)
       values ($1, $2, 'medium', 'email', $3, $4, $5, $6) returning *
     ), followed as (
       insert into followers (incident_id, user_id, created_at)
       select id, $7::integer, created_at from made where $7::integer is not null
     )
     select id from made`,
    [
      title || words.noSubject,
      description,
      user?.id ?? null,
      sender.address,
      isProven(email),
      c.now,
      accountId,
    ],
  )
  const [incident] = await c.query<ListedIncident>('select * from listed_incidents where id = $1', [made!.id])
  return incident!
}

/** Adds an email to an incident's timeline. It never reopens the incident (decision 4.5). */
export async function appendEmail(
  c: Change,
  incidentId: number,
  email: EmailRecord,
  photos: EmailPhotos,
  words: InboundText,
): Promise<void> {
  const incident = orNotFound(await Incident.locked(c.trx, incidentId))
  const instead = photos.stored.length > 0 ? words.onlyPhotos : words.nothingNew
  const { user, accountId, sender, newWords } = email
  const emailFollowerId = await answerWriter(c, incidentId, email, words, photos.notTaken)
  const somebodyHides = await hasHiddenReporter(c.query, incidentId)
  // Staff may take it in days later, and yet it is no word of the office (decision 7.3).
  const via = 'email' as const
  const author = {
    id: user?.id ?? null,
    label: byEmailName,
    email: sender.address,
    isProven: isProven(email),
    via,
  }
  const text = cut(publicText(email, newWords, somebodyHides, words), limits.text) || instead
  const commentedBy = accountId === null ? { emailFollowerId } : { authorId: accountId }
  const { updateId } = await applyPatch(c, incident, entryWith(text, photos.notTaken, words), {
    photos: { stored: photos.stored, staged: [] },
    writer: { author, person: user, commentedBy },
  })
  if (updateId !== null) await keepWholeEmail(c, { updateId }, email.whole)
}

/** A text of an email as everyone reads it; `somebodyHides`: the incident may be anonymous. */
function publicText(
  email: EmailRecord,
  text: string,
  somebodyHides: boolean,
  { removed }: InboundText,
): string {
  const { sender, user } = email
  const isProvenStaff = isProven(email) && user?.role !== undefined && isStaff(user.role)
  return publicWords(text, { isProvenStaff, senderName: sender.name, somebodyHides, removed })
}

/** An entry's text: everyone reads how many files were not taken, and staff which and why. */
function entryWith(
  text: string,
  notTaken: readonly FileNotTaken[],
  words: InboundText,
): { body: string; bodyForStaff: string | null } {
  if (notTaken.length === 0) return { body: text, bodyForStaff: null }
  const after = (line: string) =>
    [cut(text, limits.text - [...line].length - 2), line].filter(Boolean).join('\n\n')
  return { body: after(words.notTaken(notTaken.length)), bodyForStaff: after(namedForStaff(notTaken, words)) }
}

/** The words for incidents from emails, in the property's language. */
export async function inboundText(): Promise<InboundText> {
  const locale = await propertyLocale()
  return { ...texts[locale].inboundEmail, locale }
}

/**
 * Stores the reply of an assignee outside the building as a staff note, with its photos hidden from
 * everyone but staff (decision 7.5), and puts the incident on the desk.
 */
export async function noteFromAssignee(
  c: Change,
  incidentId: number,
  email: EmailRecord,
  photos: EmailPhotos,
  words: InboundText,
): Promise<void> {
  const instead = photos.stored.length > 0 ? words.onlyPhotos : words.nothingNew
  const body = [email.newWords || instead]
  if (photos.notTaken.length > 0) body.push(namedForStaff(photos.notTaken, words))
  const [note]: { id: number }[] = await c
    .trx('internal_notes')
    .insert({
      incidentId,
      authorEmail: email.sender.address ?? '',
      body: cut(body.join('\n\n'), limits.text),
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
