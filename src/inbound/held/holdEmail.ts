import { storableText } from '../../incidents/acts/keepWholeEmail.js'
import type { Change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { domainOf } from '../../vocabulary/email/mailbox.js'
import { limits } from '../../vocabulary/limits.js'
import { cut } from '../../vocabulary/plainText.js'
import { keptNotTaken } from '../files/notTaken.js'
import { ignoredEmails, quarantine } from '../limits.js'
import type { EmailPhotos, EmailRecord, FileNotTaken } from '../message.js'
import { type HoldReason, holdReasons, type IgnoreReason, ignoreReasons } from '../reasons.js'

/** Days a held email is kept, sorted or not; `tidy` deletes it after that. */
export const heldEmailDays = 30

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
export class NoRoomForIgnored extends Error {
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
