import type { Change } from '../../change.js'
import { systemActor } from '../../domain/accounts/actor.js'
import { isStaff, type Role } from '../../domain/accounts/permissions.js'
import { changesBetween } from '../../domain/audit/audit.js'
import { mailName } from '../../domain/incidents/anonymity.js'
import { withoutNames } from '../../domain/mail/nameRemoval.js'
import { limits } from '../../domain/system/limits.js'
import { cut } from '../../domain/system/plainText.js'
import { incidentFact } from '../../domain/webhooks/events.js'
import type { Sender } from '../../inbound/mailText.js'
import { everyName } from '../../models/accounts/user.js'
import { hasHiddenReporter, type ListedIncident, listedFrom } from '../../models/incidents/incident.js'
import { writeEntry } from '../incidents/answers/timeline.js'
import { followByActing, noteWord } from '../incidents/heard.js'
import { insertPhotos, type StoredPhoto } from '../incidents/photos.js'
import { tellComment } from '../incidents/updateIncident.js'
import { answerSender, followAsWriter } from './answerSender.js'
import type { Skipped } from './mailPhotos.js'

/** Text for mails without their own, in the property's language `locale`; only staff see file names. */
export type MailWords = {
  locale: string
  noSubject: string
  nothingNew: string
  onlyPhotos: string
  nameRemoved: string
  notTaken: (n: number) => string
  refused: (names: string[], more: number) => string
  later: (names: string[], more: number) => string
}

/**
 * A cleaned mail. `mayAnswer`: its sender may be written to; `locale`: its language, if known; `user`: whose name it is shown with, if any; `isSure`: that this is proven; `incidentId`:
 * from its subject, else from the mail of ours it answers; `answersOurs`: it answers a mail of ours.
 */
export type InboundMessage = {
  sender: Sender
  user: { id: number; role?: Role } | null
  isSure: boolean
  mayAnswer: boolean
  locale: string | null
  answersOurs: boolean
  incidentId: number | null
  title: string
  description: string
  newWords: string
}

/** The stored photos of a mail, and the attachments that were skipped. */
export type MailPhotos = { stored: readonly StoredPhoto[]; skipped: Skipped }

/** Attachments listed by name; the others are counted. */
const mostNamed = 20

/**
 * Locks the incident or, for a merged duplicate, its survivor; null when there is none. The duplicate is not
 * locked: a concurrent merge of the survivor locks in another order and would deadlock.
 */
export async function lockedSurvivor(c: Change, incidentId: number): Promise<number | null> {
  const [row] = await c.query<{ id: number }>(
    `select s.id from incidents i join incidents s on s.id = coalesce(i.merged_into_id, i.id)
     where i.id = $1 for update of s`,
    [incidentId],
  )
  if (!row) return null
  const [locked] = await c.query<{ next: number | null }>(
    'select merged_into_id as next from incidents where id = $1',
    [row.id],
  )
  return locked!.next === null ? row.id : lockedSurvivor(c, locked!.next)
}

/**
 * Opens an untriaged incident, severity medium, without a place (spec §4 rule 5). Returns its id. `quiet`:
 * sends no mails about it; `acknowledge`: but this one to the sender, who follows it.
 */
export async function openByMail(
  c: Change,
  letter: InboundMessage,
  photos: MailPhotos,
  words: MailWords,
  { quiet, acknowledge }: { quiet: boolean; acknowledge: boolean },
): Promise<number> {
  const incident = await insertIncident(c, letter, words)
  const { title, description, reporterId, reporterEmail } = incident
  await insertPhotos(c, incident.id, null, photos.stored)
  await nameSkipped(c, incident.id, photos.skipped, words)
  c.audit(
    'incident.created',
    incident.id,
    changesBetween(null, {
      ...{
        title,
        description,
        reporterId,
        reporterEmail,
        severity: 'medium',
        status: 'open',
        source: 'email',
      },
      photos: photos.stored.length,
    }),
  )
  c.emit({ event: 'incident.created', incident: incidentFact(incident), details: quiet ? { quiet } : {} })
  await answerSender(c, incident.id, { ...letter, locale: letter.locale ?? words.locale }, acknowledge)
  return incident.id
}

async function insertIncident(c: Change, letter: InboundMessage, words: MailWords): Promise<ListedIncident> {
  const { user, sender, answersOurs } = letter
  // The incident it answers may be anonymous, but the subject names none: names are removed to be safe.
  const [title, description] = answersOurs
    ? [
        await withoutEverybody(c, letter.title, words, limits.title),
        await withoutEverybody(c, letter.description, words, limits.text),
      ]
    : [letter.title, letter.description]
  const [incident] = await c.query<ListedIncident>(
    `with made as (
       insert into incidents
         (title, description, severity, source, reporter_id, reporter_email, created_at)
       values ($1, $2, 'medium', 'email', $3, $4, $5) returning *
     ), followed as (
       insert into followers (incident_id, user_id, created_at)
       select id, reporter_id, created_at from made where reporter_id is not null
     ) ${listedFrom('made')}`,
    [title || words.noSubject, description, user?.id ?? null, user ? null : sender.address, c.now],
  )
  return incident!
}

/** Adds a mail to an incident's timeline, whatever its status: a mail never reopens it (decision 4.5). */
export async function appendMail(
  c: Change,
  incidentId: number,
  letter: InboundMessage,
  photos: MailPhotos,
  words: MailWords,
): Promise<void> {
  const instead = photos.stored.length > 0 ? words.onlyPhotos : words.nothingNew
  const { user, sender, isSure, newWords } = letter
  const mailFollowerId = await followAsWriter(c, incidentId, {
    ...letter,
    locale: letter.locale ?? words.locale,
  })
  const somebodyHides = await hasHiddenReporter((sql, values) => c.query(sql, values), incidentId)
  const author = {
    ...{ id: user?.id ?? null, label: mailName, email: user ? null : sender.address },
    // Danger: forged mails in each resident's name would otherwise show whose name is hidden here.
    hidden: somebodyHides && user !== null && !isSure,
    // Staff may take it in days later, and yet it is no word of the office (decision 7.3).
    via: 'email' as const,
  }
  const body = (somebodyHides ? await withoutEverybody(c, newWords, words, limits.text) : newWords) || instead
  const updateId = await writeEntry(c, incidentId, author, { body })
  await insertPhotos(c, incidentId, updateId, photos.stored)
  await nameSkipped(c, incidentId, photos.skipped, words)
  await followByActing(c, incidentId, user)
  await noteWord(c, incidentId, user)
  tellComment(c, incidentId, updateId, user ? { authorId: user.id } : { mailFollowerId }, {
    photos: { before: null, after: photos.stored.length },
  })
}

/**
 * The text without anybody's name or address, for incidents with an anonymous report, also in a duplicate
 * (decision 7.5). Removing only the reporter's would reveal the reporter to a mail that lists everybody.
 */
async function withoutEverybody(
  c: Change,
  text: string,
  { nameRemoved }: MailWords,
  longest: number,
): Promise<string> {
  if (text === '') return text
  const everybody = await everyName((sql, values) => c.query(sql, values))
  const people = everybody.map(({ name, email, role }) => ({ name, email, alsoSingle: !isStaff(role) }))
  return cut(withoutNames(text, people, nameRemoved), longest)
}

/** Adds an entry for skipped attachments: everybody sees how many, staff also their names. */
async function nameSkipped(c: Change, incidentId: number, skipped: Skipped, words: MailWords): Promise<void> {
  const kinds = (['refused', 'later'] as const).filter((kind) => skipped[kind].length > 0)
  if (kinds.length === 0) return
  const lines = kinds.map((kind) =>
    words[kind](skipped[kind].slice(0, mostNamed), Math.max(0, skipped[kind].length - mostNamed)),
  )
  await writeEntry(
    c,
    incidentId,
    { id: null, label: systemActor('email').name, via: 'email' },
    { body: words.notTaken(skipped.refused.length + skipped.later.length), bodyForStaff: lines.join('\n') },
  )
}
