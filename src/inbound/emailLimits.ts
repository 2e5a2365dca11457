/** Why an email is ignored (decisions 4.5, 6.12). */
export const ignoreReasons = ['own_address', 'own_mail', 'bounce', 'automatic_reply'] as const
export type IgnoreReason = (typeof ignoreReasons)[number]

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
export const ignoredMails = { kept: 500, perDomain: 20, inAll: 100 } as const

/**
 * Why an email waits for the office: its sender, domain or all such senders sent too many within
 * the hour; its incident has no room for more email; every email waits until the office has sorted
 * it (decision 7.13); it replies to an email of ours, which may say what only staff read, and does
 * not say to which report (decision 7.5).
 */
export const holdReasons = ['sender', 'domain', 'total', 'timeline', 'unsorted', 'reply'] as const
export type HoldReason = (typeof holdReasons)[number]

/** Emails taken in within the last hour: of this address, this domain, and all of this standing. */
export type LastHour = { ofSender: number; ofDomain: number; inAll: number; told: number }

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
