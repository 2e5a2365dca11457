import { limits } from '../../vocabulary/limits.js'
import { plural } from '../plural.js'

const count = plural('en')

/** The form of a report. */
export const report = {
  title: 'Report a problem',
  intro: 'Anyone can read reports.',
  what: 'What’s broken?',
  chooseAsset: 'Select what’s broken',
  flats: (tower: string) => `Flats in ${tower}`,
  titleField: 'What’s wrong?',
  titleHint: 'For example: it stops between floors',
  description: 'More detail (optional)',
  descriptionHint: 'When it started, how often it happens',
  severity: 'How bad is it? (optional)',
  more: 'Add details or hide my name (optional)',
  change: 'Change',
  photos: 'Photos',
  photosHint: `Up to ${limits.photosPerPost} photos (optional)`,
  staged: (n: number) => count(n, { one: '1 photo already attached', other: `${n} photos already attached` }),
  removePhoto: (n: number) => `Remove photo ${n}`,
  anonymous: 'Hide my name from other residents',
  anonymousHint: 'Anyone can read your report. Only the office can see your name.',
  send: 'Send report',
  suggest: {
    title: 'Not sure what to choose?',
    hint: 'We can suggest answers using AI. It sees your text only, not your name or photos.',
    ask: 'Get a suggestion',
    nothing: 'No suggestion. Choose the best fit.',
    asset: (name: string) => `This sounds like: ${name}.`,
    useAsset: (name: string) => `Choose “${name}”`,
    severity: (name: string) => `Suggested severity: ${name}.`,
    useSeverity: (name: string) => `Choose “${name}”`,
    duplicate: 'This may have been reported already:',
    chosen: 'You’ve chosen this.',
  },
}

/** Open reports of the same place, before another one is sent. */
export const openReports = {
  title: (n: number) => count(n, { one: 'Is this the same problem?', other: 'Is it one of these problems?' }),
  hint: 'If you have it too, we’ll email you when it’s fixed.',
  none: 'No open reports about this.',
  join: 'I have this too',
  joinNamed: (title: string) => `I have this too: ${title}`,
  followNamed: (title: string) => `Follow this report: ${title}`,
  following: 'You follow this report.',
  reported: (time: string) => `reported ${time}`,
  others: (n: number) => count(n, { one: '1 other report', other: `${n} other reports` }),
  more: 'All reports about it',
  summary: (name: string, status: string, n: number) =>
    `${name}: ${status}. ${count(n, { one: '1 open report', other: `${n} open reports` })}.`,
  other: 'Report something else',
}

/** Photos that are sent while a report is written. */
export const photos = {
  take: 'Take a photo',
  choose: 'Choose photos',
  remove: 'Remove photo',
  sending: 'Sending your photos',
  sent: 'Photos sent.',
}

/** After a report was sent. */
export const reportSent = {
  title: 'Report sent',
  reference: 'Reference',
  next: 'What happens next',
  target: (deadline: string) => `We’ve told the building office. They aim to reply by ${deadline}.`,
  late: 'The building office hasn’t replied in time.',
  now: (status: string) => `Current status: ${status}.`,
  follow: 'We’ll email you when something changes.',
  noFollow: 'You won’t get emails about this.',
  here: (name: string) => `Report another problem with ${name}`,
  another: 'Report another problem',
  status: 'Back to building status',
}

/** The reports someone sent or follows. */
export const myReports = {
  title: 'My reports',
  intro: 'Reports you made or follow, newest first.',
  none: 'You haven’t reported or followed anything yet.',
  reported: 'You reported this.',
  hidden: 'You reported this. Other residents can’t see your name.',
  followed: 'You follow this.',
  notFollowing: 'You don’t follow this.',
  verify: 'The office says this is fixed. Is it?',
}

/** Reports, comments and answers that a phone keeps until they can be sent. */
export const waitingPage = {
  title: 'Not sent yet',
  intro:
    'If you’re offline, we keep up to 5 reports, comments and answers on this phone for a week. We’ll send reports and comments when you’re online and signed in. If you weren’t signed in when you wrote, or opened the page while offline, sign in and press “Send now”. Answers to “Is it fixed?” wait until you press “Try again”.',
  none: 'Everything has been sent.',
  written: (time: string) => `Written: ${time}.`,
  photos: (n: string) => `Photos: ${n}.`,
  sendAs: (name: string) => `Send now as ${name}`,
  /** Each kind of what is kept: when it is saved, sent or refused, and how it is deleted. */
  kinds: {
    report: {
      saved: 'We’ve saved your report on this phone. It hasn’t been sent yet.',
      sent: 'Report sent.',
      discard: 'Delete report',
      discardNow: 'Yes, delete this report',
      news: {
        sent: 'We’ve sent a report you had saved on this phone.',
        refused: 'We couldn’t accept a report you had saved on this phone.',
        waiting: 'You have an unsent report on this phone.',
      },
    },
    comment: {
      on: 'Comment on …',
      saved: 'We’ve saved your comment on this phone. It hasn’t been sent yet.',
      sent: 'Comment sent.',
      discard: 'Delete comment',
      discardNow: 'Yes, delete this comment',
      news: {
        sent: 'We’ve sent a comment you had saved on this phone.',
        refused: 'We couldn’t accept a comment you had saved on this phone.',
        waiting: 'You have an unsent comment on this phone.',
      },
    },
    follow: {
      on: '“I have this too” for …',
      saved: 'We’ve saved “I have this too” on this phone. It hasn’t been sent yet.',
      sent: '“I have this too” sent.',
      discard: 'Delete “I have this too”',
      discardNow: 'Yes, delete “I have this too”',
      news: {
        sent: 'We’ve sent “I have this too”, which you had saved on this phone.',
        refused: 'We couldn’t accept “I have this too”, which you had saved on this phone.',
        waiting: 'On this phone, “I have this too” hasn’t been sent yet.',
      },
    },
    answer: {
      on: 'Is it fixed? Your answer on …',
      saved: 'We’ve saved your answer on this phone. It isn’t sent until you press “Try again”.',
      sent: 'Answer sent.',
      discard: 'Delete answer',
      discardNow: 'Yes, delete this answer',
      news: {
        sent: 'We’ve sent an answer you had saved on this phone.',
        refused: 'We couldn’t accept an answer you had saved on this phone.',
        waiting: 'You have an unsent answer on this phone.',
      },
    },
  },
  words: {
    untitled: 'Untitled report',
    automatic: 'Not sent yet. We’ll send it when you’re online and signed in.',
    byHand: 'Not sent yet. Press “Send now” when you’re online.',
    late: 'This may already have been sent. Check “My reports” before you press “Send now”.',
    lateOnReport: 'This may already have been sent. Check the report before you press “Send now”.',
    signIn: 'Not sent yet. Sign in and we’ll send it.',
    signInNow: 'Sign in to send it',
    signInFirst: 'Not sent yet. Sign in, then press “Try again”.',
    byWriter: 'Not sent yet. Check the report first, as it may have changed. Then press “Try again”.',
    tryAgain: 'Try again',
    other: 'Not sent yet. Someone else is signed in: only the person who wrote this can send it.',
    refused: 'We couldn’t accept this. Press “Send now” to see why and fix it.',
    shown: 'We couldn’t accept this. If you’ve sent it another way, delete it.',
    look: 'View report',
    lookWaiting: 'See what hasn’t been sent',
    send: 'Send now',
    notices: {
      offline: 'You’re offline.',
      as: 'Not sent yet. Check whose name it will be sent under, then press “Send now” again.',
      room: 'This phone can’t hold more unsent reports. Send or delete one first.',
      unkept:
        'We couldn’t save your report: this phone is full. Send or delete an unsent report, then reload this page. Your text is below.',
      connection: 'You’re still offline. It’s still saved on this phone.',
      other: 'Someone else is signed in. Only the person who wrote this can send it.',
      full: 'You’re offline and this phone can’t hold more. Your text is below: reload this page when you’re online.',
      failed:
        'You’re offline and we couldn’t save this on your phone. Your text is below: reload this page when you’re online.',
    },
  },
}

/** The form of a report while the phone is offline. */
export const offlineForm = {
  intro:
    'You’re offline, but you can still write your report. We’ll keep it on this phone for a week. When you’re online, press “Send now” on the page “Not sent yet”.',
  keep: 'Save report on this phone',
}
