import {
  exceededLimit,
  hasEmailedStaffEnough,
  hasRoom,
  hasRoomForIgnored,
  type Ignored,
  isReportFlood,
  type LastHour,
  mayBecomeNote,
  mayWait,
  type TimelineUse,
  type Waiting,
} from './limits.js'
import type { RecognisedEmail } from './message.js'
import type { HoldReason, IgnoreReason } from './reasons.js'
import type { KnownSender } from './senderAccount.js'

/**
 * What the building knows when an email comes in. `incidentId`: the incident it is about or, of a
 * merged duplicate, its survivor; null without one. `sortsFirst`: every email waits for the office
 * (decision 7.13). `timeline`: of that incident.
 */
export type Known = {
  sender: KnownSender
  incidentId: number | null
  sortsFirst: boolean
  hour: LastHour
  timeline: TimelineUse
  notesToday: number
  waiting: Waiting
  ignored: Ignored
}

/**
 * Step 3: what becomes of an email (decisions 4.5, 7.4). `noted`: it is for staff alone. `isQuiet`:
 * staff have been emailed about enough. `isKept`: staff can see it for a while. `refused`: for now;
 * its provider tries again.
 */
export type Decision =
  | { as: 'created'; isQuiet: boolean; acknowledges: boolean }
  | { as: 'appended'; incidentId: number }
  | { as: 'noted'; incidentId: number }
  | { as: 'held'; why: HoldReason }
  | { as: 'ignored'; why: IgnoreReason; isKept: boolean }
  | { as: 'refused' }

/** Decides what becomes of an email. Nothing is asked or changed here. */
export function decide(email: RecognisedEmail, known: Known): Decision {
  const { incidentId, hour } = known
  const { standing } = known.sender
  const isSpam = email.reason === 'spam'
  const ignoredBecause = ignoreReason(email)
  if (ignoredBecause !== null)
    return { as: 'ignored', why: ignoredBecause, isKept: hasRoomForIgnored(known.ignored) }
  if (
    !isSpam &&
    email.thread?.isAssignment &&
    incidentId !== null &&
    mayBecomeNote(standing, known.notesToday)
  )
    return { as: 'noted', incidentId }
  const why = whyHeld(email, known)
  if (why !== null) return mayWait(known.waiting, standing, isSpam) ? { as: 'held', why } : { as: 'refused' }
  if (incidentId !== null) return { as: 'appended', incidentId }
  // A sender who floods us gets no acknowledgement: two automatic responders would answer each
  // other for ever.
  const acknowledges = !isReportFlood(standing, hour)
  return { as: 'created', isQuiet: !acknowledges || hasEmailedStaffEnough(standing, hour), acknowledges }
}

/** Why an email is ignored; null for the email of a person, and for spam, which is held. */
export function ignoreReason({ reason }: Pick<RecognisedEmail, 'reason'>): IgnoreReason | null {
  return reason === 'spam' ? null : reason
}

function whyHeld(email: RecognisedEmail, known: Known): HoldReason | null {
  const { incidentId } = known
  const { account, standing } = known.sender
  if (email.reason === 'spam') return 'spam'
  const isProvenStaff = standing === 'account' && account?.isStaff === true
  if (known.sortsFirst && !isProvenStaff) return 'unsorted'
  // It may quote what only staff read: no reply to such an email is ever public by itself (decision
  // 7.5).
  if (email.thread?.isAssignment || (email.answersWithoutIncident && incidentId === null)) return 'reply'
  const exceeded = exceededLimit(standing, known.hour)
  if (exceeded) return exceeded
  const bytes = Buffer.byteLength(email.words.newWords)
  return incidentId !== null && !hasRoom(known.timeline, bytes, standing) ? 'timeline' : null
}
