import { createHash, randomUUID } from 'node:crypto'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { oneAtATime } from '../platform/db/advisoryLocks.js'
import type { Change } from '../platform/db/change.js'
import type { Query } from '../platform/db/database.js'
import type { ReadEmail, RecognisedEmail } from './message.js'
import type { IgnoreReason } from './reasons.js'
import type { SenderStanding } from './senderStanding.js'

/** The outcome of an email (decision 4.5). `held`: it waits for the office (decision 7.4). */
export type EmailAnswer =
  | { action: 'created' | 'appended'; incidentId: number }
  | { action: 'ignored'; reason: IgnoreReason | 'held' }

/** Characters of an email hashed before other work gets its turn. */
const slice = 1024 * 1024

/** The same email was received before: thrown to roll back the second one's change. */
export class AlreadyReceived extends Error {
  constructor(readonly answer: EmailAnswer) {
    super('this email was received before')
  }
}

/** What identifies an email, and for how many minutes it gets the first answer (decision 4.5). */
export type EmailIdentity = { sender: string; digest: string; minutes: number }
const minutesKnown = { byMessageId: 24 * 60, byWords: 10 }

/**
 * Identifies an email by its sender and message id or, without one, its whole content. The sender,
 * and whether it is proven, are included so that no one can make another sender's email look like a
 * repetition: message ids are no secret, and a forged email may come before the true one.
 */
export async function emailIdentity(
  email: ReadEmail,
  { sender: { address }, proof }: Pick<RecognisedEmail, 'sender' | 'proof'>,
): Promise<EmailIdentity> {
  const { from, messageId, subject, text, html, files, attachedEmails } = email
  const hash = createHash('sha256')
  const contents = files.flatMap(({ filename, contentBase64 }) => [filename, contentBase64])
  for (const attached of attachedEmails) contents.push(attached.subject, attached.text, attached.html)
  const parts = messageId === null ? ['content', subject, text, html, ...contents] : ['message-id', messageId]
  // The release before this one hashes unproven emails without this part; both must recognise a
  // repetition while an upgrade runs.
  const proven = proof === 'pass' ? ['proven'] : []
  for (const part of [...proven, address ?? from, ...parts]) {
    hash.update(`${part.length}:`)
    for (let at = 0; at < part.length; at += slice) {
      if (at > 0) await letOthersRun()
      hash.update(part.slice(at, at + slice))
    }
  }
  const minutes = messageId === null ? minutesKnown.byWords : minutesKnown.byMessageId
  return { sender: address ?? '', digest: hash.digest('base64url'), minutes }
}

/** The outcome of the same email shortly before; null when it is new. */
export async function earlierAnswer(
  query: Query,
  { digest, minutes }: EmailIdentity,
): Promise<EmailAnswer | null> {
  const [row] = await query<{
    action: string
    incidentId: number | null
    reason: (IgnoreReason | 'held') | null
  }>(
    `select action, incident_id, reason from inbound_emails
     where digest = $1 and received_at > now() - make_interval(mins => $2)`,
    [digest, minutes],
  )
  if (!row) return null
  return row.reason === null
    ? { action: row.action as 'created' | 'appended', incidentId: row.incidentId! }
    : { action: 'ignored', reason: row.reason }
}

/**
 * Serialises the decisions about emails until the commit, so that the counts are exact, and throws
 * AlreadyReceived for a repetition. Call it before locking an incident.
 */
export async function waitForTurn(c: Change, identity: EmailIdentity): Promise<void> {
  await oneAtATime(c, 'inbound email')
  const earlier = await earlierAnswer(c.query, identity)
  if (earlier) throw new AlreadyReceived(earlier)
}

/** What the hourly limits count of an email; `staffNotified`: staff were emailed (decision 7.4). */
type Counting = { standing: SenderStanding; domain: string; staffNotified: boolean }
/** `counting`: null for an email that was not taken in. */
type Outcome = { answer: EmailAnswer; counting: Counting | null }

/** Stores the outcome for repetitions of the email, and deletes outcomes older than a day. */
export async function rememberOutcome(
  c: Change,
  { sender, digest }: EmailIdentity,
  { answer, counting }: Outcome,
): Promise<void> {
  const { action, incidentId, reason } = { incidentId: null, reason: null, ...answer }
  await c.trx('inbound_emails').whereRaw(`received_at <= now() - interval '24 hours'`).delete()
  // The same words again, after their ten minutes: the limits still count the earlier row.
  await c.trx('inbound_emails').where({ digest }).update({ digest: randomUUID() })
  const { standing = null, domain = null, staffNotified = false } = counting ?? {}
  await c.trx('inbound_emails').insert({
    digest,
    sender,
    action,
    incidentId,
    reason,
    staffNotified,
    domain,
    senderStanding: standing,
    // What the release before this one counts by.
    standing: standing && (standing === 'account' ? 'proven' : 'stranger'),
    receivedAt: c.trx.fn.now(),
  })
}
