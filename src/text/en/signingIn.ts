import { plural } from '../plural.js'

const count = plural('en')

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
    code: 'Code',
    hint: '6 digits',
    printed: 'Use a recovery code',
    whyPrinted: 'Enter one of your recovery codes. Each works once.',
    printedHint: '10 letters and digits',
    send: 'Sign in',
    again: 'Sign in as someone else',
  },
  again: {
    title: 'Confirm it’s you',
    why: 'You signed in more than 10 minutes ago. Sign in again to continue. We’ve kept what you entered.',
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
export const noticeMails = {
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

/**
 * Signing in at an identity provider: on the sign-in page, on the account page and between them.
 */
export const singleSignOn = {
  signIn: (name: string) => `Sign in with ${name}`,
  or: 'Or sign in with your password:',
  again: (name: string) => `Sign in with ${name} again`,
  elsewhere: 'Opens in a new tab. Sign in, then come back here and press “Continue”.',
  goOn: 'Continue',
  orPassword: 'Or enter your password for this site, if you have one.',
  againDone: {
    title: 'You’re signed in',
    why: 'Close this tab, go back to the previous one and press “Continue”.',
    home: 'Go to the status page',
  },
  signedOut: {
    title: 'You’re signed out here',
    why: (name: string) =>
      `You’re still signed in to ${name}. Anyone who uses this browser could sign in here again.`,
    there: (name: string) => `Sign out of ${name}`,
    home: 'Go to the status page',
  },
  account: {
    title: 'Single sign-on',
    linked: (name: string, email: string | null, time: string) =>
      `${email ? `${name}, as ${email}` : name}: linked ${time}`,
    lastUsed: (time: string) => `last used ${time}`,
    neverUsed: 'not used yet',
    none: (name: string) => `Link this account to your ${name} account to sign in with it.`,
    link: (name: string) => `Link to ${name}`,
    unlink: 'Remove link',
    unlinkOne: (name: string) => `Remove link to ${name}`,
    ends: 'You’ll sign in with your password and be signed out everywhere else.',
    needed: 'To remove the link, set a password first with “Forgotten your password?” on the sign-in page.',
  },
  remove: {
    title: 'Single sign-on',
    hint: 'For someone who can’t sign in there any more, or who is linked to the wrong account. They’ll be signed out everywhere and sign in with their password. If the other service has confirmed their email address, the accounts may be linked again.',
    send: 'Remove link',
  },
  leave: {
    title: (name: string) => `Link your account to ${name}`,
    why: (name: string) => `Sign in with ${name} now. After that, you can use it to sign in here.`,
    go: (name: string) => `Continue to ${name}`,
    cancel: 'Cancel linking',
  },
  confirm: {
    title: (name: string) => `Link this ${name} account?`,
    who: (who: string, name: string) => `${who} (${name})`,
    account: (email: string) => `It will be linked to your account here, ${email}.`,
    check: (name: string) =>
      `Anyone who can sign in to that ${name} account will be able to sign in here. If it isn’t your account, cancel, sign out of ${name} and start again.`,
    send: 'Link account',
    cancel: 'Cancel linking',
  },
}

/** What goes wrong on the way to an identity provider and back. */
export const singleSignOnProblems = {
  provider_away: {
    title: 'Single sign-on isn’t responding',
    detail: 'Try again in a minute, or sign in with your password.',
  },
  sign_in_over: {
    title: 'This sign-in has expired',
    detail: 'It took too long, was already used or started in another browser. Start again here.',
  },
  provider_denied: {
    title: 'You weren’t signed in',
    detail:
      'You cancelled the sign-in, or you don’t have access to this site. Try again, or sign in with your password.',
  },
  provider_refused: {
    title: 'We couldn’t check that sign-in',
    detail:
      'The single sign-on service sent an answer we can’t trust, so you weren’t signed in. Start again. If it keeps happening, tell the building office.',
  },
  provider_not_asked: {
    title: 'You need to enter your password',
    detail:
      'The single sign-on service didn’t ask for your password. Set a password here with “Forgotten your password?” and use that instead.',
  },
  identity_unknown: {
    title: 'That account isn’t linked to an account here',
    detail: 'Sign in with your password and link it on your account page, or ask the building office.',
  },
  identity_unverified: {
    title: 'That account’s email address isn’t confirmed',
    detail: 'Confirm it with the single sign-on service and try again, or sign in with your password.',
  },
  identity_other: {
    title: 'That’s a different account',
    detail:
      'Your account here is linked to a different single sign-on account. Sign in with that one, or ask the building office.',
  },
  identity_taken: {
    title: 'We couldn’t link these accounts',
    detail: 'One of them is already linked to another account. Nothing has changed.',
  },
  identity_needed: {
    title: 'You’d be locked out',
    detail: 'You don’t have a password to sign in with, so we’ve kept the link.',
  },
  second_factor_elsewhere: {
    title: 'Use single sign-on first',
    detail:
      'Your account is linked to single sign-on. Sign out, sign in that way and try again. If you can’t, ask an admin to remove the link.',
  },
  password_closed: {
    title: 'Use single sign-on',
    detail: 'You can’t use a password for this account. Use the first button on the sign-in page.',
  },
}
