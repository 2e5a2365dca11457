import { linkPurposes } from '../../vocabulary/email/linkPurposes.js'
import { freshMinutes } from '../../vocabulary/people/actor.js'
import { plural } from '../plural.js'

const count = plural('en')

/** The page to sign in. */
export const signInPage = {
  title: 'Sign in',
  why: 'Sign in to report problems and get updates.',
  email: 'Email address',
  password: 'Password',
  resume: 'You’ve been signed out. We’ve kept your text: sign in to send it.',
  byEmail: 'Email me a code',
  byEmailHint: 'No password? We’ll email you a code and a link. Use either of them once, in this browser.',
  byEmailSignUpHint:
    'No password, or no account yet? We’ll email you a code and a link to sign in or create an account. Use either of them in this browser.',
}

/** The pages behind invitation and reset links, and the one that asks for a reset link. */
export const passwordLinks = {
  invite: {
    title: 'Welcome',
    lead: (name: string, house: string) => `Hi ${name}. Choose a password to activate your ${house} account.`,
    save: 'Set password and sign in',
  },
  reset: {
    title: 'Choose a new password',
    lead: (name: string) => `Hi ${name}. Choose a new password. You’ll be signed out everywhere else.`,
    save: 'Set password and sign in',
  },
  forgot: {
    link: 'Forgotten your password?',
    title: 'Reset your password',
    lead: 'Enter your email address. We’ll send a link to reset your password.',
    send: 'Send reset link',
    askAgain: 'Request a new link',
  },
}

/** The emails with invitation and reset links. */
export const accountEmails = {
  subject: {
    invite: (house: string) => `Your account for ${house}`,
    reset: 'Reset your password',
    signIn: 'Your sign-in code and link',
    signUp: 'Create your account',
  },
  title: {
    invite: (name: string) => `Welcome, ${name}`,
    reset: 'Reset your password',
    signIn: 'Sign in',
    signUp: 'Create your account',
  },
  lead: {
    invite: (house: string) =>
      `You now have an account for ${house}. Report problems, follow repairs and see what’s working. Choose a password to start.`,
    reset: 'We got a request to reset your password. Choose a new one with the button below.',
    signIn: 'We got a request to sign in with this address. Enter this code on the page where you asked:',
    signUp:
      'We got a request to sign in with this address. It doesn’t have an account yet, but you can create one. Enter this code on the page where you asked:',
  },
  orLink: 'Or open the link on the same device, in the same browser.',
  until: (time: string) => `The link works once, until ${time}.`,
  codeUntil: (time: string) =>
    `You can use the code or the link once, until ${time}. Don’t give the code to anyone: the office will never ask for it.`,
  button: {
    invite: 'Choose a password',
    reset: 'Choose a new password',
    signIn: 'Sign in',
    signUp: 'Create account',
  },
  copy: 'If the button doesn’t work, open this address:',
  why: {
    invite: 'You’re getting this because the building office created an account for you.',
    reset:
      'You’re getting this because someone asked to reset your password. If it wasn’t you, ignore this email: your password stays the same.',
    signIn:
      'You’re getting this because someone asked to sign in with this address. If it wasn’t you, ignore this email: no one can sign in without the code or the link.',
    signUp:
      'You’re getting this because someone asked to sign in with this address. If it wasn’t you, ignore this email: no account will be created.',
  },
}

/** Where anyone may make an account (decision 7.15). */
export const signUp = {
  by: { office: 'The office only', anybody: 'Anyone with a confirmed email address' },
  sent: (address: string) =>
    `If ${address} is your address, we’ll email you a code and a link. They work for ${linkPurposes.sign_in.minutes} minutes after we send them.`,
  accountNeeded: 'You need an account to send it. You can create one at the end with your email address.',
  title: 'Create an account',
  lead: (address: string, house: string) =>
    `There’s no account for ${address} at ${house} yet. Your name is shown with your reports unless you hide it.`,
  name: 'Your name',
  send: 'Create account',
  sendWithReport: 'Create account and send report',
}

/** What people without a session see: reporting, the sign-in link and the answer by email. */
export const guests = {
  reportWaits: 'Almost done. Sign in to send your report. We’ll keep it for 1 hour.',
  notSent: {
    title: 'Your report isn’t sent yet:',
    signIn: 'Sign in to send it.',
    code: 'Enter the code or open the link to send it.',
    here: 'You send it with this button.',
    until: (time: string) => `We’ll keep it until ${time}.`,
    button: 'Sign in and send report',
  },
  accountNeeded: 'You need an account to send one.',
  noAccount: 'No account? Ask the building office.',
  noAccountCall: 'No account? Call the building office:',
  link: {
    send: 'Email me a link',
    sentTitle: 'Check your email',
    sent: (address: string) =>
      `If ${address} has an account, we’ve emailed it a code and a link. They work for ${linkPurposes.sign_in.minutes} minutes.`,
    thatAddress: 'that address',
    code: 'Code from the email',
    here: 'Or open the link in the email on this device, in this browser.',
    nothing: 'Nothing arrived? Check the address and your spam folder.',
    late: 'When many people ask at once, it can take up to an hour.',
    again: 'Request another email',
    openTitle: 'Sign in',
    open: (name: string) => `This link is for ${name}.`,
    button: 'Sign in',
  },
  fixed: {
    title: 'Is it fixed?',
    resolved: (time: string) => `Marked as fixed by the office: ${time}.`,
    yours: {
      title: 'Thank you',
      fixed: 'You said it’s fixed. This report is now closed.',
      notFixed: 'You said it isn’t fixed. We’ve told the office.',
      working: 'You said it isn’t fixed. The office is looking at it again.',
    },
    /** Instead of the question, where the reader has not answered it. */
    answered: {
      fixed: {
        title: 'The fix has been confirmed',
        text: 'If the problem comes back, report it again.',
      },
      notFixed: { title: 'Someone said it isn’t fixed', text: 'We’ve told the office.' },
      working: {
        title: 'The office is looking at it again',
        text: 'Open the report to see its current status.',
      },
      earlier: {
        title: 'This is about an earlier repair',
        text: 'Open the report to see its current status.',
      },
    },
    merged: {
      title: 'This report has been merged',
      text: (id: number) => `Follow progress on INC-${id}.`,
    },
    open: (id: number) => `Open INC-${id}`,
    signIn: 'Sign in to say whether it’s fixed',
  },
  again: 'It’s broken again',
  againText: (id: number) => `Broken again, see INC-${id}.`,
  place: {
    own: (name: string) => `My flat (${name})`,
  },
}

/** What went wrong with these links. */
export const linkProblems = {
  sign_in_link_over: {
    title: 'This link has expired',
    detail: `It’s been used already or is more than ${linkPurposes.sign_in.minutes} minutes old. Request another on the sign-in page.`,
  },
  sign_in_link_elsewhere: {
    title: 'Open this link where you requested it',
    detail:
      'For your security, it works only on the same device, in the same browser. Open it there, or request another link here.',
  },
  answer_link_over: {
    title: 'This link has expired',
    detail: `It’s incomplete or more than ${linkPurposes.answer.minutes / 1440} days old. Open the report instead.`,
  },
  follow_link_over: {
    title: 'This link has expired',
    detail: `It’s incomplete or more than ${linkPurposes.follow.minutes / 60} hours old. Request a new one.`,
  },
  unsubscribe_link_over: {
    title: 'This unsubscribe link doesn’t work',
    detail:
      'It’s incomplete or too old. Use the whole link from the email, or change your settings in your account.',
  },
}

/** The pages of the second factor, and those that ask for it. */
export const secondFactor = {
  title: 'Two-step sign-in',
  intro: 'Protect your account with a code from an app on your phone, as well as your password.',
  demanded: 'All staff must set this up before they can use the office pages.',
  state: {
    on: 'Two-step sign-in is on.',
    started: 'Two-step sign-in isn’t on yet.',
    off: 'Two-step sign-in is off.',
  },
  open: { on: 'Change two-step sign-in', off: 'Set up two-step sign-in' },
  start: 'Set up two-step sign-in',
  app: '1. Get an app',
  appHint: 'Install an authenticator app, for example Google Authenticator or 1Password, and open it.',
  scan: '2. Scan this code',
  scanHint: 'Scan this with the app.',
  qr: 'QR code for your authenticator app. The same key is below as text.',
  typed: 'Or enter this key:',
  confirm: '3. Enter the code',
  confirmHint: 'Enter the 6-digit code the app shows.',
  code: 'Code',
  confirmSend: 'Turn on two-step sign-in',
  cancel: 'Cancel setup',
  codesTitle: 'Your recovery codes',
  codesOnce: 'Save these recovery codes. Each works once if you lose your phone. We won’t show them again.',
  codesDone: 'I’ve saved them',
  codesLeft: (n: number) =>
    count(n, { one: '1 recovery code is left.', other: `${n} recovery codes are left.` }),
  noneLeft: 'You have no recovery codes left. Make new ones.',
  remakeHint: 'New codes replace the old ones.',
  remake: 'Make new recovery codes',
  offTitle: 'Turn off two-step sign-in',
  offHint:
    'You’ll sign in with just your password. If you have a new phone, turn this off and set it up again.',
  off: 'Turn off two-step sign-in',
  reset: {
    title: 'Two-step sign-in',
    hint: 'For someone who has lost their phone and recovery codes. First, check who they are. They’ll be signed out everywhere and sign in with just their password until they set it up again.',
    send: 'Reset two-step sign-in',
  },
  required: { off: 'Optional', staff: 'Required for staff' },
  signIn: {
    title: 'Enter your code',
    why: 'Open the authenticator app on your phone and enter the 6-digit code.',
    hint: '6 digits',
    printed: 'Use a recovery code',
    whyPrinted: 'Enter one of your recovery codes. Each works once.',
    printedHint: '10 letters and digits',
    again: 'Sign in as someone else',
  },
  again: {
    title: 'Confirm it’s you',
    why: `You signed in more than ${freshMinutes} minutes ago. Sign in again to continue. We’ve kept what you entered.`,
    password: 'Your password',
    code: 'Code from your authenticator app',
    codeHint: 'Or one of your recovery codes',
    retype: {
      password: 'New password, again',
      currentPassword: 'Current password, again',
      code: 'New code, again',
    } as Record<string, string>,
    send: 'Continue',
  },
}

/** Emails about what was done to an account. */
export const securityEmails = {
  subject: {
    new_device: 'New sign-in to your account',
    password_changed: 'Your password was changed',
    email_changed: 'Your email address was changed',
    second_factor_on: 'Two-step sign-in is on',
    second_factor_off: 'Two-step sign-in is off',
    second_factor_reset: 'Two-step sign-in was reset',
    recovery_codes_made: 'You have new recovery codes',
    recovery_code_used: 'A recovery code was used',
    identity_linked: 'New sign-in method added',
    identity_unlinked: 'Sign-in method removed',
  },
  lead: {
    new_device: 'Someone signed in to your account from a new browser.',
    password_changed: 'Your account has a new password.',
    email_changed: 'Your account now has a different email address. We won’t email this address again.',
    second_factor_on: 'You now need your password and a code from your authenticator app to sign in.',
    second_factor_off: 'You now need only your password to sign in.',
    second_factor_reset:
      'The building office reset two-step sign-in because someone said you’d lost your phone and codes. You’ve been signed out everywhere. You can sign in with just your password. Please set up two-step sign-in again.',
    recovery_codes_made: 'Your old recovery codes no longer work.',
    recovery_code_used: 'Someone signed in with one of your recovery codes. That code won’t work again.',
    identity_linked:
      'Your account is now linked to an account at your building’s single sign-on service. Anyone who can sign in there can sign in here as you.',
    identity_unlinked:
      'Your account is no longer linked to your building’s single sign-on service. Sign in with your password instead.',
  },
  when: (time: string) => `When: ${time}.`,
  whenWhere: (time: string, device: string) => `When: ${time}. Device: ${device}.`,
  office: 'The building office did this.',
  yours: 'If this was you, you don’t need to do anything.',
  notYours:
    'If this wasn’t you, reset your password now with “Forgotten your password?” on the sign-in page. Then tell the building office.',
  unwanted: 'If you didn’t want this, tell the building office now.',
  button: 'Open your account',
  why: 'This is a security email. You can’t turn these off.',
}

/** What a page says at its top after a change to an account, or to who is signed in. */
export const accountNotices = {
  resumed: 'You’re signed in again. We’ve kept your text: press the button to send it.',
  resumedWithoutPhotos:
    'You’re signed in again. We’ve kept your text. Add your photos again, then press the button to send it.',
  signedOut: 'You’re signed out.',
  erased: 'Your account has been deleted.',
  erasedOne: 'Account deleted. Reports stay, shown as “Deleted person”.',
  personAdded: (name?: string) =>
    name ? `${name} added. We’ve emailed them an invitation.` : 'Added. We’ve sent an invitation.',
  invited: 'Invitation sent.',
  allInvited: 'Invitations sent.',
  signedOutEverywhere: 'Signed out everywhere.',
  othersSignedOut: 'You’re signed out everywhere else.',
  identityLinked: 'Account linked. You can now sign in with it.',
  identityUnlinked: 'Link removed. You’re signed out everywhere else.',
  secondFactorOff: 'Two-step sign-in is off.',
  linksRemoved: 'Link to single sign-on removed.',
  secondFactorReset: 'Two-step sign-in reset.',
  sessionEnded: 'That browser is signed out.',
  welcome: 'Welcome. Your password is set and you’re signed in.',
  passwordChanged: 'Password changed. You’re signed out everywhere else.',
  linkSent: `If that address has an account, we’ve emailed a link. It works for ${linkPurposes.reset.minutes / 60} hour.`,
}
