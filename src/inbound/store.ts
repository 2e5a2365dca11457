import { lockSurvivor } from '../incidents/model/lockSurvivor.js'
import { withPhotos } from '../incidents/model/photos/photos.js'
import { countBounce } from '../notifications/follow/refusals.js'
import { type Change, change } from '../platform/db/change.js'
import { query } from '../platform/db/database.js'
import { databaseAway, OutcomeUnknown } from '../platform/process/databaseErrors.js'
import { domainOf } from '../vocabulary/email/mailbox.js'
import { limits } from '../vocabulary/limits.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { cleanLine, cut } from '../vocabulary/plainText.js'
import { appendEmail } from './acts/appendEmail.js'
import { noteFromAssignee } from './acts/noteFromAssignee.js'
import { openByEmail } from './acts/openByEmail.js'
import { countsFor } from './counts.js'
import { type Decision, decide, ignoreReason } from './decide.js'
import { allLater, emailPhotos } from './files/emailPhotos.js'
import {
  countDropped,
  hasRoomForPhotos,
  holdEmail,
  keepIgnored,
  NoRoomForIgnored,
  QuarantineFull,
} from './held/holdEmail.js'
import type { EmailFile, EmailPhotos, EmailRecord, InboundText, RecognisedEmail } from './message.js'
import { taggedIncident } from './parse/subject.js'
import {
  AlreadyReceived,
  type EmailAnswer,
  type EmailIdentity,
  rememberOutcome,
  waitForTurn,
} from './repetitions.js'
import { type KnownSender, knownSender } from './senderAccount.js'

/** An email that is about to be stored. `identity`: what tells it from all others. */
export type EmailToStore = {
  recognised: RecognisedEmail
  files: readonly EmailFile[]
  identity: EmailIdentity
}

/**
 * Step 4, with step 3 in it: decides about an email and does it, in one change, because what
 * decides may be counted only while no other email is stored. A repetition gets the first outcome.
 * Throws QuarantineFull when it can neither be taken in nor held, and when the database is away;
 * nothing is stored then, and the provider tries again.
 */
export async function store(actor: Actor, email: EmailToStore, t: InboundText): Promise<EmailAnswer> {
  const { recognised, files } = email
  const sender = await knownSender(recognised)
  const storeWith = (photos: EmailPhotos) => decideAndStore(actor, { email, sender, photos }, t)
  const storeWithoutPhotos = () => storeWith(listedOnly(files))
  if (recognised.bouncedMessageName !== null) await countBounce(actor, recognised.bouncedMessageName)
  // Only staff see an ignored email, for a while; its pictures are named.
  if (ignoreReason(recognised) !== null) return storeWithoutPhotos()
  return storeWith(await photosUnlessHeld(email, sender)).catch((error: unknown) => {
    if (databaseAway(error) || error instanceof OutcomeUnknown || error instanceof QuarantineFull) throw error
    // Whatever failed with the photos, the text is worth a second try without them.
    return storeWithoutPhotos()
  })
}

/**
 * Processes the photos of an email. That costs work: of an email that is going to be held while
 * there is no room for photos, they are only listed by name. Whether it will be held is a guess:
 * nothing is locked yet.
 */
async function photosUnlessHeld(
  { recognised, files }: EmailToStore,
  sender: KnownSender,
): Promise<EmailPhotos> {
  if (files.length === 0) return { stored: [], notTaken: [] }
  const incidentId = recognised.thread?.incidentId ?? null
  const counts = await countsFor(query, recognised.sender.address, sender.standing, incidentId)
  const willBeHeld = decide(recognised, { sender, incidentId, ...counts }).as === 'held'
  return willBeHeld && !(await hasRoomForPhotos()) ? listedOnly(files) : emailPhotos(files)
}

/** No photos, and all files by name. */
const listedOnly = (files: readonly EmailFile[]): EmailPhotos => ({ stored: [], notTaken: allLater(files) })

/** An email with its processed photos, from a sender whom we know or do not. */
type ReadyEmail = { email: EmailToStore; sender: KnownSender; photos: EmailPhotos }

/** Steps 3 and 4, in one change: decides about an email, and does it. */
function decideAndStore(
  actor: Actor,
  { email: { recognised, identity }, sender, photos }: ReadyEmail,
  t: InboundText,
): Promise<EmailAnswer> {
  const { address } = recognised.sender
  const { standing } = sender
  const domain = domainOf(address)
  const stored = withPhotos(photos.stored, () =>
    change(actor, async (c) => {
      await waitForTurn(c, identity)
      const { thread } = recognised
      const incidentId = thread === null ? null : await lockSurvivor(c, thread.incidentId)
      const counts = await countsFor(c.query, address, standing, incidentId)
      const decision = decide(recognised, { sender, incidentId, ...counts })
      const answer = await carryOut(c, decision, recordOf(recognised, sender), { incidentId, photos, t })
      const isTakenIn = decision.as === 'created' || decision.as === 'appended'
      const staffNotified = decision.as === 'created' && !decision.isQuiet
      const counting = isTakenIn ? { standing, domain, staffNotified } : null
      await rememberOutcome(c, identity, { answer, counting })
      return answer
    }),
  )
  return stored.catch(async (error: unknown) => {
    if (error instanceof AlreadyReceived) return error.answer
    if (error instanceof QuarantineFull) await countDropped(domain)
    if (!(error instanceof NoRoomForIgnored)) throw error
    await countDropped(domain)
    return { action: 'ignored', reason: error.reason }
  })
}

/** All words for staff, with the address that a contact form answers to, which is no sender. */
function withReplyTo({ replyTo, words }: RecognisedEmail): string {
  return replyTo === null ? words.whole : `Reply-To: ${replyTo}\n\n${words.whole}`
}

/** What of an email is stored, wherever it goes. */
function recordOf(email: RecognisedEmail, { account, standing }: KnownSender): EmailRecord {
  const { sender, proof, mayAnswer, language, answersOurs, mark, subject, title, words } = email
  return {
    sender,
    user: proof === 'pass' ? account : null,
    accountId: account?.id ?? null,
    standing,
    mayAnswer,
    locale: language,
    answersOurs,
    mark: mark === null ? null : cut(cleanLine(mark), limits.emailMark),
    title,
    newWords: words.newWords,
    whole: { subject, text: withReplyTo(email) },
  }
}

/** Does what was decided. Throws NoRoomForIgnored and QuarantineFull, to store nothing. */
async function carryOut(
  c: Change,
  decision: Decision,
  email: EmailRecord,
  { incidentId, photos, t }: { incidentId: number | null; photos: EmailPhotos; t: InboundText },
): Promise<EmailAnswer> {
  switch (decision.as) {
    case 'refused':
      throw new QuarantineFull()
    case 'ignored':
      if (!decision.isKept) throw new NoRoomForIgnored(decision.why)
      await keepIgnored(c, email, photos.notTaken, decision.why)
      return { action: 'ignored', reason: decision.why }
    case 'held':
      await holdEmail(c, withIncidentTag(email, incidentId), photos, decision.why)
      return { action: 'ignored', reason: 'held' }
    case 'noted':
      await noteFromAssignee(c, decision.incidentId, email, photos, t)
      return { action: 'appended', incidentId: decision.incidentId }
    case 'appended':
      await appendEmail(c, decision.incidentId, email, photos, t)
      return { action: 'appended', incidentId: decision.incidentId }
    case 'created':
      return { action: 'created', incidentId: await openByEmail(c, email, photos, t, decision) }
  }
}

/** With the incident in its subject, an email is added there when the office takes it in. */
function withIncidentTag(email: EmailRecord, incidentId: number | null): EmailRecord {
  if (incidentId === null || taggedIncident(email.title) !== null) return email
  return { ...email, title: cut(`[INC-${incidentId}] ${email.title}`, limits.title) }
}
