import { bounds } from '../vocabulary/limits.js'
import type { HoldReason } from './reasons.js'

/**
 * What is known of an email's sender (decisions 7.3, 9.3). `account`: the sender's server vouches
 * for the address of an account. `address`: it vouches for an address without an account, and
 * whoever owns a domain has any number of those. `unproven`: anyone may have written that address,
 * whether or not there is an account. Each spends limits of its own (decision 9.10).
 */
export const senderStandings = ['account', 'address', 'unproven'] as const
export type SenderStanding = (typeof senderStandings)[number]

/** Whether the sender's server vouches for the address (decision 7.3). */
export const isProven = (standing: SenderStanding) => standing !== 'unproven'

/**
 * A limit of emails that come in. `spentBy`: the emails that it counts, which are the only ones
 * that suffer from it. `by`: what they are counted by; `all`: together. `otherwise`: what happens
 * to one more: it waits for the office (`held`), its provider tries again (`refused`), or it is
 * taken in and no one is emailed about it (`quiet`).
 */
export type EmailLimit = {
  most: number
  spentBy: SenderStanding
  by: 'address' | 'domain' | 'report' | 'all'
  otherwise: 'held' | 'refused' | 'quiet'
}

/**
 * Every limit of emails that come in (decision 9.10). Forged emails are counted apart from proven
 * ones in each. `test/every/limits/everyEmailLimit.test.ts` spends each and shows who still gets
 * in.
 */
export const emailLimits = {
  // Taken in within an hour, new reports and replies together.
  'emails of an account': { most: 30, spentBy: 'account', by: 'address', otherwise: 'held' },
  'proven emails of a domain': { most: 20, spentBy: 'address', by: 'domain', otherwise: 'held' },
  'proven emails': { most: 100, spentBy: 'address', by: 'all', otherwise: 'held' },
  'unproven emails of a domain': { most: 20, spentBy: 'unproven', by: 'domain', otherwise: 'held' },
  'unproven emails': { most: 100, spentBy: 'unproven', by: 'all', otherwise: 'held' },

  // New reports within an hour that staff are emailed about. A sender has a share of them, because
  // a vacation responder that answers each email of ours would go on for ever.
  'reports of an account': { most: 5, spentBy: 'account', by: 'address', otherwise: 'quiet' },
  'reports of a proven address': { most: 5, spentBy: 'address', by: 'address', otherwise: 'quiet' },
  'reports of an unproven address': { most: 5, spentBy: 'unproven', by: 'address', otherwise: 'quiet' },
  'proven reports': { most: 20, spentBy: 'address', by: 'all', otherwise: 'quiet' },
  'unproven reports': { most: 20, spentBy: 'unproven', by: 'all', otherwise: 'quiet' },

  // Entries of one timeline. `bounds` has the bytes of their text.
  'comments of an account': {
    most: bounds.writerEntries,
    spentBy: 'account',
    by: 'address',
    otherwise: 'held',
  },
  'comments of a proven address': {
    most: bounds.writerEntries,
    spentBy: 'address',
    by: 'address',
    otherwise: 'held',
  },
  'comments of an unproven address': {
    most: bounds.writerEntries,
    spentBy: 'unproven',
    by: 'address',
    otherwise: 'held',
  },
  'proven comments': {
    most: bounds.unprovenEntries,
    spentBy: 'address',
    by: 'report',
    otherwise: 'held',
  },
  'unproven comments': {
    most: bounds.unprovenEntries,
    spentBy: 'unproven',
    by: 'report',
    otherwise: 'held',
  },

  // Replies of assignees outside the building, on one report in a day.
  'assignee replies of an account': { most: 50, spentBy: 'account', by: 'report', otherwise: 'held' },
  'proven assignee replies': { most: 50, spentBy: 'address', by: 'report', otherwise: 'held' },
  'unproven assignee replies': { most: 50, spentBy: 'unproven', by: 'report', otherwise: 'held' },

  // Emails that wait for the office: 1,000 places, of which 200 are for proven senders alone, and
  // 100 of those for accounts.
  'waiting emails of an account': { most: 20, spentBy: 'account', by: 'address', otherwise: 'refused' },
  'waiting proven emails of a domain': { most: 20, spentBy: 'address', by: 'domain', otherwise: 'refused' },
  'waiting proven emails': { most: 100, spentBy: 'address', by: 'all', otherwise: 'refused' },
  'waiting unproven emails of a domain': {
    most: 100,
    spentBy: 'unproven',
    by: 'domain',
    otherwise: 'refused',
  },
  'waiting unproven emails': { most: 800, spentBy: 'unproven', by: 'all', otherwise: 'refused' },
  // Spam waits until it is sorted or 30 days old: it must not take the places of people.
  'waiting proven spam': { most: 50, spentBy: 'address', by: 'all', otherwise: 'refused' },
  'waiting unproven spam': { most: 200, spentBy: 'unproven', by: 'all', otherwise: 'refused' },
} as const satisfies Record<string, EmailLimit>

export type EmailLimitName = keyof typeof emailLimits

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

const most = (name: EmailLimitName): number => emailLimits[name].most

/** The names of limits that each standing has of its own. */
const limitNames = {
  account: {
    reports: 'reports of an account',
    comments: 'comments of an account',
    replies: 'assignee replies of an account',
  },
  address: {
    reports: 'reports of a proven address',
    comments: 'comments of a proven address',
    replies: 'proven assignee replies',
  },
  unproven: {
    reports: 'reports of an unproven address',
    comments: 'comments of an unproven address',
    replies: 'unproven assignee replies',
  },
} as const satisfies Record<SenderStanding, Record<string, EmailLimitName>>

/**
 * The names of limits that everyone without a proven account shares with those of the same
 * standing.
 */
const shared = {
  address: {
    hour: 'proven emails',
    hourOfDomain: 'proven emails of a domain',
    reports: 'proven reports',
    comments: 'proven comments',
    waiting: 'waiting proven emails',
    waitingSpam: 'waiting proven spam',
    waitingOfDomain: 'waiting proven emails of a domain',
  },
  unproven: {
    hour: 'unproven emails',
    hourOfDomain: 'unproven emails of a domain',
    reports: 'unproven reports',
    comments: 'unproven comments',
    waiting: 'waiting unproven emails',
    waitingSpam: 'waiting unproven spam',
    waitingOfDomain: 'waiting unproven emails of a domain',
  },
} as const satisfies Record<Exclude<SenderStanding, 'account'>, Record<string, EmailLimitName>>

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
  if (standing === 'account') return ofSender >= most('emails of an account') ? 'sender' : null
  if (inAll >= most(shared[standing].hour)) return 'total'
  return ofDomain >= most(shared[standing].hourOfDomain) ? 'domain' : null
}

/** Whether this address has opened so many reports within the hour that no one is emailed. */
export function isFlood(standing: SenderStanding, { created }: LastHour): boolean {
  return created >= most(limitNames[standing].reports)
}

/** Whether staff have been emailed about enough reports of this standing. */
export function isLoud(standing: SenderStanding, { staffNotified }: LastHour): boolean {
  return standing !== 'account' && staffNotified >= most(shared[standing].reports)
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
    use.ofSender < most(limitNames[standing].comments) &&
    use.senderBytes + bytes <= bounds.writerBytes &&
    (standing === 'account' ||
      (use.ofStanding < most(shared[standing].comments) && use.standingBytes + bytes <= bounds.unprovenBytes))
  )
}

/** Whether one more reply of an assignee becomes a note; `today`: those of this standing. */
export function mayNote(standing: SenderStanding, today: number): boolean {
  return today < most(limitNames[standing].replies)
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
  if (standing === 'account') return ofSender < most('waiting emails of an account')
  const { waiting: places, waitingOfDomain, waitingSpam } = shared[standing]
  if (isSpam && spam >= most(waitingSpam)) return false
  return ofStanding < most(places) && ofDomain < most(waitingOfDomain)
}

/** Ignored emails of this standing in the last hour: of this domain, and in all. */
export type Ignored = { ofDomain: number; inAll: number }

/** Whether staff get to see one more ignored email; beyond that they are only counted. */
export function hasRoomForIgnored({ ofDomain, inAll }: Ignored): boolean {
  return ofDomain < ignoredEmails.perDomain && inAll < ignoredEmails.inAll
}
