import { plural } from '../plural.js'

const count = plural('en')

/** What a page says after an action, by the key in its address. */
export const notices = {
  reported: 'Thank you. Your report is in, and the building office has been told.',
  reportGone: 'Your report was not sent: it was kept for an hour. Please report again.',
  resumed: 'You are signed in again. What you wrote is still here, and is not sent yet: press the button.',
  resumedWithoutPhotos:
    'You are signed in again. What you wrote is still here, and is not sent yet. If you had chosen photos, choose them again, then press the button.',
  updated: 'Your update was added.',
  merged: 'The report you looked for was merged into this one.',
  signedOut: 'You are signed out.',
  verified: 'Thank you. It is closed as fixed.',
  reopened: 'Thank you. The office has been told that it is not fixed.',
  mergedNow: 'The duplicate was merged into this incident.',
  confirmed: 'It is confirmed: the office has seen it. Those who reported it are told.',
  unmerged: 'The merge was undone. This is an incident of its own again.',
  hidden: 'It is hidden: only the office sees it now.',
  shownAgain: 'Everybody can see it again.',
  dismissed: 'It is closed as not being a report. Its reporter has been told.',
  reinstated: 'It is a report again, as it was before.',
  erased: 'Your account is erased.',
  erasedOne: 'The person is erased. What they reported stays, without their name.',
  following: 'You follow this incident now and will be told when it moves on.',
  unfollowed: 'You do not follow this incident any more.',
  edited: 'Your change was saved.',
  done: 'Done.',
  someDone: 'Done, but for those that somebody else had dealt with meanwhile.',
  nothingNew: 'Nothing was taken of what only quotes an earlier mail: it says nothing new.',
  noted: 'Your note was added. Only staff can read it.',
  added: 'It was added.',
  saved: 'Your change was saved.',
  deleted: 'It was deleted.',
  moved: 'It was moved.',
  skipped: 'That date was skipped.',
  restored: 'That date is as planned again.',
  ended: 'It was ended. What has begun stays in the history.',
  retried: 'It is being tried again.',
  invited: 'The mail is on its way.',
  startDismissed: 'The desk does not remind you of the first steps any more.',
  allInvited: 'The invitations are on their way.',
  signedOutEverywhere: 'Every session was ended.',
  othersSignedOut: 'You are signed out everywhere else.',
  identityLinked: 'Your account is linked. You can sign in that way from now on.',
  identityUnlinked: 'The link was ended. You are signed out everywhere else.',
  secondFactorOff: 'Your second factor is off.',
  linksRemoved: 'The link to single sign-on was ended.',
  secondFactorReset: 'The second factor was taken away.',
  sessionEnded: 'That session was ended.',
  browserRemoved: 'That browser is notified of nothing any more.',
  welcome: 'Welcome. Your password is set and you are signed in.',
  passwordChanged: 'Your password was changed. You are signed out everywhere else.',
  linkSent: 'If there is an account with this address, a link is on its way to it. It works for an hour.',
  followLinkSent:
    'If this is your address, a link is on its way to it. Press the button behind the link within 24 hours, and the mails begin.',
  followingMails: 'You will get these mails.',
  unfollowedMails: 'You will not get these mails any more.',
  switched: 'It was switched.',
  costAdded: 'The cost was added.',
  costVoided: 'The cost was voided and counts no more.',
  assetArchived: 'This is not in use any more. Here is what was reported about it.',
  archived: 'It was archived.',
  unarchived: 'It is in use again.',
}

/** What people without a session see: reporting, the link that signs in by mail, and the answer by mail. */
export const guests = {
  kept: 'Your report is kept for an hour, with its photos. Say who you are, and it is sent at once.',
  sendAs: 'You say who you are when you send it. You can sign in with a password or with a link by mail.',
  noAccount: 'No account yet? The building office makes one for you.',
  noAccountCall: (phone: string) => `No account yet? Ask the building office: ${phone}`,
  link: {
    title: 'Without a password',
    hint: 'We send a link to the address of your account. It signs you in once, in this browser.',
    send: 'Send me a link',
    sentTitle: 'Look into your mail',
    sent: 'If this address has an account, a link is on its way to it. It works for 15 minutes.',
    here: 'Open it on this device and in this browser. Elsewhere it signs nobody in.',
    nothing: 'Nothing came? Look into the spam folder, or ask for another link.',
    again: 'Ask for another link',
    openTitle: 'Sign in',
    open: (name: string) => `This link is for ${name}.`,
    button: 'Sign in',
  },
  fixed: {
    title: 'Is it fixed?',
    resolved: (time: string) => `The office says since ${time} that it is done.`,
    notYet: 'Nothing is said by opening this page. Choose one of the two.',
    answered: {
      title: 'This is answered already',
      fixed: 'It was confirmed as fixed. If there is trouble again, report it.',
      notFixed: 'Somebody has said that it is not fixed, or the office has taken it up again.',
      earlier: 'This link asked about an earlier repair. Open the incident for how it is now.',
    },
    merged: (id: number) => `This report was merged into INC-${id} and is followed up there.`,
    open: (id: number) => `Open INC-${id}`,
    signIn: 'Sign in to say whether it is fixed',
  },
  again: 'It is broken again',
  againText: (id: number) => `It is broken again, as in INC-${id}.`,
  place: {
    own: (name: string) => `My flat (${name})`,
    other: 'Another flat',
  },
}

/** Where anybody may make an account (decision 7.15). */
export const signUp = {
  by: { office: 'The office alone', anybody: 'Anybody whose address is confirmed' },
  hint: 'We send a link to your address. It signs you in once, in this browser. If you have no account yet, the link lets you make one.',
  sent: 'If this is your address, a link is on its way to it. It works for 15 minutes.',
  noAccount: 'No account yet? Ask for a link.',
  title: 'Make an account',
  lead: (address: string, house: string) =>
    `There is no account at ${house} with ${address} yet. Say what you want to be called: others read it with what you report, unless you hide it.`,
  name: 'Your name',
  send: 'Make the account and sign in',
}

/** What went wrong with these links and reports. */
export const guestProblems = {
  dismiss_has_duplicates: {
    title: 'Others reported the same',
    detail: 'Duplicates were merged into this incident. Undo those merges first, or close it with a reason.',
  },
  incident_dismissed: {
    title: 'It is closed as not being a report',
    detail: 'Make it a report again first, on its page.',
  },
  sign_in_link_over: {
    title: 'This link does not work any more',
    detail:
      'It was used already, or it is more than 15 minutes old. Ask for another one on the sign-in page.',
  },
  sign_in_link_elsewhere: {
    title: 'Open this link where you asked for it',
    detail:
      'For your safety it signs in only on the device and in the browser that asked for it. Open it there: nothing is used up. Or ask for another link here.',
  },
  answer_link_over: {
    title: 'This link does not work any more',
    detail: 'It is not complete, or it is more than 30 days old. Open the incident instead.',
  },
  follow_link_over: {
    title: 'This link does not work any more',
    detail: 'It is not complete, or it is more than 24 hours old. Ask for a new one.',
  },
  unsubscribe_link_over: {
    title: 'This link stops no mails',
    detail:
      'It is not complete, or nothing is known here any more of whom it was sent to: then no mails come. Open the whole address from the end of the mail, or choose your mails on the page of your account.',
  },
  guest_reports_full: {
    title: 'Too many reports wait for somebody to sign in',
    detail:
      'Nothing is lost: what you typed stands below. Sign in first in another tab, or try again in an hour.',
  },
}

/** What the office takes back, and what people read in its place (decision 7.14). */
export const protection = {
  hidden: 'Hidden by the office',
  hiddenText: 'The office has hidden this text.',
  hiddenPhotos: (n: number) =>
    count(n, {
      one: 'The office has hidden 1 photo.',
      other: `The office has hidden ${n} photos.`,
    }),
  onlyStaff: 'Hidden: only the office sees it.',
  hide: 'Hide',
  hideText: 'Hide the title and the description',
  hideEntry: (name: string) => `Hide what ${name} wrote`,
  hidePhoto: (n: number) => `Hide photo ${n}`,
  hideHint:
    'Everybody but the office then reads that it was hidden. Mails that were sent already cannot be called back.',
  restore: 'Show again',
  restoreText: 'Show again the title and the description',
  restoreEntry: (name: string) => `Show again what ${name} wrote`,
  restorePhoto: (n: number) => `Show again photo ${n}`,
  notAReport: 'Not a report',
  dismissTitle: 'Is it not a report?',
  dismissHint:
    'For advertising, tests and what has nothing to do with the building. It is closed, residents find it in no list, and it does not count against the asset. Who reported it is told. You can undo it here.',
  dismiss: 'It is not a report',
  reinstate: 'It is a report after all',
  dismissed: 'The office has looked at this and closed it: it is not about something in the building.',
  dismissedEntry:
    'Thank you for writing. The office has closed this, because it is not a report about the building. If that is wrong, please say so here.',
  reinstatedEntry: 'The office has opened this again: it is a report.',
  nameHidden: '(hidden from residents)',
  unitVisibility: {
    everybody: 'Everybody',
    signed_in: 'People who are signed in',
    staff: 'The office alone',
  },
  mailVisibility: { at_once: 'At once', when_sorted: 'When the office has sorted it' },
  unitSeenBy: {
    everybody: 'Everybody on the internet can read which flat it is.',
    signed_in: 'Only people who are signed in can read which flat it is.',
    staff: 'Only the office can read which flat it is. Others read the tower.',
  },
  unitTellsWho: 'If it is about a flat, that can tell who you are though your name is hidden.',
}
