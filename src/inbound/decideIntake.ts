import { incidentContext } from '../incidents/emails/incidentContext.js'
import type { Reader } from '../notifications/emails/reader.js'
import type { EmailContent } from '../notifications/emails/renderedEmail.js'
import { findEmailFollower } from '../notifications/follow/followerQueries.js'
import type { Change } from '../platform/db/change.js'
import { type Query, query } from '../platform/db/database.js'
import { oneAtATime } from '../platform/db/oneAtATime.js'
import { isStaffSql } from '../platform/http/session/user.js'
import { mintLink } from '../platform/mail/emailLinks.js'
import { link } from '../platform/mail/links.js'
import { config } from '../platform/ops/config.js'
import { domainOf } from '../vocabulary/email/contactDetails.js'
import type { OutboxMessage } from '../vocabulary/email/delivery.js'
import { followedText } from '../vocabulary/email/followed.js'
import { bounds } from '../vocabulary/limits.js'
import { allLater, mailPhotos } from './emailIncident.js'
import {
  type HoldReason,
  hourlyEmails,
  type LastHour,
  type SenderStanding,
  spentLimit,
} from './emailLimits.js'
import { hasRoomForPhotos } from './held/quarantine.js'
import type { Attachment, InboundMessage, MailPhotos } from './inboundMessage.js'

/**
 * To the sender of an email: that it came in, and as what (decision 2.10). It repeats nothing that
 * anyone wrote, because anyone may have put this address into From (decision 7.4). `payload.as`:
 * `created` or `appended`.
 */
export async function renderReceived(reader: Reader, row: OutboxMessage): Promise<EmailContent | null> {
  const { t, who } = reader
  const story = await incidentContext(row)
  if (!story) return null
  const { id } = story.row
  const p = t.emails.received
  const follow = 'mailFollowerId' in who ? await followLink(who.mailFollowerId, id) : null
  return {
    view: 'account',
    subject: p.subject,
    about: { incidentId: id },
    why: p.why,
    stop: { topic: `incident:${id}`, text: t.emails.stop.incident },
    given: {
      title: row.payload.as === 'appended' ? p.appended(id) : p.created(id),
      leads: [
        'userId' in who ? p.public : p.publicWithoutAddress,
        follow ? p.follow : p.following,
        ...(config.mail.inboundAddress ? [] : [p.noReplies]),
      ],
      button: follow
        ? { href: follow, text: p.followButton(id) }
        : { href: link(`/incidents/${story.survivor.id}`), text: t.emails.button.open(story.survivor.id) },
    },
  }
}

/** Days the link in an acknowledgement is valid, which no one asked for. */
const acknowledgementDays = 30

/** Where a person without an account starts to follow; null when they follow already. */
async function followLink(mailFollowerId: number, incidentId: number): Promise<string | null> {
  const person = await findEmailFollower(mailFollowerId)
  if (person?.clicked) return null
  const followed = followedText({ incidentId, assetId: null, towerId: null })
  const minutes = acknowledgementDays * 24 * 60
  return (await mintLink({ purpose: 'follow', who: { mailFollowerId }, data: { followed }, minutes })).href
}

/** What is decided about an incoming email, a new report or a reply (decision 7.4). */
type Intake =
  // `quiet`: staff have been emailed about enough.
  { as: 'taken'; standing: SenderStanding; domain: string; quiet: boolean } | { as: 'held'; why: HoldReason }

/**
 * Decides whether an email is taken in or held. `survivor`: the incident it is added to. Emails by
 * senders who are not proven are decided one after another until the commit, so that the counts are
 * exact.
 */
export async function decideIntake(
  c: Change,
  message: InboundMessage,
  survivor: number | null,
): Promise<Intake> {
  const standing = standingOf(message)
  const domain = domainOf(message.sender.address)
  if (await waitsForSorting(c, message)) return { as: 'held', why: 'unsorted' }
  // It may quote what only staff read: no reply to such an email is ever public by itself (decision
  // 7.5).
  if (message.isAssignment || (message.isStray && survivor === null)) return { as: 'held', why: 'reply' }
  const hour = await lastHourOf(message, c.query)
  const spent = spentLimit(standing, hour)
  if (spent) return { as: 'held', why: spent }
  if (survivor !== null && !(await hasRoom(c, survivor, message))) return { as: 'held', why: 'timeline' }
  return { as: 'taken', standing, domain, quiet: standing !== 'proven' && hour.told >= hourlyEmails.told }
}

/** Serialises decisions about senders who are not proven; call it before locking an incident. */
export async function inTurnOfUnproven(c: Change, message: InboundMessage): Promise<void> {
  if (standingOf(message) !== 'proven') await oneAtATime(c, 'email of unproven senders')
}

const standingOf = ({ user, accountId }: InboundMessage): SenderStanding =>
  user !== null ? 'proven' : accountId !== null ? 'claimed' : 'stranger'

/** Whether the email waits until the office sorted it (decision 7.13); proven staff never wait. */
async function waitsForSorting(c: Change, { user }: InboundMessage): Promise<boolean> {
  const rows = await c.query(
    `select from properties where mail_visibility = 'when_sorted'
       and not exists (select from users w where w.id = $1 and ${isStaffSql('w')})`,
    [user?.id ?? null],
  )
  return rows.length > 0
}

/**
 * Whether an incident takes more of this email's sender. Unproven senders share a part of the
 * timeline: anyone can invent another address, and residents must be able to write there still
 * (decision 1.6).
 */
async function hasRoom(c: Change, incidentId: number, message: InboundMessage): Promise<boolean> {
  const { sender, user, newWords } = message
  const [used] = await c.query<
    Record<'entries' | 'bytes' | 'own' | 'ownBytes' | 'unproven' | 'unprovenBytes', number>
  >(
    `select count(*)::integer as entries, coalesce(sum(octet_length(body)), 0)::integer as bytes,
       count(*) filter (where author_email = $2)::integer as own,
       coalesce(sum(octet_length(body)) filter (where author_email = $2), 0)::integer as "ownBytes",
       count(*) filter (where via = 'email' and sender_proven is not true)::integer as unproven,
       coalesce(sum(octet_length(body)) filter (where via = 'email' and sender_proven is not true), 0)::integer as "unprovenBytes"
     from incident_updates where incident_id = $1`,
    [incidentId, sender.address],
  )
  const { entries, bytes, own, ownBytes, unproven, unprovenBytes } = used!
  const more = Buffer.byteLength(newWords)
  return (
    entries < bounds.timelineEntries &&
    bytes + more <= bounds.timelineBytes &&
    own < bounds.writerEntries &&
    ownBytes + more <= bounds.writerBytes &&
    (user !== null || (unproven < bounds.unprovenEntries && unprovenBytes + more <= bounds.unprovenBytes))
  )
}

/**
 * Processes the photos of an email. That costs work: of an email that is going to be held while
 * there is no room for photos, they are only listed by name.
 */
export async function photosOfEmail(
  attachments: readonly Attachment[],
  message: InboundMessage,
): Promise<MailPhotos> {
  if (attachments.length === 0) return { stored: [], skipped: allLater([]) }
  const spent = spentLimit(standingOf(message), await lastHourOf(message, query))
  return spent && !(await hasRoomForPhotos())
    ? { stored: [], skipped: allLater(attachments) }
    : mailPhotos(attachments)
}

/** What came in within the last hour that counts for this sender. */
async function lastHourOf(message: InboundMessage, run: Query): Promise<LastHour> {
  const address = message.sender.address ?? ''
  const [row] = await run<LastHour>(
    `select count(*) filter (where sender = $2 and standing = $1)::integer as "ofSender",
       count(*) filter (where domain = $3 and standing = $1)::integer as "ofDomain",
       count(*) filter (where standing = $1)::integer as "inAll",
       count(*) filter (where told and standing <> 'proven')::integer as told
     from inbound_messages where standing is not null and received_at > now() - interval '1 hour'`,
    [standingOf(message), address, domainOf(address)],
  )
  return row!
}
