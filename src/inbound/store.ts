import { User } from '../accounts/people/user.js'
import { withPhotos } from '../incidents/model/photos.js'
import { noteBounce } from '../notifications/follow/followers.js'
import { type Change, change } from '../platform/db/change.js'
import { query } from '../platform/db/database.js'
import { databaseAway, OutcomeUnknown } from '../platform/process/databaseErrors.js'
import { domainOf } from '../vocabulary/email/contactDetails.js'
import { limits } from '../vocabulary/limits.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { isStaff } from '../vocabulary/people/permissions.js'
import { cleanLine, cut } from '../vocabulary/plainText.js'
import { countsFor } from './counts.js'
import { type Decision, decide, ignoreReason, type SenderAccount, standingOf } from './decide.js'
import { allLater, emailPhotos } from './files/emailPhotos.js'
import {
  countDropped,
  hasRoomForPhotos,
  holdEmail,
  keepIgnored,
  NoRoomForEmail,
  QuarantineFull,
} from './held/quarantine.js'
import {
  AlreadyReceived,
  type EmailAnswer,
  type EmailIdentity,
  type Outcome,
  storeOutcome,
  waitForTurn,
} from './inboundDeduplication.js'
import { appendEmail, lockedSurvivor, noteFromAssignee, openByEmail } from './incidentFromEmail.js'
import type { EmailFile, EmailPhotos, EmailRecord, InboundText, RecognisedEmail } from './message.js'
import { taggedIncident } from './parse/subject.js'

/** An email that is about to be stored. `identity`: what tells it from all others. */
export type EmailToStore = {
  recognised: RecognisedEmail
  files: readonly EmailFile[]
  identity: EmailIdentity
}

/**
 * Step 4: decides about an email and does it, in one change. A repetition gets the first outcome.
 * Throws QuarantineFull when it can neither be taken in nor held, and when the database is away;
 * nothing is stored then, and the provider tries again.
 */
export async function store(actor: Actor, email: EmailToStore, words: InboundText): Promise<EmailAnswer> {
  const { recognised, files } = email
  const account = await accountAt(recognised.sender.address)
  const bare: EmailPhotos = { stored: [], notTaken: allLater(files) }
  const deliver = (photos: EmailPhotos) => storeWith(actor, email, account, photos, words)
  if (recognised.bouncedMessageName !== null) await noteBounce(actor, recognised.bouncedMessageName)
  // Only staff see an ignored email, for a while; its pictures are named.
  if (ignoreReason(recognised) !== null) return deliver(bare)
  return deliver(await photosUnlessHeld(email, account)).catch((error: unknown) => {
    if (databaseAway(error) || error instanceof OutcomeUnknown || error instanceof QuarantineFull) throw error
    // Whatever failed with the photos, the text is worth a second try without them.
    return deliver(bare)
  })
}

/** The active account with the sender's address. */
async function accountAt(address: string | null): Promise<SenderAccount | null> {
  const user = address === null ? null : await User.byEmail(address)
  if (!user?.active || user.isMobileReporter) return null
  return { id: user.id, role: user.role, isStaff: isStaff(user.role) }
}

/**
 * Processes the photos of an email. That costs work: of an email that is going to be held while
 * there is no room for photos, they are only listed by name. Whether it will be held is a guess:
 * nothing is locked yet.
 */
async function photosUnlessHeld(
  { recognised, files }: EmailToStore,
  account: SenderAccount | null,
): Promise<EmailPhotos> {
  if (files.length === 0) return { stored: [], notTaken: [] }
  const standing = standingOf(recognised, account)
  const incidentId = recognised.thread?.incidentId ?? null
  const counts = await countsFor(query, recognised.sender.address, standing, incidentId)
  const willBeHeld = decide(recognised, { account, incidentId, ...counts }).as === 'held'
  return willBeHeld && !(await hasRoomForPhotos())
    ? { stored: [], notTaken: allLater(files) }
    : emailPhotos(files)
}

function storeWith(
  actor: Actor,
  { recognised, identity }: EmailToStore,
  account: SenderAccount | null,
  photos: EmailPhotos,
  words: InboundText,
): Promise<EmailAnswer> {
  const domain = domainOf(recognised.sender.address)
  const stored = withPhotos(photos.stored, () =>
    change(actor, async (c) => {
      await waitForTurn(c, identity)
      const { thread, sender } = recognised
      const incidentId = thread === null ? null : await lockedSurvivor(c, thread.incidentId)
      const standing = standingOf(recognised, account)
      const counts = await countsFor(c.query, sender.address, standing, incidentId)
      const decision = decide(recognised, { account, incidentId, ...counts })
      const record = recordOf(recognised, account)
      const answer = await carryOut(c, decision, record, { incidentId, photos, words })
      const outcome: Outcome = { answer }
      if (decision.as === 'created') outcome.counting = { standing, domain, staffNotified: !decision.isQuiet }
      if (decision.as === 'appended') outcome.counting = { standing, domain, staffNotified: false }
      await storeOutcome(c, identity, outcome)
      return answer
    }),
  )
  return stored.catch(async (error: unknown) => {
    if (error instanceof AlreadyReceived) return error.answer
    if (error instanceof QuarantineFull) await countDropped(domain)
    if (!(error instanceof NoRoomForEmail)) throw error
    await countDropped(domain)
    return { action: 'ignored', reason: error.reason }
  })
}

/** All words for staff, with the address that a contact form answers to, which is no sender. */
function withReplyTo({ replyTo, words }: RecognisedEmail): string {
  return replyTo === null ? words.whole : `Reply-To: ${replyTo}\n\n${words.whole}`
}

/** What of an email is stored, wherever it goes. */
function recordOf(email: RecognisedEmail, account: SenderAccount | null): EmailRecord {
  const { sender, proof, mayAnswer, language, answersOurs, mark, subject, title, words } = email
  return {
    sender,
    user: proof === 'pass' ? account : null,
    accountId: account?.id ?? null,
    standing: standingOf(email, account),
    mayAnswer,
    locale: language,
    answersOurs,
    mark: mark === null ? null : cut(cleanLine(mark), limits.emailMark),
    title,
    newWords: words.newWords,
    whole: { subject, text: withReplyTo(email) },
  }
}

type Surroundings = { incidentId: number | null; photos: EmailPhotos; words: InboundText }

/** Does what was decided. Throws NoRoomForEmail and QuarantineFull, to store nothing. */
async function carryOut(
  c: Change,
  decision: Decision,
  email: EmailRecord,
  { incidentId, photos, words }: Surroundings,
): Promise<EmailAnswer> {
  switch (decision.as) {
    case 'refused':
      throw new QuarantineFull()
    case 'ignored':
      if (!decision.isKept) throw new NoRoomForEmail(decision.why)
      await keepIgnored(c, email, photos.notTaken, decision.why)
      return { action: 'ignored', reason: decision.why }
    case 'held':
      await holdEmail(c, incidentId === null ? email : naming(incidentId, email), photos, decision.why)
      return { action: 'ignored', reason: 'held' }
    case 'noted':
      await noteFromAssignee(c, decision.incidentId, email, photos, words)
      return { action: 'appended', incidentId: decision.incidentId }
    case 'appended':
      await appendEmail(c, decision.incidentId, email, photos, words)
      return { action: 'appended', incidentId: decision.incidentId }
    case 'created': {
      const { isQuiet: quiet, acknowledges: acknowledge } = decision
      return {
        action: 'created',
        incidentId: await openByEmail(c, email, photos, words, { quiet, acknowledge }),
      }
    }
  }
}

/** With the incident in its subject, an email is added there when the office takes it in. */
function naming(incidentId: number, email: EmailRecord): EmailRecord {
  if (taggedIncident(email.title) !== null) return email
  return { ...email, title: cut(`[INC-${incidentId}] ${email.title}`, limits.title) }
}
