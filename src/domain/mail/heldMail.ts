/** What unknown senders may cause within an hour, and how much of what is over is kept (decision 7.4). */
export const unknownSenders = {
  perDomain: 20,
  inAll: 100,
  /** Incidents that staff are told of by mail. */
  told: 20,
  held: 1_000,
  /** Photos of held mails; those of further ones are named only. */
  photos: 200,
  /** Domains that are counted by name once nothing more is kept. */
  domains: 100,
} as const

/** Which of the two limits a mail is over. */
export type HoldReason = 'domain' | 'total'

/** What unknown senders made within the last hour. */
export type UnknownHour = { ofDomain: number; inAll: number; told: number }

/** Why the next incident of an unknown sender is held; null while there may be one. */
export function whyHeld({ ofDomain, inAll }: UnknownHour): HoldReason | null {
  if (inAll >= unknownSenders.inAll) return 'total'
  return ofDomain >= unknownSenders.perDomain ? 'domain' : null
}

/** The domain of an address, which unknown senders are counted by; empty when a mail names none. */
export function domainOf(address: string | null): string {
  return (address ?? '').split('@').at(-1)!.replace(/\.$/, '')
}
