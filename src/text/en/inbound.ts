import { plural } from '../plural.js'

const count = plural('en')

/** Emails that wait for the office, such as those above the hourly limits. */
export const heldEmails = {
  title: 'Emails to sort',
  intro: (perDomain: number, inAll: number, days: number) =>
    `We accept ${perDomain} emails an hour per domain (${inAll} in total) from senders we can’t verify. Any further emails, and emails marked as spam, wait here for ${days} days. Only staff can read them until you accept them. Automatic replies, replies to invitations and returned emails are under “Ignored”: check there in case one is from a person.`,
  none: 'Nothing to sort.',
  noneOf: 'No emails here.',
  dropped: (n: number) =>
    count(n, {
      one: 'We couldn’t keep 1 more email because the queue was full. We asked its provider to send it again later:',
      other: `We couldn’t keep ${n} more emails because the queue was full. We asked their providers to send them again later:`,
    }),
  droppedFrom: (n: number, domain: string) => `${n} from ${domain}`,
  elsewhere: 'other domains',
  which: 'Status',
  state: { waiting: 'To sort', accepted: 'Accepted', discarded: 'Discarded', ignored: 'Ignored' },
  choose: (subject: string) => `Select email: ${subject}`,
  from: (sender: string) => `From ${sender}`,
  noOne: 'unknown address',
  noSubject: '(no subject)',
  whole: 'Show the whole email',
  reason: {
    sender: 'Too many from this address within an hour',
    domain: 'Too many from this domain within an hour',
    total: 'Too many from unverified senders within an hour',
    timeline: 'The report has no room for more comments by email',
    unsorted: 'All emails need the office’s approval',
    reply: 'A reply to an unknown report',
    spam: 'Marked as spam by the email provider',
    own_address: 'Sent from our own address',
    own_mail: 'One of our own emails, returned',
    bounce: 'Bounce message',
    automatic_reply: 'Automatic reply',
    calendar: 'Reply to an invitation, or a reaction',
  },
  /** What says why, such as a header of the email. */
  mark: (mark: string) => `Recognised by “${mark}”.`,
  photos: (n: number) => count(n, { one: '1 photo', other: `${n} photos` }),
  accept: 'Create report',
  acceptOne: (subject: string) => `Create report: ${subject}`,
  discard: 'Discard email',
  discardOne: (subject: string) => `Discard email: ${subject}`,
  chosenOnes: 'Selected emails:',
  acceptMany: 'Create reports',
  discardMany: 'Discard emails',
  discardDomain: (n: number, domain: string) =>
    count(n, { one: `Discard 1 email from ${domain}`, other: `Discard all ${n} emails from ${domain}` }),
  domains: 'Top senders',
  became: (id: number) => `Added to INC-${id}`,
  answers: (id: number) => `Add to INC-${id}`,
  answersOne: (id: number, subject: string) => `Add to INC-${id}: ${subject}`,
}

/** The whole text of an email that became a report, an update or a note; for staff. */
export const wholeEmail = {
  show: 'Show the whole email',
  showOf: (what: string) => `Show the whole email: ${what}`,
  onlyStaff: 'Only staff can see this.',
  subject: 'Subject:',
  noSubject: '(no subject)',
  rest: 'Read the rest of this email',
  back: (id: number) => `Back to INC-${id}`,
}

/** After emails were sorted. */
export const inboundNotices = {
  emailsAccepted: 'Moved to “Accepted”.',
  emailsDiscarded: 'Moved to “Discarded”. You can still accept emails from there.',
  nothingNew: 'Nothing added: that email only quoted an earlier one.',
}
