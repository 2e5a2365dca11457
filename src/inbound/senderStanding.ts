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
