import { storableText } from '../../incidents/acts/keepWholeEmail.js'
import { each, type ManyResult } from '../../incidents/acts/manyIncidents.js'
import type { StoredPhoto } from '../../incidents/model/photos.js'
import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { rowOf } from '../../platform/db/row.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { domainOf } from '../../vocabulary/email/contactDetails.js'
import { limits } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { cut } from '../../vocabulary/plainText.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { type KeptNotTaken, keptNotTaken, notTakenIn } from '../files/notTaken.js'
import { appendEmail, lockedSurvivor, openByEmail } from '../incidentFromEmail.js'
import { ignoredEmails, quarantine } from '../limits.js'
import type { EmailPhotos, EmailRecord, FileNotTaken, InboundText } from '../message.js'
import { taggedIncident } from '../parse/subject.js'
import { type HoldReason, holdReasons, type IgnoreReason, ignoreReasons } from '../reasons.js'

/** Days a held email is kept, sorted or not; `tidy` deletes it after that. */
export const heldEmailDays = 30

/** Domains of several waiting emails, most first. */
export function crowdedDomains(): Promise<{ domain: string; emails: number }[]> {
  return query(
    `select domain, count(*)::integer as emails from held_emails where sorted_at is null and domain <> ''
     group by domain having count(*) > 1 order by emails desc, domain limit 20`,
  )
}

type DroppedEmails = { domain: string; emails: number; latestAt: Date }

/** A row of `dropped_emails`. */
class DroppedOfDomain extends rowOf<DroppedEmails>() {
  static override tableName = 'dropped_emails'
}

/** Counts of emails that were not kept, by domain, most first; an empty domain: all others. */
export async function droppedEmails(): Promise<DroppedEmails[]> {
  return DroppedOfDomain.query().orderByRaw(`domain = '', emails desc, domain`)
}

/** Whether there is room for photos of held emails, and for another held email at all. */
export async function hasRoomForPhotos(): Promise<boolean> {
  const [row] = await query<{ room: boolean }>(
    `select (select count(*) from held_email_photos) < $1
       and (select count(*) from held_emails where sorted_at is null) < $2 as room`,
    [quarantine.photos, quarantine.inAll],
  )
  return row!.room
}

/** No room among the ignored emails: rolls the change back, so that the email is only counted. */
export class NoRoomForEmail extends Error {
  constructor(readonly reason: IgnoreReason) {
    super('no room for an ignored email')
  }
}

/**
 * An email can neither be taken in nor wait for the office: nothing is stored, and its provider
 * tries again (decision 7.4).
 */
export class QuarantineFull extends Error {
  constructor() {
    super('no room for one more email to sort')
  }
}

/** Incidents per request that staff are mailed about; the others are on the same list. */
const mostNotified = 5

/** Keeps an email for staff to sort. */
export async function holdEmail(
  c: Change,
  email: EmailRecord,
  photos: EmailPhotos,
  reason: HoldReason,
): Promise<void> {
  await makeRoomForWaiting(c)
  const id = await keepEmail(c, email, photos.notTaken, reason)
  await c.query(
    `insert into held_email_photos (path, held_email_id, width, height, bytes)
     select p.path, $1, p.width, p.height, p.bytes
     from json_to_recordset($2) as p (path text, width integer, height integer, bytes integer)`,
    [id, JSON.stringify(photos.stored)],
  )
  c.audit('mail.held', id, whyKept(email, reason))
}

/** Stores an email without its photos; an ignored one waits for no one. Returns its id. */
async function keepEmail(
  c: Change,
  email: EmailRecord,
  notTaken: readonly FileNotTaken[],
  reason: HoldReason | IgnoreReason,
): Promise<number> {
  const waits = (holdReasons as readonly string[]).includes(reason)
  const { sender, title, newWords, answersOurs, mayAnswer, locale, mark } = email
  const row = {
    receivedAt: c.now,
    domain: domainOf(sender.address),
    reason,
    mark,
    senderName: sender.name,
    senderAddress: sender.address,
    title,
    description: newWords,
    wholeSubject: cut(email.whole.subject, limits.emailSubject),
    wholeText: storableText(email.whole.text),
    skipped: JSON.stringify(keptNotTaken(notTaken)),
    answersOurs,
    userId: email.user?.id ?? null,
    // What the release before this one counts by.
    hasAccount: email.standing === 'account',
    senderStanding: email.standing,
    mayAnswer,
    locale,
    sortedAt: waits ? null : c.now,
  }
  const [heldEmail]: { id: number }[] = await c.trx('held_emails').insert(row).returning('id')
  return heldEmail!.id
}

function whyKept({ sender }: Pick<EmailRecord, 'sender'>, reason: HoldReason | IgnoreReason) {
  return { from: { before: null, after: sender.address }, reason: { before: null, after: reason } }
}

/**
 * Sorted emails make room for waiting ones. Photo files of a removed email have no owner then, and
 * `tidy` removes them later.
 */
async function makeRoomForWaiting(c: Change): Promise<void> {
  await c.query(
    `delete from held_emails where id = (
       select id from held_emails where sorted_at is not null and reason = any ($1)
       order by sorted_at limit 1 for update skip locked
     ) and (select count(*) from held_emails where reason = any ($1)) >= $2`,
    [holdReasons, quarantine.inAll],
  )
}

/** Keeps an ignored email where staff can see it and make an incident of it (decision 4.5). */
export async function keepIgnored(
  c: Change,
  email: EmailRecord,
  notTaken: readonly FileNotTaken[],
  reason: IgnoreReason,
): Promise<void> {
  await makeRoomForIgnored(c)
  c.audit('mail.ignored', await keepEmail(c, email, notTaken, reason), whyKept(email, reason))
}

/**
 * Removes the oldest email of the domain with the most, so that no machine hides other emails.
 * Forged emails of a domain count apart from its own.
 */
async function makeRoomForIgnored(c: Change): Promise<void> {
  await c.query(
    `delete from held_emails where id = (
       select id from held_emails m
       join (
         select domain, held_standing(sender_standing, user_id) as standing, count(*) as emails
         from held_emails where reason = any ($1) group by 1, 2
       ) d on d.domain = m.domain and d.standing = held_standing(sender_standing, user_id)
       where reason = any ($1) and incident_id is null
       order by d.emails desc, received_at, id limit 1 for update of m skip locked
     ) and (select count(*) from held_emails where reason = any ($1)) >= $2`,
    [ignoreReasons, ignoredEmails.kept],
  )
}

/** Counts an email that was not kept. No audit entry: a flood must not fill the audit log. */
export async function countDropped(domain: string): Promise<void> {
  await query(
    `insert into dropped_emails (domain)
     select case when exists (select from dropped_emails where domain = $1)
       or (select count(*) from dropped_emails) < $2 then $1 else '' end
     on conflict (domain) do update set emails = dropped_emails.emails + 1, latest_at = now()`,
    [domain, quarantine.domains],
  )
}

/**
 * Takes each email in as if it had just arrived: opens an incident, or appends to the one its
 * subject names. This also restores a discarded email. One that says nothing new to its incident
 * stays where it is.
 */
export async function acceptEmails(
  actor: Actor,
  ids: readonly number[],
  words: InboundText,
): Promise<ManyResult & { incidentIds: number[] }> {
  const incidentIds: number[] = []
  const result = await each(ids, async (id) => {
    incidentIds.push(await acceptEmail(actor, id, words, incidentIds.length >= mostNotified))
  })
  return { ...result, incidentIds }
}

type HeldEmail = Omit<EmailRecord, 'whole' | 'mark'> & {
  skipped: KeptNotTaken
  acceptedAs: number | null
  subject: string
  text: string
  receivedAt: Date
}

async function acceptEmail(actor: Actor, id: number, words: InboundText, quiet: boolean): Promise<number> {
  return change(actor, async (c) => {
    const [row] = await c.query<HeldEmail>(
      `select
         json_build_object('name', sender_name, 'address', sender_address) as sender,
         title, description as new_words, skipped, answers_ours, may_answer, locale,
         incident_id as accepted_as,
         coalesce(whole_subject, title) as subject,
         coalesce(whole_text, description) as text,
         received_at,
         case when user_id is not null then (
           select json_build_object('id', u.id, 'role', u.role) from users u where u.id = user_id
         ) end as user,
         held_standing(sender_standing, user_id) as standing,
         (
           select u.id from users u
           where lower(u.email) = sender_address and u.active and not u.is_mobile_reporter
         ) as account_id
       from held_emails where id = $1 for update`,
      [id],
    )
    const { skipped, acceptedAs, subject, text, receivedAt, ...fields } = orNotFound(row)
    if (acceptedAs !== null) throw new Conflict('email_sorted')
    const email: EmailRecord = {
      ...fields,
      mark: null,
      whole: { subject, text, receivedAt },
    }
    const answeredId = taggedIncident(fields.title)
    const stored: StoredPhoto[] = await c
      .trx('held_email_photos')
      .where({ heldEmailId: id })
      .delete()
      .returning(['path', 'width', 'height', 'bytes'])
    const photos = { stored, notTaken: notTakenIn(skipped) }
    const survivor = answeredId === null ? null : await lockedSurvivor(c, answeredId)
    if (survivor !== null && fields.newWords === '' && stored.length === 0)
      throw new Conflict('email_nothing_new')
    if (survivor !== null) await appendEmail(c, survivor, email, photos, words)
    const incidentId = survivor ?? (await openByEmail(c, email, photos, words, { quiet, acknowledge: true }))
    await c.trx('held_emails').where({ id }).update({ incidentId, sortedAt: c.now })
    c.audit('mail.accepted', id, { incidentId: { before: null, after: incidentId } })
    return incidentId
  })
}

/** Discards each email; it stays readable until it is 30 days old. */
export function discardEmails(actor: Actor, ids: readonly number[]): Promise<ManyResult> {
  return each(ids, (id) =>
    change(actor, async (c) => {
      const [row] = await c.query<{ sorted: boolean }>(
        'select sorted_at is not null as sorted from held_emails where id = $1 for update',
        [id],
      )
      if (orNotFound(row).sorted) throw new Conflict('email_sorted')
      await c.trx('held_emails').where({ id }).update({ sortedAt: c.now })
      c.audit('mail.discarded', id)
    }),
  )
}

/** Discards a domain's waiting emails, with one audit entry. Throws NotFound without any. */
export function discardEmailsFrom(actor: Actor, domain: string): Promise<ManyResult> {
  return change(actor, async (c) => {
    const rows: { id: number }[] = await c
      .trx('held_emails')
      .where({ domain, sortedAt: null })
      .update({ sortedAt: c.now })
      .returning('id')
    orNotFound(rows[0])
    c.audit('mail.discarded', null, {
      domain: { before: null, after: domain },
      emails: { before: null, after: rows.length },
    })
    return { done: rows.map(({ id }) => id), skipped: [] }
  })
}
