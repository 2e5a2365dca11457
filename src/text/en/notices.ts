import { plural } from '../plural.js'

const count = plural('en')

/** What a page says after an action, by the key in its address. */
export const notices = {
  reported: 'Report sent. We’ve told the building office.',
  reportGone: 'Your report wasn’t sent: we keep unsent reports for 1 hour. Please report the problem again.',
  resumed: 'You’re signed in again. We’ve kept your text: press the button to send it.',
  resumedWithoutPhotos:
    'You’re signed in again. We’ve kept your text. Add your photos again, then press the button to send it.',
  updated: 'Update posted. We’ll email followers.',
  commented: 'Comment posted. We’ll email followers.',
  merged: 'That report has been merged into this one.',
  signedOut: 'You’re signed out.',
  verified: 'Thanks. This report is now closed.',
  reopened: 'Thanks. We’ve told the office it isn’t fixed.',
  mergedNow: 'Duplicate merged into this report.',
  confirmed: 'Acknowledged. We’ll tell the reporters.',
  unmerged: 'Merge undone. This is a separate report again.',
  hidden: 'Hidden from residents. Staff can still see it.',
  shownAgain: 'Residents can see it again.',
  dismissed: 'Closed as not a report. We’ll tell the reporter.',
  reinstated: 'Reopened as a report.',
  erased: 'Your account has been deleted.',
  erasedOne: 'Account deleted. Reports stay, shown as “Deleted person”.',
  following: 'You’re following this report. We’ll email you about changes.',
  unfollowed: 'You’ve unfollowed this report.',
  edited: 'Changes saved.',
  mailsAccepted: 'Moved to “Accepted”.',
  mailsDiscarded: 'Moved to “Discarded”. You can still accept emails from there.',
  someDone: 'Done, except those a colleague had already dealt with.',
  nothingNew: 'Nothing added: that email only quoted an earlier one.',
  noted: 'Note added. Only staff can see it.',
  added: (name?: string) => (name ? `${name} added.` : 'Added.'),
  personAdded: (name?: string) =>
    name ? `${name} added. We’ve emailed them an invitation.` : 'Added. We’ve sent an invitation.',
  workAdded: (name?: string) =>
    name ? `${name} added. Residents can see it now.` : 'Added. Residents can see it now.',
  saved: 'Changes saved.',
  deleted: (name?: string) => (name ? `${name} deleted.` : 'Deleted.'),
  alreadyDeleted: 'Nothing changed. This has already been deleted.',
  undeleted: (name?: string) => (name ? `Deletion undone. ${name} is back.` : 'Deletion undone.'),
  alreadyBack: 'Nothing changed. The deletion has already been undone.',
  moved: 'Order changed.',
  dateMoved: 'Date moved.',
  skipped: 'Date skipped.',
  restored: 'Date restored.',
  ended: 'Series ended. Past dates stay in the history.',
  retried: 'We’re trying again.',
  invited: 'Invitation sent.',
  startDismissed: 'Setup steps hidden.',
  allInvited: 'Invitations sent.',
  signedOutEverywhere: 'Signed out everywhere.',
  othersSignedOut: 'You’re signed out everywhere else.',
  identityLinked: 'Account linked. You can now sign in with it.',
  identityUnlinked: 'Link removed. You’re signed out everywhere else.',
  secondFactorOff: 'Two-step sign-in is off.',
  linksRemoved: 'Link to single sign-on removed.',
  secondFactorReset: 'Two-step sign-in reset.',
  sessionEnded: 'That browser is signed out.',
  browserRemoved: 'Notifications turned off for that browser.',
  welcome: 'Welcome. Your password is set and you’re signed in.',
  passwordChanged: 'Password changed. You’re signed out everywhere else.',
  linkSent: 'If that address has an account, we’ve emailed a link. It works for 1 hour.',
  followLinkSent: 'We’ve emailed you a link. Open it within 24 hours to start getting updates.',
  followingMails: 'You’ll get these email updates.',
  unfollowedMails: 'You won’t get these email updates any more.',
  switched: 'Feature switch changed.',
  costAdded: 'Cost added.',
  costVoided: 'Cost removed from the total.',
  costRestored: 'Cost added back to the total.',
  assetArchived: 'This is no longer in use. Past reports are below.',
  archived: (name?: string) => (name ? `${name} archived.` : 'Archived.'),
  unarchived: (name?: string) => (name ? `${name} is in use again.` : 'Restored and in use again.'),
}

/** What people without a session see: reporting, the sign-in link and the answer by email. */
export const guests = {
  kept: 'Almost done. Sign in to send your report. We’ll keep it for 1 hour.',
  sendAs: 'You’ll sign in at the end.',
  noAccount: 'No account? Ask the building office.',
  noAccountCall: (phone: string) => `No account? Call the building office: ${phone}`,
  link: {
    title: 'Sign in by email',
    hint: 'We’ll email you a link that works once, in this browser.',
    send: 'Email me a link',
    sentTitle: 'Check your email',
    sent: 'If that address has an account, we’ve emailed a link. It works for 15 minutes.',
    here: 'Open it on this device, in this browser.',
    nothing: 'Nothing arrived? Check your spam folder or request another link.',
    again: 'Request another link',
    openTitle: 'Sign in',
    open: (name: string) => `This link is for ${name}.`,
    button: 'Sign in',
  },
  fixed: {
    title: 'Is it fixed?',
    resolved: (time: string) => `Marked as fixed by the office: ${time}.`,
    notYet: 'Choose an answer below.',
    answered: {
      title: 'Already answered',
      fixed: 'The fix has been confirmed. If the problem comes back, report it again.',
      notFixed: 'Someone said it isn’t fixed, or the office is looking at it again.',
      earlier: 'This link is about an earlier repair. Open the report to see the current status.',
    },
    merged: (id: number) => `This report has been merged into INC-${id}. Follow progress there.`,
    open: (id: number) => `Open INC-${id}`,
    signIn: 'Sign in to say whether it’s fixed',
  },
  again: 'It’s broken again',
  againText: (id: number) => `Broken again, see INC-${id}.`,
  place: {
    own: (name: string) => `My flat (${name})`,
  },
}

/** Where anyone may make an account (decision 7.15). */
export const signUp = {
  by: { office: 'The office only', anybody: 'Anyone with a confirmed email address' },
  hint: 'We’ll email you a link that works once, in this browser. If you don’t have an account yet, you can use the link to create one.',
  sent: 'If this is your address, we’ve emailed you a link. It works for 15 minutes.',
  noAccount: 'No account? Request a link to create one.',
  title: 'Create an account',
  lead: (address: string, house: string) =>
    `There’s no account for ${address} at ${house} yet. Your name is shown with your reports unless you hide it.`,
  name: 'Your name',
  send: 'Create account',
}

/** What went wrong with these links and reports. */
export const guestProblems = {
  dismiss_has_duplicates: {
    title: 'This report has duplicates',
    detail:
      'Other reports were merged into this one. Undo those merges first, or close this report with an outcome.',
  },
  incident_dismissed: {
    title: 'This was closed as not a report',
    detail: 'Reopen it as a report first.',
  },
  sign_in_link_over: {
    title: 'This link has expired',
    detail: 'It’s been used already or is more than 15 minutes old. Request another on the sign-in page.',
  },
  sign_in_link_elsewhere: {
    title: 'Open this link where you requested it',
    detail:
      'For your security, it works only on the same device, in the same browser. Open it there, or request another link here.',
  },
  answer_link_over: {
    title: 'This link has expired',
    detail: 'It’s incomplete or more than 30 days old. Open the report instead.',
  },
  follow_link_over: {
    title: 'This link has expired',
    detail: 'It’s incomplete or more than 24 hours old. Request a new one.',
  },
  unsubscribe_link_over: {
    title: 'This unsubscribe link doesn’t work',
    detail:
      'It’s incomplete or too old. Use the whole link from the email, or change your settings in your account.',
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
  onlyStaff: 'Hidden: only staff can see this.',
  menu: (what: string) => `More: ${what}`,
  hideDescription: 'Hide description',
  hideText: 'Hide title and description',
  hideEntry: (name: string) => `Hide ${name}’s comment`,
  hidePhoto: (n: number) => `Hide photo ${n}`,
  restoreText: 'Unhide title and description',
  restoreEntry: (name: string) => `Unhide ${name}’s comment`,
  restorePhoto: (n: number) => `Unhide photo ${n}`,
  notAReport: 'Not a report',
  dismissTitle: 'Not a valid report?',
  dismissHint:
    'For spam, tests and anything that isn’t about the building. The report is closed, hidden from residents and left out of uptime. We’ll tell the reporter. You can undo this.',
  dismiss: 'Close as not a report',
  reinstate: 'Reopen as a report',
  dismissed: 'The office has closed this: it isn’t about the building.',
  dismissedEntry:
    'Thank you for writing. The office has closed this because it isn’t about the building. If that’s wrong, please comment here.',
  reinstatedEntry: 'The office has reopened this report.',
  nameHidden: '(hidden from residents)',
  unitVisibility: {
    everybody: 'Everyone',
    signed_in: 'Signed-in residents',
    staff: 'Staff only',
  },
  mailVisibility: { at_once: 'Straight away', when_sorted: 'After the office approves it' },
  unitSeenBy: {
    everybody: 'Anyone can see the flat number.',
    signed_in: 'Signed-in residents can see the flat number.',
    staff: 'Only the office can see the flat number. Everyone else sees the tower.',
  },
  unitTellsWho: 'If your report is about a flat, this may identify you even if you hide your name.',
}
