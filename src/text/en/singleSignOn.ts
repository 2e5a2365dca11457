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
  },
  signedOut: {
    title: 'You’re signed out here',
    why: (name: string) =>
      `You’re still signed in to ${name}. Anyone who uses this browser could sign in here again.`,
    there: (name: string) => `Sign out of ${name}`,
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
