import type { Change } from '../../change.js'
import { query } from '../../database.js'
import { domainOf, type UnknownHour, unknownSenders, whyHeld } from '../../domain/mail/heldMail.js'
import { limits } from '../../domain/system/limits.js'
import { taggedIncident } from '../../inbound/mailText.js'
import { isStaffSql } from '../../models/accounts/user.js'
import { hasRoomForPhotos, hourOfUnknown } from '../../models/mail/heldMail.js'
import { holdMail } from './heldMails.js'
import { type InboundMessage, type MailPhotos, type MailWords, openByMail } from './mailIncident.js'
import { type Counting, isFlood, type MailAnswer } from './mailMemory.js'
import { type Attachment, allLater, mailPhotos } from './mailPhotos.js'

/** The outcome of a mail, and what the hourly limits count of it. */
export type Placed = { answer: MailAnswer; counting?: Counting }

/** Opens an incident or, for an unknown sender over the hour's limit, holds the mail for staff (decision 7.4). */
export async function asNewReport(
  c: Change,
  message: InboundMessage,
  photos: MailPhotos,
  words: MailWords,
): Promise<Placed> {
  const unknownDomain = isUnknown(message) ? domainOf(message.sender.address) : null
  const hour = unknownDomain === null ? null : await lockedHour(c, unknownDomain)
  const reason = hour && whyHeld(hour)
  if (reason) {
    await holdMail(c, message, photos, reason)
    return { answer: { action: 'ignored', reason: 'held' } }
  }
  const tooMany = hour !== null && hour.told >= unknownSenders.told
  const flood = await isFlood(c, message.sender.address ?? '')
  const quiet = tooMany || flood
  const incidentId = await openByMail(c, message, photos, words, { quiet, acknowledge: !flood })
  return { answer: { action: 'created', incidentId }, counting: { unknownDomain, told: !quiet } }
}

/**
 * Keeps a mail that nobody but staff reads before the office has sorted it (decision 7.13); null where mails are public at
 * once, and for a proven mail of staff. `incidentId`: what it is added to then, so its subject names it.
 */
export async function asUnsorted(
  c: Change,
  message: InboundMessage,
  photos: MailPhotos,
  incidentId: number | null,
): Promise<Placed | null> {
  const [waits] = await c.query(
    `select from properties where mail_visibility = 'when_sorted'
       and not exists (select from users w where w.id = $1 and ${isStaffSql('w')})`,
    [message.user?.id ?? null],
  )
  if (!waits) return null
  const isNamed = incidentId === null || taggedIncident(message.title) !== null
  const title = isNamed ? message.title : `[INC-${incidentId}] ${message.title}`.slice(0, limits.title)
  await holdMail(c, { ...message, title }, photos, 'unsorted')
  return { answer: { action: 'ignored', reason: 'held' } }
}

/** The sender has no account, as far as this mail can be trusted. */
const isUnknown = ({ user }: InboundMessage) => user === null

/** Serialises mails of unknown senders until the commit, so that the count is exact. */
async function lockedHour(c: Change, domain: string): Promise<UnknownHour> {
  await c.query(`select pg_advisory_xact_lock(hashtextextended('mail of unknown senders', 0))`)
  return hourOfUnknown((text, values) => c.query(text, values), domain)
}

/** Processing photos costs work: with too many held ones, a flood's attachments are only listed by name. */
export async function photosOf(
  attachments: readonly Attachment[],
  message: InboundMessage,
): Promise<MailPhotos> {
  const held = attachments.length > 0 && isUnknown(message) && (await isOver(message))
  return held && !(await hasRoomForPhotos())
    ? { stored: [], skipped: allLater(attachments) }
    : mailPhotos(attachments)
}

const isOver = async ({ sender }: InboundMessage) =>
  whyHeld(await hourOfUnknown(query, domainOf(sender.address))) !== null
