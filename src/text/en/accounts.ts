import { plural } from '../plural.js'

const count = plural('en')

/** The office's pages of people. */
export const people = {
  title: 'People',
  intro: 'Everyone with an account. New people get an email invitation.',
  none: 'No people yet.',
  create: 'Add a person',
  edit: (name: string) => name,
  remove: 'Delete this person',
  blocked:
    'Make the account inactive instead. No one will be able to sign in with it, and past reports will keep the name.',
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
    role: 'Board members, managers and admins can use the office pages. Only admins can manage people.',
    active: 'Inactive accounts can’t sign in.',
    password:
      'At least 12 characters. Leave blank to email an invitation to a new person, or to keep the current password.',
  },
  noUnit: 'None',
  state: { app: 'App account', active: 'Active', invited: 'No password set', inactive: 'Inactive' },
  history: {
    reports: (n: number) => count(n, { one: '1 report', other: `${n} reports` }),
    comments: (n: number) => count(n, { one: '1 comment', other: `${n} comments` }),
    acts: (n: number) => count(n, { one: '1 audit log entry', other: `${n} audit log entries` }),
  },
  appAccount: 'Reports sent from the mobile app use this account. You can’t change or delete it.',
  inviteAll: (n: number) => count(n, { one: 'Invite 1 person', other: `Invite ${n} people` }),
  inviteAllHint: 'We’ll email each of them a link to set a password, at most once a day.',
  inviteTitle: 'Invitation',
  inviteHint: 'This person hasn’t set a password yet. The link in the invitation works for 7 days.',
  invite: 'Resend invitation',
  resetTitle: 'Password reset',
  resetHint: 'We’ll email this person a link to reset their password. It works for 1 hour.',
  reset: 'Send reset link',
  signOutTitle: 'Sessions',
  signOut: 'Sign out everywhere',
  lastSeen: (time: string) => `Last seen ${time}.`,
  neverSeen: 'Not signed in anywhere.',
}

/** The pages of one's own account. */
export const account = {
  title: 'Your account',
  tabs: { profile: 'Profile', notifications: 'Notifications', security: 'Security', data: 'Your data' },
  about: {
    title: 'Your details',
    name: 'Name',
    nameHint: 'Shown with your reports unless you hide it.',
    email: 'Email',
    emailHint: 'To change it, ask the building office.',
    role: 'Role',
    unit: 'Flat',
    noUnit: 'None',
    locale: 'Language',
    save: 'Save changes',
  },
  followed: {
    title: 'Reports you follow',
    hint: 'Which updates do you want?',
    choice: {
      all: 'Everything: comments and status changes',
      status: 'Status changes only',
      nothing: 'Nothing',
    },
    single: 'Custom: see below',
    save: 'Save changes',
  },
  notifications: {
    title: 'Notifications',
    hint: 'Choose how we tell you. “App” means the mobile app and browsers with notifications turned on.',
    what: 'Update',
    channel: { mail: 'Email', push: 'App' },
    kind: {
      created: 'New report',
      status: 'Status change on a report I follow',
      comment: 'Comment on a report I follow',
      escalated: 'Overdue reply to a report I follow',
      merged: 'Merge of a report I follow',
      asset: 'Updates on lifts, doors and equipment I follow',
      sweep: 'List of reports overdue for a reply',
      digest: 'Weekly summary',
    },
    box: (what: string, channel: string) => `${what}: ${channel}`,
    save: 'Save changes',
  },
  browsers: {
    title: 'Browser notifications',
    hint: 'Get notifications in this browser, even when this page is closed. It uses the “App” choices above.',
    none: 'No browsers yet.',
    ask: 'Turn on notifications',
    asking: 'Allow notifications when your browser asks.',
    cannot:
      'This browser can’t show notifications here. You need an https address; on an iPhone or iPad, add the status page to the Home Screen and open it there.',
    refused: 'Notifications are blocked. Allow them in your browser settings, then reload this page.',
    failed: 'That didn’t work. Try again in a few minutes.',
    since: (time: string) => `on since ${time}`,
    remove: 'Turn off notifications',
    removeOne: (device: string, time: string) => `Turn off notifications on ${device}, on since ${time}`,
  },
  password: {
    title: 'Password',
    current: 'Current password',
    next: 'New password',
    hint: 'At least 12 characters. Try three random words.',
    ends: 'You’ll stay signed in here and be signed out everywhere else.',
    save: 'Change password',
  },
  sessions: {
    title: 'Where you’re signed in',
    here: 'this device',
    device: (browser: string | null, system: string | null) => {
      if (browser && system) return `${browser} on ${system}`
      return browser ?? system ?? 'Unknown device'
    },
    lastSeen: (time: string) => `last seen ${time}`,
    since: (time: string) => `signed in ${time}`,
    all: (n: number) => `Show all ${n}`,
    end: 'Sign out',
    endOne: (device: string, time: string) => `Sign out ${device}, last seen ${time}`,
    endOthers: 'Sign out everywhere else',
    only: 'You’re not signed in anywhere else.',
  },
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
  email: 'Email address',
  password: 'New password',
  hint: 'At least 12 characters. Try three random words.',
  forgot: {
    link: 'Forgotten your password?',
    title: 'Reset your password',
    lead: 'Enter your email address. We’ll send a link to reset your password.',
    send: 'Send reset link',
    askAgain: 'Request a new link',
  },
}

/** The emails with invitation and reset links. */
export const accountMails = {
  subject: {
    invite: (house: string) => `Your account for ${house}`,
    reset: 'Reset your password',
    signIn: 'Your sign-in link',
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
    signIn:
      'We got a request to sign in with this address. Open the link on the same device, in the same browser.',
    signUp:
      'We got a request to sign in with this address. It doesn’t have an account yet, but you can create one with this link. Open the link on the same device, in the same browser.',
  },
  until: (time: string) => `The link works once, until ${time}.`,
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
      'You’re getting this because someone asked for a sign-in link. If it wasn’t you, ignore this email: no one can sign in without the link.',
    signUp:
      'You’re getting this because someone asked for a sign-in link for this address. If it wasn’t you, ignore this email: no account will be created.',
  },
}

/** The switches admins have. */
export const flagPage = {
  title: 'Feature switches',
  intro: 'Turn parts of the service on or off.',
  on: 'On',
  off: 'Off',
  switchOn: 'Turn on',
  switchOff: 'Turn off',
  switchOne: (what: string, name: string) => `${what}: ${name}`,
  changed: (time: string) => `Changed ${time}.`,
  never: 'Never changed.',
  name: { ai_triage: 'Suggestions while reporting' },
  about: {
    ai_triage:
      'AI reads the title and text of a report and suggests what’s broken and how bad it is. It doesn’t see names or photos. This needs an API key in the server settings.',
  },
}
