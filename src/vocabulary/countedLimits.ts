/**
 * Who spends a limit. `an account`: only whoever is signed in to one, or in a browser that was. `a
 * phone`: phones with the app, which count by their network. `a network`: anyone on the web. `the
 * web`: the same, and it counts by something that networks share. `forged email`: anyone who writes
 * someone's address into From. `proven email`: whoever has a domain, and with it any number of
 * addresses.
 */
type Spender = 'an account' | 'a phone' | 'a network' | 'the web' | 'forged email' | 'proven email'

type CountedLimit = { by: string; spentBy: Spender; whenSpent: string }

/**
 * Every limit that is counted, by its counter: what it counts by, who can spend it, and what
 * happens when it is spent. An honest person of the same network, account or building has a way
 * left (decisions 1.6, 9.10). A counter without a row does not compile. What email spends on its
 * way in is in `inbound/limits.ts`. A site is an IPv4 address or an IPv6 /48.
 */
export const countedLimits = {
  'password-browser': {
    by: 'account and a browser that signed in to it before',
    spentBy: 'an account',
    whenSpent: 'refuses sign-ins in that browser',
  },
  'password-pair': {
    by: 'account and network',
    spentBy: 'a network',
    whenSpent: 'refuses sign-ins to the account from the network, in unknown browsers',
  },
  'password-site': {
    by: 'account and site',
    spentBy: 'a network',
    whenSpent: 'refuses nothing: says who has tries left',
  },
  'password-network': {
    by: 'network',
    spentBy: 'a network',
    whenSpent: 'refuses sign-ins from the network, beyond two an account',
  },
  'password-account': {
    by: 'account',
    spentBy: 'the web',
    whenSpent: 'refuses sign-ins to the account, beyond two a site',
  },
  'link-browser': {
    by: 'account and a browser that signed in to it before',
    spentBy: 'an account',
    whenSpent: 'refuses links by email asked for there',
  },
  'link-pair': {
    by: 'account and site',
    spentBy: 'a network',
    whenSpent: 'refuses links asked for there in unknown browsers',
  },
  'link-account': {
    by: 'account',
    spentBy: 'the web',
    whenSpent: 'refuses links by email to the account, asked for in unknown browsers',
  },
  'link-account-busy': {
    by: 'account',
    spentBy: 'the web',
    whenSpent: 'refuses the same, at sites that have asked for two',
  },
  'link-network': {
    by: 'site',
    spentBy: 'a network',
    whenSpent: 'refuses links by email asked for from the site, beyond the first to an account',
  },
  'email-code-browser': {
    by: 'account and a browser that signed in to it before',
    spentBy: 'an account',
    whenSpent: 'refuses codes of sign-in emails in that browser; their links still work',
  },
  'email-code-pair': {
    by: 'account and site',
    spentBy: 'a network',
    whenSpent: 'refuses the same from the site, in unknown browsers; the links still work',
  },
  'email-code-account': {
    by: 'account, in browsers that asked for its email',
    spentBy: 'the web',
    whenSpent: 'refuses the same in unknown browsers; the links still work',
  },
  'email-code-account-busy': {
    by: 'account, in browsers that asked for its email',
    spentBy: 'the web',
    whenSpent: 'refuses the same, at sites that have tried two codes',
  },
  code: {
    by: 'account, and apart for each browser that signed in to it before',
    spentBy: 'the web',
    whenSpent: 'refuses codes of the second factor to whoever has the password, in unknown browsers',
  },
  'password-without-code': {
    by: 'account, and apart for each browser that signed in to it before',
    spentBy: 'the web',
    whenSpent: 'refuses right passwords without a code, in unknown browsers',
  },
  follows: {
    by: 'site',
    spentBy: 'a network',
    whenSpent: 'refuses more links to follow than the site gets in ten hours',
  },
  'guest-reports': {
    by: 'site',
    spentBy: 'a network',
    whenSpent: 'refuses nothing: the sign-in page carries the text of further reports from the site',
  },
  'guest-photos': {
    by: 'site',
    spentBy: 'a network',
    whenSpent: 'refuses photos of such reports, which are added after the sign-in',
  },
  reports: {
    by: 'person, or the network of a phone',
    spentBy: 'a phone',
    whenSpent: 'refuses their reports',
  },
  writes: {
    by: 'person, or the network of a phone',
    spentBy: 'a phone',
    whenSpent: 'refuses their other writes',
  },
  photos: {
    by: 'person',
    spentBy: 'an account',
    whenSpent: 'refuses their photos of the day',
  },
  'phones-photos': {
    by: 'site of a phone',
    spentBy: 'a phone',
    whenSpent: 'refuses photos from the app at that site',
  },
  resume: {
    by: 'site',
    spentBy: 'a network',
    whenSpent: 'refuses forms with photos from the site that were sent without a session',
  },
  'timeline-entries': {
    by: 'incident and person, or the site of a phone',
    spentBy: 'a phone',
    whenSpent: 'refuses their comments on the incident',
  },
  'timeline-bytes': {
    by: 'incident and person, or the site of a phone',
    spentBy: 'a phone',
    whenSpent: 'refuses their comments on the incident',
  },
  'stranger-mails': {
    by: 'address',
    spentBy: 'the web',
    whenSpent: 'refuses emails to an address that pressed no button',
  },
  'stranger-mails-unproven': {
    by: 'address',
    spentBy: 'forged email',
    whenSpent: 'refuses acknowledgements to the address of emails that are not proven',
  },
  'stranger-mails-site': {
    by: 'address and site that asked',
    spentBy: 'a network',
    whenSpent: 'refuses nothing: further links to the address asked for at the site wait',
  },
  'confirmation-emails': {
    by: 'building',
    spentBy: 'the web',
    whenSpent: 'refuses nothing: confirmations wait until the next hour',
  },
  'confirmation-emails-busy': {
    by: 'building',
    spentBy: 'the web',
    whenSpent: 'refuses nothing: confirmations asked for at sites that have got two wait',
  },
  'confirmation-emails-domain': {
    by: 'domain of the address',
    spentBy: 'the web',
    whenSpent: 'refuses nothing: confirmations to the domain wait until the next hour',
  },
  'confirmation-emails-domain-busy': {
    by: 'domain of the address',
    spentBy: 'the web',
    whenSpent: 'refuses nothing: confirmations to the domain asked for at sites that have got two wait',
  },
  'confirmation-emails-network': {
    by: 'site that asked',
    spentBy: 'a network',
    whenSpent: 'refuses nothing: further confirmations asked for at the site wait',
  },
  'acknowledgement-emails': {
    by: 'building',
    spentBy: 'proven email',
    whenSpent: 'refuses acknowledgements of emails',
  },
  'acknowledgement-emails-busy': {
    by: 'building',
    spentBy: 'forged email',
    whenSpent: 'refuses acknowledgements of emails that are not proven',
  },
  'acknowledgement-emails-domain': {
    by: 'domain of the address',
    spentBy: 'proven email',
    whenSpent: 'refuses acknowledgements to the domain',
  },
  'acknowledgement-emails-domain-busy': {
    by: 'domain of the address',
    spentBy: 'forged email',
    whenSpent: 'refuses acknowledgements to the domain of emails that are not proven',
  },
} as const satisfies Record<string, CountedLimit>

export type LimitName = keyof typeof countedLimits

/** What people are sent who have pressed no button of ours yet, each with its own budget. */
export type EmailBudget = 'confirmation' | 'acknowledgement'

/**
 * Emails to people without an account who have pressed no button of ours yet (decision 7.4): to one
 * address in a day, and of each budget in an hour, of which one domain can spend a quarter.
 * Of an address's day, `unprovenPerDay` is what emails can spend that only say that they come from
 * there, and `perSite` what one site can ask for: the rest is left to the person behind it.
 * `linksPerDay`: links to follow that are queued for an address and a site.
 */
export const strangerEmails = {
  perDay: 5,
  unprovenPerDay: 3,
  perSite: 3,
  linksPerDay: 3,
  perHour: { confirmation: 200, acknowledgement: 200 },
  share: 0.25,
} as const

/**
 * A site that has asked for at most so many emails is quiet. All others together, and all emails
 * that are not proven, can spend no more than this share of a budget: domains are free to invent,
 * and networks are not (decision 9.10).
 */
export const quietSites = { most: 2, busyShare: 0.5 } as const

/** Emails refused for good after which nothing more is sent to an address. */
export const mostRefusals = 3
