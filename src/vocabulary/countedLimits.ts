/**
 * Every limit that is counted, by its counter, and who can spend it without proving who they are.
 * Each says what it counts by, and what is refused when it is spent: an honest person of the same
 * network, account or building has a way left (decision 1.6). A counter without a row does not
 * compile.
 */
export const countedLimits = {
  /** By account and a browser that signed in to it before; refuses sign-ins in that browser. */
  'password-browser': 'an account',
  /** By account and network; refuses sign-ins to the account from the network, in unknown browsers. */
  'password-pair': 'anyone',
  /** By account and a wider network; refuses nothing: says who has tries left. */
  'password-site': 'anyone',
  /** By network; refuses sign-ins from the network, beyond two an account. */
  'password-network': 'anyone',
  /** By account; refuses sign-ins to the account, beyond two a network. */
  'password-account': 'anyone',
  /** By account and a browser that signed in to it before; refuses links by email asked for there. */
  'link-browser': 'an account',
  /** By account and network; refuses links asked for there in unknown browsers. */
  'link-pair': 'anyone',
  /** By account; refuses links by email to the account, asked for in unknown browsers. */
  'link-account': 'anyone',
  /** By network; refuses links by email asked for from the network, beyond the first to an account. */
  'link-network': 'anyone',
  /** By account and browser; refuses codes of the second factor. */
  code: 'an account',
  /** By account and browser; refuses right passwords without a code. */
  half: 'an account',
  /** By network; refuses more such links than the network gets in ten hours. */
  follows: 'anyone',
  /** By network; refuses nothing: the sign-in page carries the text of further reports from the network. */
  'guest-reports': 'anyone',
  /** By network; refuses photos of such reports, which are added after the sign-in. */
  'guest-photos': 'anyone',
  /** By person, or the network of a phone; refuses their reports. */
  reports: 'an account',
  /** By person, or the network of a phone; refuses their other writes. */
  writes: 'an account',
  /** By person; refuses their photos of the day. */
  photos: 'an account',
  /** By network of a phone; refuses photos from the app in that network. */
  'phones-photos': 'the phones of a network',
  /** By network; refuses forms with photos from the network that were sent without a session. */
  resume: 'anyone',
  /** By incident and writer; refuses their comments on the incident. */
  'timeline-entries': 'an account',
  /** By incident and writer; refuses the same. */
  'timeline-bytes': 'an account',
  /** By address; refuses emails to an address that pressed no button. */
  'stranger-mails': 'anyone',
  /** By building; refuses confirmations, until the next hour. */
  'confirmation-emails': 'anyone',
  /** By domain of the address; refuses confirmations to the domain, until the next hour. */
  'confirmation-emails-domain': 'anyone',
  /** By network that asked; refuses nothing: further confirmations asked for from the network wait. */
  'confirmation-emails-network': 'anyone',
  /** By building; refuses acknowledgements of emails. */
  'acknowledgement-emails': 'anyone',
  /** By domain of the address; refuses acknowledgements to the domain. */
  'acknowledgement-emails-domain': 'anyone',
  /** By address; refuses nothing: its further emails wait for the office. */
  'emails of a proven sender': 'an account',
  /** By address; refuses nothing: emails of that address that are not proven wait. */
  'emails of a claimed sender': 'anyone',
  /** By building; refuses nothing: emails in the name of accounts that are not proven wait. */
  'emails of claimed senders': 'anyone',
  /** By domain; refuses nothing: emails without an account wait. */
  'emails of a domain': 'anyone',
  /** By building; refuses nothing: the same. */
  'emails of strangers': 'anyone',
  /** By incident; refuses nothing: emails to the incident that are not proven wait. */
  'emails on an incident': 'anyone',
  /** By domain; refuses emails of the domain without an account, for now. */
  'waiting emails of a domain': 'anyone',
  /** By building; refuses emails without an account, for now. */
  'waiting emails of strangers': 'anyone',
  /** By address; refuses emails of that address that would wait, for now. */
  'waiting emails of an account': 'anyone',
} as const satisfies Record<string, 'anyone' | 'an account' | 'the phones of a network'>

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
