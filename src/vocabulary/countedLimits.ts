/**
 * A limit that is counted: what it counts by, who can spend it without proving who they are, and
 * what is refused when it is spent. An honest person of the same network, account or building has a
 * way left (decision 1.6).
 */
type CountedLimit = {
  by: string
  spentBy: 'anyone' | 'an account' | 'the phones of a network'
  refuses: string
}

/** Every limit that is counted, by its counter. A counter without a row does not compile. */
export const countedLimits = {
  'password-browser': {
    by: 'account and a browser that signed in to it before',
    spentBy: 'an account',
    refuses: 'sign-ins in that browser',
  },
  'password-pair': {
    by: 'account and network',
    spentBy: 'anyone',
    refuses: 'sign-ins to the account from the network, in unknown browsers',
  },
  'password-site': {
    by: 'account and a wider network',
    spentBy: 'anyone',
    refuses: 'nothing: says who has tries left',
  },
  'password-network': {
    by: 'network',
    spentBy: 'anyone',
    refuses: 'sign-ins from the network, beyond two an account',
  },
  'password-account': {
    by: 'account',
    spentBy: 'anyone',
    refuses: 'sign-ins to the account, beyond two a network',
  },
  'link-browser': {
    by: 'account and a browser that signed in to it before',
    spentBy: 'an account',
    refuses: 'links by email asked for in that browser',
  },
  'link-pair': {
    by: 'account and network',
    spentBy: 'anyone',
    refuses: 'links by email to the account, asked for from the network in unknown browsers',
  },
  'link-account': {
    by: 'account',
    spentBy: 'anyone',
    refuses: 'links by email to the account, asked for in unknown browsers',
  },
  'link-network': {
    by: 'network',
    spentBy: 'anyone',
    refuses: 'links by email asked for from the network, beyond the first to an account',
  },
  code: { by: 'account and browser', spentBy: 'an account', refuses: 'codes of the second factor' },
  half: { by: 'account and browser', spentBy: 'an account', refuses: 'right passwords without a code' },
  follows: {
    by: 'network',
    spentBy: 'anyone',
    refuses: 'more such links than the network gets in ten hours',
  },
  'guest-reports': {
    by: 'network',
    spentBy: 'anyone',
    refuses: 'nothing: the sign-in page carries the text of further reports from the network',
  },
  'guest-photos': {
    by: 'network',
    spentBy: 'anyone',
    refuses: 'photos of such reports, which are added after the sign-in',
  },
  reports: { by: 'person, or the network of a phone', spentBy: 'an account', refuses: 'their reports' },
  writes: { by: 'person, or the network of a phone', spentBy: 'an account', refuses: 'their other writes' },
  photos: { by: 'person', spentBy: 'an account', refuses: 'their photos of the day' },
  'phones-photos': {
    by: 'network of a phone',
    spentBy: 'the phones of a network',
    refuses: 'photos from the app in that network',
  },
  resume: {
    by: 'network',
    spentBy: 'anyone',
    refuses: 'forms with photos from the network that were sent without a session',
  },
  'timeline-entries': {
    by: 'incident and writer',
    spentBy: 'an account',
    refuses: 'their comments on the incident',
  },
  'timeline-bytes': { by: 'incident and writer', spentBy: 'an account', refuses: 'the same' },
  'stranger-mails': {
    by: 'address',
    spentBy: 'anyone',
    refuses: 'emails to an address that pressed no button',
  },
  'confirmation-emails': { by: 'building', spentBy: 'anyone', refuses: 'confirmations, until the next hour' },
  'confirmation-emails-domain': {
    by: 'domain of the address',
    spentBy: 'anyone',
    refuses: 'confirmations to the domain, until the next hour',
  },
  'confirmation-emails-network': {
    by: 'network that asked',
    spentBy: 'anyone',
    refuses: 'nothing: further confirmations asked for from the network wait',
  },
  'acknowledgement-emails': { by: 'building', spentBy: 'anyone', refuses: 'acknowledgements of emails' },
  'acknowledgement-emails-domain': {
    by: 'domain of the address',
    spentBy: 'anyone',
    refuses: 'acknowledgements to the domain',
  },
  'emails of a proven sender': {
    by: 'address',
    spentBy: 'an account',
    refuses: 'nothing: its further emails wait for the office',
  },
  'emails of a claimed sender': {
    by: 'address',
    spentBy: 'anyone',
    refuses: 'nothing: emails of that address that are not proven wait',
  },
  'emails of claimed senders': {
    by: 'building',
    spentBy: 'anyone',
    refuses: 'nothing: emails in the name of accounts that are not proven wait',
  },
  'emails of a domain': {
    by: 'domain',
    spentBy: 'anyone',
    refuses: 'nothing: emails without an account wait',
  },
  'emails of strangers': { by: 'building', spentBy: 'anyone', refuses: 'nothing: the same' },
  'emails on an incident': {
    by: 'incident',
    spentBy: 'anyone',
    refuses: 'nothing: emails to the incident that are not proven wait',
  },
  'waiting emails of a domain': {
    by: 'domain',
    spentBy: 'anyone',
    refuses: 'emails of the domain without an account, for now',
  },
  'waiting emails of strangers': {
    by: 'building',
    spentBy: 'anyone',
    refuses: 'emails without an account, for now',
  },
  'waiting emails of an account': {
    by: 'address',
    spentBy: 'anyone',
    refuses: 'emails of that address that would wait, for now',
  },
} as const satisfies Record<string, CountedLimit>

export type LimitName = keyof typeof countedLimits

/** What people are sent who have pressed no button of ours yet, each with its own budget. */
export type EmailBudget = 'confirmation' | 'acknowledgement'

/**
 * Emails to people without an account who have pressed no button of ours yet (decision 7.4): to one
 * address in a day, and of each budget in an hour, of which one domain can spend a quarter.
 */
export const strangerEmails = {
  perDay: 5,
  perHour: { confirmation: 200, acknowledgement: 200 },
  share: 0.25,
} as const

/** Emails refused for good after which nothing more is sent to an address. */
export const mostRefusals = 3
