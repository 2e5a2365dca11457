import { gate } from '../adapters/gate.js'
import { type Change, change } from '../change.js'
import { query } from '../database.js'
import type { Actor } from '../domain/actor.js'
import type { OwnMail } from '../domain/answeredMail.js'
import { answersOwnMail, type IgnoreReason, type MailHeaders, whyIgnored } from '../domain/autoMail.js'
import { limits } from '../domain/limits.js'
import { cut, headerText, isReply, type Sender, senderOf, taggedIncident } from '../domain/mailText.js'
import { type MailVerdict, mailVerdict } from '../domain/mailVerdict.js'
import { isStaff } from '../domain/permissions.js'
import { databaseAway, OutcomeUnknown } from '../domain/unavailable.js'
import { User } from '../models/user.js'
import {
  appendMail,
  type Letter,
  lockedSurvivor,
  type MailPhotos,
  type MailWords,
  openByMail,
} from './mailIncident.js'
import {
  AlreadyReceived,
  earlierAnswer,
  inTurnOf,
  type MailAnswer,
  mailDigest,
  remember,
} from './mailMemory.js'
import { type Attachment, allLater, mailPhotos } from './mailPhotos.js'
import { mailText } from './mailWords.js'
import { withPhotos } from './photos.js'

/** A mail as the provider posts it (spec §2), plus what it may add (decision 4.5). Nothing in it is clean yet. */
export type Mail = {
  from: string
  subject: string
  text: string
  html: string
  attachments: readonly Attachment[]
  messageId: string | null
  headers: MailHeaders | null
}

/**
 * Our own addresses and the host of our message ids, what our own mails look like, whose verdicts on senders are believed,
 * and the words the house uses where a mail has none.
 */
export type MailHouse = {
  addresses: readonly string[]
  host: string
  own: OwnMail
  authserv: string | null
  words: MailWords
}

type Arrival = { actor: Actor; sender: string; digest: string }

/** Each holds a connection while it waits for its turn: a burst of mails must not keep everybody else from the database. */
const fewAtOnce = gate({ atOnce: 4, waiting: Number.POSITIVE_INFINITY })

/**
 * Takes in one mail (spec §4 rule 5, decision 4.5): appends it to the incident its subject names, else opens one, or
 * ignores what no person wrote; the same mail again gets the first answer. Fails only when the database is away.
 */
export function receiveMail(actor: Actor, mail: Mail, house: MailHouse): Promise<MailAnswer> {
  return fewAtOnce(() => receive(actor, mail, house))
}

async function receive(actor: Actor, mail: Mail, house: MailHouse): Promise<MailAnswer> {
  const { words } = house
  const sender = senderOf(mail.from)
  const arrival = { actor, sender: sender.address ?? '', digest: digestOf(mail, sender) }
  const earlier = await earlierAnswer(query, arrival.digest)
  if (earlier) return earlier
  const subject = headerText(mail.subject)
  const reason = whyIgnored({ ...mail, address: sender.address, subject }, house)
  if (reason) return unlessRepeated(() => ignore(arrival, reason))
  const letter = await letterOf(mail, subject, sender, house)
  const photos = await mailPhotos(mail.attachments)
  return unlessRepeated(() => deliver(arrival, letter, photos, words)).catch((error: unknown) => {
    if (databaseAway(error) || error instanceof OutcomeUnknown) throw error
    // Whatever is wrong with it, its words are worth a second try without anything else.
    const bare = { stored: [], skipped: allLater(mail.attachments) }
    return unlessRepeated(() => deliver(arrival, letter, bare, words))
  })
}

function digestOf(mail: Mail, { address }: Sender): string {
  const attached = mail.attachments.flatMap(({ filename, contentBase64 }) => [filename, contentBase64])
  return mailDigest(address ?? mail.from, mail.messageId, [mail.subject, mail.text, mail.html, ...attached])
}

async function letterOf(mail: Mail, subject: string, sender: Sender, house: MailHouse): Promise<Letter> {
  const incidentId = taggedIncident(subject)
  const { letter, fresh, ours } = mailText(mail, incidentId !== null || isReply(subject), house.own)
  const verdict = mailVerdict(mail.headers, house.authserv, sender.address)
  return {
    sender,
    user: await userOf(sender, verdict),
    isSure: verdict === 'pass',
    answersOurs: ours || answersOwnMail(mail.headers, house.host),
    incidentId,
    title: cut(subject, limits.title).trim(),
    description: cut(letter, limits.text),
    newWords: cut(fresh, limits.text),
  }
}

/**
 * Whose name the mail is shown with: somebody the building knows and who may act. Anybody can write any From, so a staff
 * name needs a server's word that it is true, and no name stands when it is known to be false (decision 7.3).
 */
async function userOf({ address }: Sender, verdict: MailVerdict): Promise<User | null> {
  const user = address === null || verdict === 'fail' ? null : await User.byEmail(address)
  if (!user?.active || user.isMobileReporter) return null
  return isStaff(user.role) && verdict !== 'pass' ? null : user
}

function ignore({ actor, sender, digest }: Arrival, reason: IgnoreReason): Promise<MailAnswer> {
  return change(actor, async (c) => {
    await inTurnOf(c, sender, digest)
    const answer: MailAnswer = { action: 'ignored', reason }
    await remember(c, sender, digest, answer)
    c.audit('mail.ignored', null, {
      from: { before: null, after: sender },
      reason: { before: null, after: reason },
    })
    return answer
  })
}

function deliver(
  { actor, sender, digest }: Arrival,
  letter: Letter,
  photos: MailPhotos,
  words: MailWords,
): Promise<MailAnswer> {
  return withPhotos(photos.stored, () =>
    change(actor, async (c) => {
      await inTurnOf(c, sender, digest)
      const answer = await place(c, letter, photos, words)
      await remember(c, sender, digest, answer)
      return answer
    }),
  )
}

/** To the incident it names, or to the one that was merged into; anything else is news. */
async function place(c: Change, letter: Letter, photos: MailPhotos, words: MailWords): Promise<MailAnswer> {
  const survivor = letter.incidentId === null ? null : await lockedSurvivor(c, letter.incidentId)
  if (survivor === null) return { action: 'created', incidentId: await openByMail(c, letter, photos, words) }
  await appendMail(c, survivor, letter, photos, words)
  return { action: 'appended', incidentId: survivor }
}

async function unlessRepeated(act: () => Promise<MailAnswer>): Promise<MailAnswer> {
  return act().catch((error: unknown) => {
    if (error instanceof AlreadyReceived) return error.answer
    throw error
  })
}
