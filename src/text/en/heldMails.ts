import { plural } from '../plural.js'

const count = plural('en')

/** Mails of unknown senders above the hourly limit. */
export const heldMails = {
  title: 'Mails to sort',
  intro: (perDomain: number, inAll: number, days: number) =>
    `Senders without an account may open ${perDomain} incidents an hour from one domain, and ${inAll} in all. What came on top is kept here for ${days} days. Nobody but staff sees it until you make an incident of it. Automatic replies, returned mails and our own are under “Ignored” for as long: a person may have been taken for a machine.`,
  none: 'No mail is waiting to be sorted.',
  noneOf: 'There is none of these.',
  unkept: (n: number) =>
    count(n, {
      one: '1 more mail came when there was no room left. It was counted and not kept:',
      other: `${n} more mails came when there was no room left. They were counted and not kept:`,
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
    domain: 'Too many from this domain within an hour',
    total: 'Too many from unknown senders within an hour',
    unsorted: 'Every mail waits until the office has sorted it',
    own_address: 'Sent from our own address',
    own_mail: 'A mail of ours that came back',
    bounce: 'A report that a mail could not be delivered',
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
