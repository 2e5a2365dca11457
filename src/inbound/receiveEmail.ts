import { withPhotos } from '../incidents/photos/photos.js'
import { noteBounce } from '../notifications/follow/followers.js'
import { type Change, change } from '../platform/db/change.js'
import { query } from '../platform/db/database.js'
import { databaseAway, OutcomeUnknown } from '../platform/db/databaseErrors.js'
import { oneAtATime } from '../platform/db/oneAtATime.js'
import { User } from '../platform/http/session/user.js'
import { limitConcurrency } from '../platform/net/limitConcurrency.js'
import { taggedAssignment } from '../vocabulary/email/assignmentTag.js'
import { domainOf } from '../vocabulary/email/contactDetails.js'
import { limits } from '../vocabulary/limits.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { cut } from '../vocabulary/plainText.js'
import { decideIntake, inTurnOfUnproven, photosOfEmail } from './decideIntake.js'
import { allLater, appendMail, lockedSurvivor, noteFromAssignee, openByMail } from './emailIncident.js'
import { type IgnoreReason, ignoredMails, ignoreReasons } from './emailLimits.js'
import {
  countUnkept,
  holdMail,
  keepMail,
  NoRoomForEmail,
  QuarantineFull,
  whyKept,
} from './held/quarantine.js'
import {
  AlreadyReceived,
  earlierAnswer,
  inTurnOf,
  isFlood,
  type MailAnswer,
  type MailIdentity,
  mailIdentity,
  type Outcome,
  remember,
} from './inboundDeduplication.js'
import type { InboundMail, InboundMessage, Letter, MailPhotos, MailWords, Skipped } from './inboundMessage.js'
import type { OwnMail } from './parse/answeredMail.js'
import { type MailKind, mailKind, mailLanguage } from './parse/autoMail.js'
import { headerText, isReply, type MailHeaders, mailText, taggedIncident } from './parse/emailText.js'
import { mailVerdict } from './parse/mailVerdict.js'
import { answeredIncident, answersOwnMail, answersStaffEmail, refusedMail } from './parse/ourMessageIds.js'
import { type EmailSender, readSender } from './parse/sender.js'

/**
 * Keeps an ignored email where staff can see it and make an incident of it (decision 4.5). Throws
 * NoRoomForEmail in a flood; then it is only counted.
 */
async function keepIgnored(
  c: Change,
  letter: Letter,
  skipped: Skipped,
  reason: IgnoreReason,
): Promise<Outcome> {
  const domain = domainOf(letter.sender.address)
  await oneAtATime(c, 'ignored mails')
  const [hour] = await c.query<{ ofDomain: number; inAll: number }>(
    `select count(*) filter (where domain = $1)::integer as "ofDomain", count(*)::integer as "inAll"
     from held_mails where reason = any ($2) and received_at > now() - interval '1 hour'`,
    [domain, ignoreReasons],
  )
  if (hour!.ofDomain >= ignoredMails.perDomain || hour!.inAll >= ignoredMails.inAll)
    throw new NoRoomForEmail(domain, reason)
  await makeRoom(c)
  c.audit('mail.ignored', await keepMail(c, letter, skipped, reason), whyKept(letter, reason))
  return { answer: { action: 'ignored', reason } }
}

/** Removes the oldest email of the domain with the most, so that no machine hides other emails. */
async function makeRoom(c: Change): Promise<void> {
  await c.query(
    `delete from held_mails where id = (
       select id from held_mails m
       join (select domain, count(*) as mails from held_mails where reason = any ($1) group by domain) d using (domain)
       where reason = any ($1) and incident_id is null
       order by d.mails desc, received_at, id limit 1 for update of m skip locked
     ) and (select count(*) from held_mails where reason = any ($1)) >= $2`,
    [ignoreReasons, ignoredMails.kept],
  )
}

/**
 * Our addresses, the host and key of our message ids, marks of our own emails, the trusted email
 * server, and the property's words for emails without text.
 */
export type InboundSettings = {
  addresses: readonly string[]
  host: string
  key: Buffer
  own: OwnMail
  authserv: string | null
  /** Languages we write in. */
  locales: readonly string[]
  words: MailWords
}

/** An email waiting for its turn holds a connection: a burst of emails must not use up the pool. */
const fewAtOnce = limitConcurrency({ atOnce: 4, waiting: 200 })

/**
 * Receives an email (spec §4 rule 5, decision 4.5): appends to the incident it names, opens one,
 * holds it, or ignores automatic email. A repetition gets the first outcome. Throws QuarantineFull
 * when it can neither be taken in nor held, and when the database is away; nothing is stored then,
 * and the provider tries again.
 */
export function receiveMail(actor: Actor, mail: InboundMail, settings: InboundSettings): Promise<MailAnswer> {
  return fewAtOnce(() => receive(actor, mail, settings))
}

async function receive(actor: Actor, mail: InboundMail, settings: InboundSettings): Promise<MailAnswer> {
  const sender = readSender(mail.from, mail.headers)
  const identity = await mailIdentity(mail, sender.address)
  const earlier = await earlierAnswer(query, identity)
  if (earlier) return earlier
  const subject = headerText(mail.subject)
  const kind = mailKind({ ...mail, address: sender.address, subject }, settings)
  const message = await inboundMessage(mail, { subject, sender, kind }, settings)
  const bare = { stored: [], skipped: allLater(mail.attachments) }
  if (kind.as === 'ignored') {
    // A bounce also counts against the address without account that it is about.
    const refused = kind.reason === 'bounce' ? refusedMail(mail, settings) : null
    if (refused !== null) await noteBounce(actor, refused)
    // Only staff see the email, for a while; its pictures are named.
    return store(actor, identity, (c) => keepIgnored(c, message, bare.skipped, kind.reason))
  }
  const deliver = (photos: MailPhotos) =>
    store(actor, identity, (c) => place(c, message, photos, settings.words), photos.stored)
  return deliver(await photosOfEmail(mail.attachments, message)).catch((error: unknown) => {
    if (databaseAway(error) || error instanceof OutcomeUnknown || error instanceof QuarantineFull) throw error
    // Whatever failed with the photos, the text is worth a second try without them.
    return deliver(bare)
  })
}

/**
 * Does with an email what `act` does, in one change and in turn of its sender's other emails, and
 * remembers the outcome. A repetition gets the first one; of what found no room only the number is
 * kept.
 */
async function store(
  actor: Actor,
  identity: MailIdentity,
  act: (c: Change) => Promise<Outcome>,
  photos: MailPhotos['stored'] = [],
): Promise<MailAnswer> {
  const stored = withPhotos(photos, () =>
    change(actor, async (c) => {
      await inTurnOf(c, identity)
      const outcome = await act(c)
      await remember(c, identity, outcome)
      return outcome.answer
    }),
  )
  return stored.catch(async (error: unknown) => {
    if (error instanceof AlreadyReceived) return error.answer
    if (error instanceof QuarantineFull) await countUnkept(error.domain)
    if (!(error instanceof NoRoomForEmail)) throw error
    await countUnkept(error.domain)
    return { action: 'ignored', reason: error.reason }
  })
}

async function inboundMessage(
  mail: InboundMail,
  { subject, sender, kind }: { subject: string; sender: EmailSender; kind: MailKind },
  settings: InboundSettings,
): Promise<InboundMessage> {
  const thread = threadOf(subject, mail.headers, settings)
  const incidentId = thread?.incidentId ?? null
  const { letter, fresh, ours } = await mailText(mail, incidentId !== null || isReply(subject), settings.own)
  const verdict = mailVerdict(mail.headers, settings.authserv, sender.address)
  const account = await accountAt(sender)
  return {
    sender,
    user: verdict === 'pass' ? account : null,
    accountId: account?.id ?? null,
    isProven: verdict === 'pass',
    // A sender proven false is someone else, who must not get our emails.
    mayAnswer: kind.as === 'taken' && kind.mayAnswer && verdict !== 'fail',
    locale: mailLanguage(mail.headers, settings.locales),
    answersOurs: ours || answersOwnMail(mail.headers, settings.host),
    isStray: taggedAssignment(settings.key, subject) !== null || answersStaffEmail(mail.headers, settings),
    incidentId,
    isAssignment: thread?.isAssignment ?? false,
    title: cut(subject, limits.title).trim(),
    description: cut(letter, limits.text),
    newWords: cut(fresh, limits.text),
  }
}

/**
 * The incident that an email is about, by the tag in its subject, else by the email of ours that it
 * answers; `isAssignment`: it answers what an assignee outside the building was sent, for staff
 * alone (decision 7.5).
 */
function threadOf(
  subject: string,
  headers: MailHeaders | null,
  settings: InboundSettings,
): { incidentId: number | null; isAssignment: boolean } | null {
  const assignment = taggedAssignment(settings.key, subject)
  if (assignment) return assignment.isOurs ? { ...assignment, isAssignment: true } : null
  const answered = answeredIncident(headers, settings)
  const tagged = taggedIncident(subject)
  return tagged === null ? answered : { incidentId: tagged, isAssignment: false }
}

/** The active account with the sender's address, which anyone can write into From. */
async function accountAt({ address }: EmailSender): Promise<User | null> {
  const user = address === null ? null : await User.byEmail(address)
  return user?.active && !user.isMobileReporter ? user : null
}

/** Appends to the incident named in the subject, or to its survivor; else it is a new report. */
async function place(
  c: Change,
  message: InboundMessage,
  photos: MailPhotos,
  words: MailWords,
): Promise<Outcome> {
  await inTurnOfUnproven(c, message)
  if (message.isAssignment) {
    const noted = await noteFromAssignee(c, message, photos, words)
    if (noted) return { answer: noted }
  }
  const survivor = message.incidentId === null ? null : await lockedSurvivor(c, message.incidentId)
  const intake = await decideIntake(c, message, survivor)
  if (intake.as === 'held') {
    await holdMail(c, survivor === null ? message : naming(survivor, message), photos, intake.why)
    return { answer: { action: 'ignored', reason: 'held' } }
  }
  const { standing, domain } = intake
  if (survivor !== null) {
    await appendMail(c, survivor, message, photos, words)
    const answer = { action: 'appended', incidentId: survivor } as const
    return { answer, counting: { standing, domain, told: false } }
  }
  const flood = await isFlood(c, message.sender.address ?? '')
  const quiet = intake.quiet || flood
  const incidentId = await openByMail(c, message, photos, words, { quiet, acknowledge: !flood })
  return { answer: { action: 'created', incidentId }, counting: { standing, domain, told: !quiet } }
}

/** With the incident in its subject, an email is added there when the office takes it in. */
function naming(incidentId: number, message: Letter): Letter {
  if (taggedIncident(message.title) !== null) return message
  return { ...message, title: cut(`[INC-${incidentId}] ${message.title}`, limits.title) }
}
