import { bounds } from '../vocabulary/limits.js'
import type { HoldReason } from './reasons.js'

/**
 * What is known of an email's sender (decision 7.3). `proven`: an account, and the sender's server
 * vouches for the address. `claimed`: an account, but anyone may have written its address there.
 * `stranger`: no account.
 */
export type SenderStanding = 'proven' | 'claimed' | 'stranger'

/** Emails taken in within an hour, new reports and replies together (decision 7.4). */
export const hourlyEmails = {
  /** From one address. */
  proven: 30,
  claimed: 10,
  claimedInAll: 100,
  strangersPerDomain: 20,
  strangersInAll: 100,
  /** New reports by senders who are not proven that staff are emailed about. */
  told: 20,
  /** New reports by one sender that staff are emailed about, and the sender gets an answer to. */
  fromSender: 5,
} as const

/** Emails that wait for the office (decision 7.4). Beyond this the provider tries again later. */
export const quarantine = {
  inAll: 1_000,
  /** Of these, room for addresses with an account alone. */
  reserved: 200,
  strangersPerDomain: 100,
  /** From one address with an account: no one's name can use up the reserved room. */
  perAccount: 20,
  /** Photos kept of held emails; beyond these only their names are. */
  photos: 200,
  /** Domains that are counted by name once nothing more can wait. */
  domains: 100,
} as const

/** Ignored emails kept for staff: the newest of all, and of one hour by domain and in all. */
export const ignoredEmails = { kept: 500, perDomain: 20, inAll: 100 } as const

/** Notes by email on one incident in a day; further replies of assignees are held. */
export const notesPerDay = 50

/**
 * Emails taken in within the last hour: of this address, this domain and all of this standing; of
 * those not proven, how many staff were emailed about; new reports of this address.
 */
export type LastHour = {
  ofSender: number
  ofDomain: number
  inAll: number
  told: number
  created: number
}

/** The hourly limit that one more email would exceed; null when it may come in (decision 7.4). */
export function spentLimit(standing: SenderStanding, hour: LastHour): HoldReason | null {
  const { ofSender, ofDomain, inAll } = hour
  if (standing === 'proven') return ofSender >= hourlyEmails.proven ? 'sender' : null
  if (standing === 'claimed') {
    if (inAll >= hourlyEmails.claimedInAll) return 'total'
    return ofSender >= hourlyEmails.claimed ? 'sender' : null
  }
  if (inAll >= hourlyEmails.strangersInAll) return 'total'
  return ofDomain >= hourlyEmails.strangersPerDomain ? 'domain' : null
}

/** What a timeline has: in all, of this address, and by email of senders who are not proven. */
export type TimelineUse = {
  entries: number
  bytes: number
  own: number
  ownBytes: number
  unproven: number
  unprovenBytes: number
}

/**
 * Whether a timeline takes `bytes` more of this sender. Unproven senders share a part of it: anyone
 * can invent another address, and residents must be able to write there still (decision 1.6).
 */
export function hasRoom(use: TimelineUse, bytes: number, standing: SenderStanding): boolean {
  return (
    use.entries < bounds.timelineEntries &&
    use.bytes + bytes <= bounds.timelineBytes &&
    use.own < bounds.writerEntries &&
    use.ownBytes + bytes <= bounds.writerBytes &&
    (standing === 'proven' ||
      (use.unproven < bounds.unprovenEntries && use.unprovenBytes + bytes <= bounds.unprovenBytes))
  )
}

/** Emails that wait: all, of addresses without account, of those by this domain, of this account. */
export type Waiting = { inAll: number; strangers: number; ofDomain: number; ofSender: number }

/** Whether one more email by this sender may wait for the office (decision 7.4). */
export function mayWait(waiting: Waiting, standing: SenderStanding): boolean {
  const { inAll, strangers, ofDomain, ofSender } = waiting
  if (inAll >= quarantine.inAll) return false
  if (standing !== 'stranger') return ofSender < quarantine.perAccount
  return strangers < quarantine.inAll - quarantine.reserved && ofDomain < quarantine.strangersPerDomain
}

/** Ignored emails of the last hour: of this domain, and in all. */
export type Ignored = { ofDomain: number; inAll: number }

/** Whether staff get to see one more ignored email; beyond that they are only counted. */
export function hasRoomForIgnored({ ofDomain, inAll }: Ignored): boolean {
  return ofDomain < ignoredEmails.perDomain && inAll < ignoredEmails.inAll
}
