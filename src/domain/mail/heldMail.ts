/** Why a mail is ignored (decisions 4.5, 6.12). */
export const ignoreReasons = ['own_address', 'own_mail', 'bounce', 'automatic_reply'] as const
export type IgnoreReason = (typeof ignoreReasons)[number]

/** What unknown senders may cause within an hour, and how much of the excess is kept (decision 7.4). */
export const unknownSenders = {
  perDomain: 20,
  inAll: 100,
  /** Incidents that staff are mailed about. */
  told: 20,
  held: 1_000,
  /** Photos kept of held mails; beyond these only their names are. */
  photos: 200,
  /** Domains still counted by name once nothing more is kept. */
  domains: 100,
} as const

/** Ignored mails kept for staff: the newest of all, and of one hour by domain and in all. */
export const ignoredMails = { kept: 500, perDomain: 20, inAll: 100 } as const

/** Why a mail waits for the office: the limit it exceeds, or that all do (decision 7.13). */
export const holdReasons = ['domain', 'total', 'unsorted'] as const
export type HoldReason = (typeof holdReasons)[number]

/** Incidents of unknown senders within the last hour. */
export type UnknownHour = { ofDomain: number; inAll: number; told: number }

/** Why an unknown sender's next incident is held; null when it is not. */
export function whyHeld({ ofDomain, inAll }: UnknownHour): HoldReason | null {
  if (inAll >= unknownSenders.inAll) return 'total'
  return ofDomain >= unknownSenders.perDomain ? 'domain' : null
}

/** The domain of an address, by which unknown senders are counted; empty without an address. */
export function domainOf(address: string | null): string {
  return (address ?? '').split('@').at(-1)!.replace(/\.$/, '')
}
