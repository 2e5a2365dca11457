import { plural } from '../plural.js'

const count = plural('en')

/** The pages of the second factor, and those that ask for it. */
export const secondFactor = {
  title: 'Second factor',
  intro:
    'With a second factor, nobody gets into your account with your password alone: signing in also takes a code that an app on your phone shows.',
  demanded:
    'The house asks this of everybody in the office. Until you have set it up, the office’s pages are closed to you.',
  state: { on: 'It is on.', started: 'It is not on yet.', off: 'It is off.' },
  open: { on: 'Change it', off: 'Set it up' },
  start: 'Set it up',
  app: 'First',
  appHint:
    'Open an authenticator app on your phone. If you have none, install one: any that shows codes of six digits will do.',
  scan: 'Then',
  scanHint: 'Let the app read this code.',
  qr: 'A code for the camera of your authenticator app. The same stands below as text.',
  typed: 'Or type this into it:',
  confirm: 'Last',
  confirmHint: 'Type the six digits the app shows now.',
  code: 'Code',
  confirmSend: 'Turn it on',
  cancel: 'Do not set it up',
  codesTitle: 'Your recovery codes',
  codesOnce:
    'If you lose your phone, each of these gets you in once in the place of a code of the app. Print them or write them down, and keep them where you keep your papers. They are shown this one time and never again.',
  codesDone: 'I have them on paper',
  codesLeft: (n: number) =>
    count(n, { one: '1 recovery code is left.', other: `${n} recovery codes are left.` }),
  noneLeft: 'None of your recovery codes is left. Make new ones.',
  remakeHint: 'New codes take the place of the old ones, which then work no more.',
  remake: 'Make new recovery codes',
  offTitle: 'Turn it off',
  offHint: 'Then your password alone is enough. Turn it off and on again when you get another phone.',
  off: 'Turn it off',
  reset: {
    title: 'Second factor',
    hint: 'For somebody who lost both phone and recovery codes, and whom you have seen or spoken to. They are signed out everywhere and sign in with the password alone until they set it up again.',
    send: 'Take the second factor away',
  },
  required: { off: 'Of nobody', staff: 'Of everybody in the office' },
  signIn: {
    title: 'Enter your code',
    why: 'Your password is right. Open the authenticator app on your phone and type the six digits it shows now.',
    code: 'Code',
    hint: 'Six digits.',
    printed: 'Use a recovery code',
    whyPrinted: 'Your password is right. Type one of your printed recovery codes. Each works once.',
    printedHint: 'Ten letters and digits.',
    send: 'Sign in',
    again: 'Sign in as somebody else',
  },
  again: {
    title: 'Is it you?',
    why: 'You have been signed in for a while. Before this is done, say once more who you are. Nothing is lost: it goes on as soon as you have.',
    password: 'Your password',
    code: 'Code of your authenticator app',
    codeHint: 'Or one of your printed recovery codes.',
    retype: {
      password: 'New password, once more',
      currentPassword: 'Password now, once more',
      code: 'New code, once more',
    } as Record<string, string>,
    send: 'It is me, go on',
  },
}

/** Mails about what was done to an account. */
export const noticeMails = {
  subject: {
    new_device: 'Your account was used in a new browser',
    password_changed: 'Your password was changed',
    email_changed: 'The address of your account was changed',
    second_factor_on: 'Your second factor is on',
    second_factor_off: 'Your second factor is off',
    second_factor_reset: 'Your second factor was taken away',
    recovery_codes_made: 'You have new recovery codes',
    recovery_code_used: 'A recovery code was used',
    identity_linked: 'Your account can be signed in to another way',
    identity_unlinked: 'One way of signing in to your account was ended',
  },
  lead: {
    new_device: 'Somebody signed in to your account in a browser it was not used in before.',
    password_changed: 'Your account has a new password.',
    email_changed: 'Your account has another address from now on. This is the last mail to this one.',
    second_factor_on: 'From now on, signing in takes your password and a code of your authenticator app.',
    second_factor_off: 'From now on, your password alone is enough to sign in.',
    second_factor_reset:
      'The building office took your second factor away, because somebody said that it was lost. You are signed out everywhere, and your password alone is enough to sign in. Set the second factor up again when you have.',
    recovery_codes_made: 'The recovery codes you had before do not work any more.',
    recovery_code_used: 'Somebody signed in with one of your printed recovery codes. It does not work again.',
    identity_linked:
      'Your account was linked to one at the house’s other sign-in service: whoever signs in there as that one is signed in here as you.',
    identity_unlinked:
      'Your account is no longer linked to the house’s other sign-in service: you sign in with your password.',
  },
  when: (time: string) => `When: ${time}.`,
  whenWhere: (time: string, device: string) => `When: ${time}. Where: ${device}.`,
  office: 'The building office did this.',
  yours: 'If it was you, there is nothing to do.',
  notYours:
    'If it was not you, somebody else may be in your account: choose a new password at once with “Forgotten your password?” on the sign-in page, look at your account for where you are signed in, and tell the building office.',
  unwanted: 'If you did not want this, tell the building office at once.',
  button: 'Open your account',
  why: 'You get this because it concerns the safety of your account. These mails cannot be turned off.',
}

/** Signing in at an identity provider: on the sign-in page, on the account page and between them. */
export const singleSignOn = {
  signIn: (name: string) => `Sign in with ${name}`,
  or: 'Or with the password you have here:',
  again: (name: string) => `Sign in with ${name} again`,
  elsewhere:
    'That opens in a new tab. When you have signed in there, come back to this one and press the button: nothing you typed is lost.',
  goOn: 'I have signed in, go on',
  orPassword: 'Or give the password you have here, if there is one.',
  againDone: {
    title: 'You are signed in',
    why: 'Close this tab, go back to the one you came from and press its button.',
    home: 'To the start page',
  },
  signedOut: {
    title: 'You are signed out here',
    why: (name: string) =>
      `With ${name} you are still signed in: whoever uses this browser next could come back in with it.`,
    there: (name: string) => `Sign out of ${name}, too`,
    home: 'To the start page',
  },
  account: {
    title: 'Single sign-on',
    linked: (name: string, email: string | null, time: string) =>
      `${email ? `${name}, as ${email}` : name}: linked since ${time}`,
    lastUsed: (time: string) => `last used ${time}`,
    neverUsed: 'not used yet',
    none: (name: string) =>
      `You can link this account to the one you have with ${name}, and sign in with that.`,
    link: (name: string) => `Link it to ${name}`,
    unlink: 'End the link',
    unlinkOne: (name: string) => `End the link to ${name}`,
    ends: 'You then sign in with your password, and are signed out everywhere else.',
    needed:
      'To end the link, have a password here first: with “Forgotten your password?” on the sign-in page.',
  },
  remove: {
    title: 'Single sign-on',
    hint: 'For somebody who cannot sign in there any more, or whose account is linked to the wrong one. They are signed out everywhere and sign in with their password; an address the other service has confirmed may link them again.',
    send: 'End the link',
  },
  leave: {
    title: (name: string) => `Link your account to ${name}`,
    why: (name: string) => `Sign in with ${name} now. After that you can use it to sign in here.`,
    go: (name: string) => `Go on to ${name}`,
    cancel: 'Do not link it',
  },
  confirm: {
    title: (name: string) => `Link this account of ${name}?`,
    who: (who: string, name: string) => `${who} (${name})`,
    account: (email: string) => `It would be linked to your account here, ${email}.`,
    check: (name: string) =>
      `Whoever can sign in with ${name} as the one named above gets into your account here. If that is not you, do not link it: sign out of ${name} and begin again.`,
    send: 'That is me, link it',
    cancel: 'Do not link it',
  },
}

/** What goes wrong on the way to an identity provider and back. */
export const singleSignOnProblems = {
  provider_away: {
    title: 'The other sign-in service does not answer',
    detail: 'It may be back in a minute: try again then, or sign in with the password you have here.',
  },
  sign_in_over: {
    title: 'That sign-in is over',
    detail: 'It took too long, was used already, or began in another browser. Begin again here.',
  },
  provider_denied: {
    title: 'You were not signed in',
    detail:
      'The other sign-in service says that you stopped there, or may not come here. Try again, or sign in with the password you have here.',
  },
  provider_refused: {
    title: 'That sign-in could not be checked',
    detail:
      'What the other sign-in service said does not hold, so nobody was signed in. Begin again; if it stays, tell the building office.',
  },
  provider_not_asked: {
    title: 'The other sign-in service did not ask for your password',
    detail:
      'For this it has to say that you signed in just now. Choose a password here with “Forgotten your password?”, and use that.',
  },
  identity_unknown: {
    title: 'Nobody here is linked to that account',
    detail:
      'Sign in with the password you have here and link it on the page of your account, or ask the building office.',
  },
  identity_unverified: {
    title: 'That account’s email address is not confirmed',
    detail:
      'Confirm it at the other sign-in service and try again, or sign in with the password you have here.',
  },
  identity_other: {
    title: 'That is another account',
    detail:
      'Your account here is linked to another one of that sign-in service. Sign in with that one, or ask the building office.',
  },
  identity_taken: {
    title: 'That cannot be linked',
    detail: 'One of the two is linked to another account already. Nothing was changed.',
  },
  identity_needed: {
    title: 'Your account would have no way in',
    detail: 'You have no password here that you may sign in with, so the link stays.',
  },
  second_factor_elsewhere: {
    title: 'Sign in the other way first',
    detail:
      'Your account is linked to the house’s other sign-in service. Sign out, sign in with that one, and then do this. If you cannot, ask an admin to end the link.',
  },
  password_closed: {
    title: 'The office signs in the other way',
    detail: 'A password is no way into this account. Use the first button of the sign-in page.',
  },
}
