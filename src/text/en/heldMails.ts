import { plural } from '../plural.js'

const count = plural('en')

/** Mails of unknown senders above the hourly limit. */
export const heldMails = {
  title: 'Mails to sort',
  intro: (perDomain: number, inAll: number, days: number) =>
    `We accept ${perDomain} emails an hour from senders without an account at one domain, and ${inAll} in all. Further emails wait here for ${days} days. Only staff can read them until you accept them. Automatic replies and returned emails are under “Ignored”, because a person may have been taken for a machine.`,
  none: 'No mail is waiting to be sorted.',
  noneOf: 'There is none of these.',
  unkept: (n: number) =>
    count(n, {
      one: '1 more email could not be kept because too many are waiting. We asked its provider to send it again later:',
      other: `${n} more emails could not be kept because too many are waiting. We asked their providers to send them again later:`,
    }),
  unkeptFrom: (n: number, domain: string) => `${n} from ${domain}`,
  elsewhere: 'other domains',
  which: 'Show',
  state: { waiting: 'To sort', accepted: 'Taken in', discarded: 'Discarded', ignored: 'Ignored' },
  choose: (subject: string) => `Choose the mail: ${subject}`,
  from: (sender: string) => `From ${sender}`,
  nobody: 'somebody without an address',
  noSubject: '(no subject)',
  whole: 'Show all of it',
  reason: {
    sender: 'Too many from this address within an hour',
    domain: 'Too many from this domain within an hour',
    total: 'Too many from senders who are not proven within an hour',
    timeline: 'The report has no room for more comments by email',
    unsorted: 'Every email waits until the office has sorted it',
    reply: 'A reply that doesn’t say which report it belongs to',
    own_address: 'Sent from our own address',
    own_mail: 'One of our emails that came back',
    bounce: 'A notice that an email could not be delivered',
    automatic_reply: 'An automatic reply',
  },
  photos: (n: number) => count(n, { one: '1 photo', other: `${n} photos` }),
  notKept: (names: string) => `Attached and not kept: ${names}`,
  accept: 'Make an incident of it',
  acceptOne: (subject: string) => `Make an incident of it: ${subject}`,
  discard: 'Discard',
  discardOne: (subject: string) => `Discard the mail: ${subject}`,
  chosenOnes: 'With those you have ticked:',
  acceptMany: 'Make incidents of them',
  discardMany: 'Discard them',
  discardDomain: (n: number, domain: string) =>
    count(n, { one: `Discard the one from ${domain}`, other: `Discard all ${n} from ${domain}` }),
  domains: 'Where many come from',
  became: (id: number) => `Is in INC-${id}`,
  answers: (id: number) => `Add it to INC-${id}`,
  answersOne: (id: number, subject: string) => `Add it to INC-${id}: ${subject}`,
}
