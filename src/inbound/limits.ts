import { bounds } from '../vocabulary/limits.js'
import type { HoldReason } from './reasons.js'
import type { SenderStanding } from './senderStanding.js'

/**
 * A limit of emails that come in. `by`: what they are counted by; `all`: together. `otherwise`:
 * what happens to one more: it waits for the office (`held`), its provider tries again (`refused`),
 * or it is taken in and no one is emailed about it (`quiet`). `most`: for the standings that have
 * this limit; each counts its own emails.
 */
type EmailLimit = {
  by: 'address' | 'domain' | 'report' | 'all'
  otherwise: 'held' | 'refused' | 'quiet'
  most: Partial<Record<SenderStanding, number>>
}

/**
 * Every limit of emails that come in (decision 9.10). Only the emails that a limit counts suffer
 * from it: forged emails are counted apart from proven ones in each.
 * `test/inbound/everyEmailLimit.test.ts` spends each and shows who still gets in.
 */
export const emailLimits = {
  // Taken in within an hour, new reports and replies together.
  hourOfSender: { by: 'address', otherwise: 'held', most: { account: 30 } },
  hourOfDomain: { by: 'domain', otherwise: 'held', most: { address: 20, unproven: 20 } },
  hour: { by: 'all', otherwise: 'held', most: { address: 100, unproven: 100 } },

  // New reports within an hour that staff are emailed about. A sender has a share of them: a
  // vacation responder that answers each email of ours would go on for ever.
  reportsOfSender: { by: 'address', otherwise: 'quiet', most: { account: 5, address: 5, unproven: 5 } },
  reports: { by: 'all', otherwise: 'quiet', most: { address: 20, unproven: 20 } },

  // Entries of one timeline. `bounds` has the bytes of their text.
  commentsOfSender: {
    by: 'address',
    otherwise: 'held',
    most: {
      account: bounds.writerEntries,
      address: bounds.writerEntries,
      unproven: bounds.writerEntries,
    },
  },
  comments: {
    by: 'report',
    otherwise: 'held',
    most: { address: bounds.unprovenEntries, unproven: bounds.unprovenEntries },
  },

  // Replies of assignees outside the building, on one report in a day.
  assigneeReplies: { by: 'report', otherwise: 'held', most: { account: 50, address: 50, unproven: 50 } },

  // Emails that wait for the office: 1,000 places, of which 200 are for proven senders alone, and
  // 100 of those for accounts.
  waitingOfSender: { by: 'address', otherwise: 'refused', most: { account: 20 } },
  waitingOfDomain: { by: 'domain', otherwise: 'refused', most: { address: 20, unproven: 100 } },
  waiting: { by: 'all', otherwise: 'refused', most: { address: 100, unproven: 800 } },
  // Spam waits until it is sorted or 30 days old: it must not take the places of people.
  waitingSpam: { by: 'all', otherwise: 'refused', most: { address: 50, unproven: 200 } },
} as const satisfies Record<string, EmailLimit>

/**
 * What is kept of held emails. Beyond it the provider tries again later, or photos are only named.
 */
export const quarantine = {
  inAll: 1_000,
  photos: 200,
  /** Domains that are counted by name once nothing more can wait. */
  domains: 100,
} as const

/** Ignored emails kept for staff: the newest of all, and of one hour by domain and in all. */
export const ignoredEmails = { kept: 500, perDomain: 20, inAll: 100 } as const

/**
 * Emails of this standing that were taken in within the last hour: of this address, of this domain,
 * and in all; `staffNotified`: new reports that staff were emailed about; `created`: new reports of
 * this address.
 */
export type LastHour = {
  ofSender: number
  ofDomain: number
  inAll: number
  staffNotified: number
  created: number
}

/** The hourly limit that one more email would exceed; null when it may come in. */
export function exceededLimit(standing: SenderStanding, hour: LastHour): HoldReason | null {
  const { ofSender, ofDomain, inAll } = hour
  if (standing === 'account') return ofSender >= emailLimits.hourOfSender.most.account ? 'sender' : null
  if (inAll >= emailLimits.hour.most[standing]) return 'total'
  return ofDomain >= emailLimits.hourOfDomain.most[standing] ? 'domain' : null
}

/** Whether this address has opened so many reports within the hour that no one is emailed. */
export function isReportFlood(standing: SenderStanding, { created }: LastHour): boolean {
  return created >= emailLimits.reportsOfSender.most[standing]
}

/** Whether staff have been emailed about enough reports of this standing. */
export function hasEmailedStaffEnough(standing: SenderStanding, { staffNotified }: LastHour): boolean {
  return standing !== 'account' && staffNotified >= emailLimits.reports.most[standing]
}

/** What a timeline has: in all, and by email of this standing, of this address and in all. */
export type TimelineUse = {
  entries: number
  bytes: number
  ofSender: number
  senderBytes: number
  ofStanding: number
  standingBytes: number
}

/**
 * Whether a timeline takes `bytes` more of this sender. Whoever has no proven account shares a part
 * of it: anyone can invent another address, and residents must be able to write there still
 * (decision 1.6).
 */
export function hasRoom(use: TimelineUse, bytes: number, standing: SenderStanding): boolean {
  return (
    use.entries < bounds.timelineEntries &&
    use.bytes + bytes <= bounds.timelineBytes &&
    use.ofSender < emailLimits.commentsOfSender.most[standing] &&
    use.senderBytes + bytes <= bounds.writerBytes &&
    (standing === 'account' ||
      (use.ofStanding < emailLimits.comments.most[standing] &&
        use.standingBytes + bytes <= bounds.unprovenBytes))
  )
}

/** Whether one more reply of an assignee becomes a note; `today`: those of this standing. */
export function mayBecomeNote(standing: SenderStanding, today: number): boolean {
  return today < emailLimits.assigneeReplies.most[standing]
}

/**
 * Emails that wait: in all, and of this standing, in all, of this domain, of this address, and
 * marked as spam.
 */
export type Waiting = {
  inAll: number
  ofStanding: number
  ofDomain: number
  ofSender: number
  spam: number
}

/** Whether one more email by this sender may wait for the office (decision 7.4). */
export function mayWait(waiting: Waiting, standing: SenderStanding, isSpam: boolean): boolean {
  const { inAll, ofStanding, ofDomain, ofSender, spam } = waiting
  if (inAll >= quarantine.inAll) return false
  if (standing === 'account') return ofSender < emailLimits.waitingOfSender.most.account
  if (isSpam && spam >= emailLimits.waitingSpam.most[standing]) return false
  return (
    ofStanding < emailLimits.waiting.most[standing] && ofDomain < emailLimits.waitingOfDomain.most[standing]
  )
}

/** Ignored emails of this standing in the last hour: of this domain, and in all. */
export type Ignored = { ofDomain: number; inAll: number }

/** Whether staff get to see one more ignored email; beyond that they are only counted. */
export function hasRoomForIgnored({ ofDomain, inAll }: Ignored): boolean {
  return ofDomain < ignoredEmails.perDomain && inAll < ignoredEmails.inAll
}
