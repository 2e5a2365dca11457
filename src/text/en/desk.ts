import { plural } from '../plural.js'

const count = plural('en')
const some = (n: number, more: boolean) => (more ? `more than ${n}` : String(n))

/** The desk: what needs a person now. */
export const desk = {
  title: 'Desk',
  allDone: 'Nothing is waiting for you.',
  acknowledgedEntry: 'The office has seen this.',
  total: (n: number, more: boolean) => some(n, more),
  choose: (title: string, id: number) => `Choose INC-${id}: ${title}`,
  chosenOnes: 'With those you have ticked:',
  mailsToSort: (n: number) => count(n, { one: '1 mail to sort', other: `${n} mails to sort` }),
  cameBack: { title: 'Came back', hint: 'Somebody in the building says that it is not fixed.' },
  unanswered: {
    title: 'New answers and comments',
    hint: 'Nobody of the office has written or acted since. Answer on its page, or tick it off.',
    seen: 'Seen',
    seenOne: (id: number) => `Seen: INC-${id}`,
    seenMany: 'Those you have ticked are seen',
  },
  untriaged: {
    title: 'Not sorted yet',
    hint: 'Came by mail and belongs to nothing yet. Say what it is about.',
    assign: 'Assign',
    asset: 'Asset',
    unit: 'or flat',
    nothing: 'Choose',
  },
  unacknowledged: {
    title: 'Waiting for an answer',
    hint: 'Most urgent first.',
    again: 'Seen before, open again',
    acknowledge: 'Acknowledge',
    acknowledgeOne: (id: number) => `Acknowledge INC-${id}`,
    acknowledgeMany: 'Acknowledge those you have ticked',
  },
  unconfirmed: {
    title: 'Resolved, not confirmed',
    hint: 'Nobody has said yet that it works.',
    confirm: 'It is fixed',
    confirmOne: (id: number) => `It is fixed: INC-${id}`,
    resolved: (time: string) => `Resolved ${time}`,
  },
  failed: {
    title: 'Did not get through',
    messages: (n: number) =>
      count(n, {
        one: '1 mail or push in the last 7 days',
        other: `${n} mails and pushes in the last 7 days`,
      }),
    receiver: (url: string, status: string) => `${url}: ${status}`,
    look: 'Look at them',
  },
  today: { title: 'Planned work beginning today' },
  due: {
    left: (span: string) => `${span} left`,
    over: (span: string) => `${span} over`,
  },
  span: {
    minutes: (n: number) => count(n, { one: '1 minute', other: `${n} minutes` }),
    hours: (n: number) => count(n, { one: '1 hour', other: `${n} hours` }),
    days: (n: number) => count(n, { one: '1 day', other: `${n} days` }),
  },
}
