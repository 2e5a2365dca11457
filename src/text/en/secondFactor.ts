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
