import { plural } from '../plural.js'

const count = plural('en')

/** The office's pages of people. */
export const people = {
  title: 'People',
  intro: 'Everybody with an account. Somebody added without a password gets an invitation by email.',
  none: 'There is nobody yet.',
  create: 'Add a person',
  edit: (name: string) => name,
  remove: 'Delete this person',
  blocked: 'Make the account inactive instead: nobody can sign in with it, and the history keeps its name.',
  fields: {
    name: 'Name',
    email: 'Email',
    role: 'Role',
    unitId: 'Flat',
    locale: 'Language',
    active: 'Active',
    password: 'Password',
    state: 'Account',
    lastSeenAt: 'Last seen',
  },
  hints: {
    role: 'Everybody but residents sees the office. Only admins manage people, switches and the audit log.',
    active: 'Nobody can sign in with an account that is not active.',
    password:
      'Leave it empty: a new person is invited and chooses one, an existing one keeps theirs. At least 12 characters.',
  },
  noUnit: 'None',
  state: { app: 'The mobile app', active: 'Active', invited: 'No password yet', inactive: 'Not active' },
  history: {
    reports: (n: number) => count(n, { one: '1 report', other: `${n} reports` }),
    comments: (n: number) => count(n, { one: '1 comment', other: `${n} comments` }),
    acts: (n: number) =>
      count(n, { one: '1 entry in the audit log', other: `${n} entries in the audit log` }),
  },
  appAccount:
    'Everybody who reports with the mobile app does so by this account. It cannot be changed or deleted.',
  inviteAll: (n: number) =>
    count(n, { one: 'Invite the one without a password', other: `Invite those without a password (${n})` }),
  inviteAllHint: 'Each gets a mail with a link to choose one. Nobody gets it twice within a day.',
  inviteTitle: 'Invitation',
  inviteHint: 'This person has not chosen a password yet. The link in an invitation works for 7 days.',
  invite: 'Send the invitation again',
  resetTitle: 'New password',
  resetHint: 'Sends a link with which this person can choose a new password. It works for an hour.',
  reset: 'Send a link',
  signOutTitle: 'Sessions',
  signOut: 'Sign out everywhere',
  lastSeen: (time: string) => `Last seen ${time}.`,
  neverSeen: 'Not signed in anywhere.',
}

/** The pages of one's own account. */
export const account = {
  title: 'Your account',
  nav: 'Your account',
  about: {
    title: 'About you',
    name: 'Name',
    nameHint: 'Others in the building see it beside what you report, unless you hide it there.',
    email: 'Email',
    emailHint: 'The building office can change it.',
    role: 'Role',
    unit: 'Flat',
    noUnit: 'None',
    locale: 'Language',
    save: 'Save',
  },
  followed: {
    title: 'Incidents you follow',
    hint: 'What do you want to hear of them, by email and in the app?',
    choice: {
      all: 'Everything: comments and changes of status',
      status: 'Changes of status only, no comments',
      nothing: 'Nothing',
    },
    single: 'You have chosen one by one, below.',
    save: 'Save this choice',
  },
  told: {
    title: 'What you are told, one by one',
    hint: 'Mails come to your address, app messages to phones with the app and to browsers that are notified.',
    what: 'What',
    channel: { mail: 'Email', push: 'App' },
    kind: {
      created: 'A new report is there',
      status: 'Something I follow has a new status',
      comment: 'Somebody comments on something I follow',
      escalated: 'Nobody answered something I follow in time',
      merged: 'Something I follow is merged into another report',
      asset: 'News of lifts, doors and other things I follow',
      sweep: 'A list of reports nobody answered in time',
      digest: 'The weekly digest',
    },
    box: (what: string, channel: string) => `${what}: ${channel}`,
    save: 'Save what I am told',
  },
  browsers: {
    title: 'Notifications in browsers',
    hint: 'A browser can show you what is new in what you follow, also while this page is closed, until you sign out there. You choose above what you are told: it gets what the app gets.',
    none: 'No browser is notified yet.',
    ask: 'Notify me in this browser',
    asking: 'One moment: the browser asks whether it may.',
    cannot:
      'This browser cannot do it here. It needs an address with https; on an iPhone or iPad, add the status page to the Home Screen and open it there.',
    refused:
      'This browser was told to show no notifications of this page. Allow them in its settings, then open this page again.',
    failed: 'That did not work. Try again in a while.',
    since: (time: string) => `notified since ${time}`,
    remove: 'Stop',
    removeOne: (device: string, time: string) => `Stop notifying ${device}, notified since ${time}`,
  },
  password: {
    title: 'Password',
    current: 'Password now',
    next: 'New password',
    hint: 'At least 12 characters. A few words that do not belong together are best; names are refused.',
    ends: 'You stay signed in here and are signed out everywhere else.',
    save: 'Change the password',
  },
  sessions: {
    title: 'Where you are signed in',
    here: 'this one',
    device: (browser: string | null, system: string | null) => {
      if (browser && system) return `${browser} on ${system}`
      return browser ?? system ?? 'A device we do not know'
    },
    lastSeen: (time: string) => `last seen ${time}`,
    since: (time: string) => `signed in ${time}`,
    end: 'Sign out',
    endOne: (device: string, time: string) => `Sign out ${device}, last seen ${time}`,
    endOthers: 'Sign out everywhere else',
    only: 'You are signed in nowhere else.',
  },
}

/** The pages behind invitation and reset links, and the one that asks for a reset link. */
export const passwordLinks = {
  invite: {
    title: 'Welcome',
    lead: (name: string, house: string) =>
      `${name}, this is your account at ${house}. Choose a password for it.`,
    save: 'Choose this password and sign in',
  },
  reset: {
    title: 'Choose a new password',
    lead: (name: string) => `${name}, choose a new password. You are then signed out everywhere else.`,
    save: 'Choose this password and sign in',
  },
  email: 'Email address',
  password: 'New password',
  hint: 'At least 12 characters. A few words that do not belong together are best; names are refused.',
  forgot: {
    link: 'Forgotten your password?',
    title: 'Forgotten your password?',
    lead: 'Give the address of your account. We send a link with which you can choose a new password.',
    send: 'Send the link',
    askAgain: 'Ask for a new link',
  },
}

/** The mails with invitation and reset links. */
export const accountMails = {
  subject: {
    invite: (house: string) => `Your account at ${house}`,
    reset: 'Choose a new password',
    signIn: 'Your link to sign in',
    signUp: 'Your link to make an account',
  },
  title: {
    invite: (name: string) => `Welcome, ${name}`,
    reset: 'Choose a new password',
    signIn: 'Sign in',
    signUp: 'Make an account',
  },
  lead: {
    invite: (house: string) =>
      `You have an account at ${house} now: you can report what is broken, follow what happens, and see how lifts, doors and heating are. Choose a password to begin.`,
    reset:
      'Somebody, probably you, asked for a new password for your account. Choose it with the button below.',
    signIn:
      'Somebody, probably you, wants to sign in with this address. Open the link on the device and in the browser that asked for it.',
    signUp:
      'Somebody, probably you, wants to sign in with this address, which has no account yet. The link lets you make one. Open it on the device and in the browser that asked for it.',
  },
  until: (time: string) => `The link works once, until ${time}.`,
  button: {
    invite: 'Choose a password',
    reset: 'Choose a new password',
    signIn: 'Sign in',
    signUp: 'Make an account',
  },
  copy: 'If the button does not work, open this address:',
  why: {
    invite: 'You get this because the building office made an account for you.',
    reset:
      'You get this because a new password was asked for. If it was not you, do nothing: your password stays as it is.',
    signIn:
      'You get this because a link to sign in was asked for. If it was not you, do nothing: nobody gets in without it.',
    signUp:
      'You get this because a link to sign in was asked for with this address. If it was not you, do nothing: no account is made.',
  },
}

/** The switches admins have. */
export const flagPage = {
  title: 'Features',
  intro: 'Parts of this service that can be switched on and off at any time.',
  on: 'On',
  off: 'Off',
  switchOn: 'Switch on',
  switchOff: 'Switch off',
  switchOne: (what: string, name: string) => `${what}: ${name}`,
  changed: (time: string) => `Changed ${time}.`,
  never: 'Never changed.',
  name: { ai_triage: 'Suggestions while reporting' },
  about: {
    ai_triage:
      'A computer reads the title and the text of a report and suggests what is broken and how bad it is. It gets no names and no photos, and it needs a key in the settings of the server.',
  },
}
