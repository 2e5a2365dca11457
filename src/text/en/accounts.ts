import { linkPurposes } from '../../vocabulary/email/linkPurposes.js'
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
  inviteAll: (n: number) => count(n, { one: 'Invite 1 person…', other: `Invite ${n} people…` }),
  inviteAllHint: 'We’ll email each of them a link to set a password, at most once a day.',
  invitations: {
    title: (n: number) =>
      count(n, { one: 'Email 1 person an invitation?', other: `Email ${n} people an invitation?` }),
    hint: 'We haven’t emailed anyone yet. Each person gets a link to set a password, which works for 7 days.',
    later: (n: number) =>
      count(n, {
        one: '1 more person can be invited after that.',
        other: `${n} more people can be invited after that.`,
      }),
    who: 'See who gets an invitation',
    send: (n: number) => count(n, { one: 'Send 1 invitation', other: `Send ${n} invitations` }),
  },
  inviteTitle: 'Invitation',
  inviteHint: `This person hasn’t set a password yet. The link in the invitation works for ${linkPurposes.invite.minutes / 1440} days.`,
  invite: 'Resend invitation',
  resetTitle: 'Password reset',
  resetHint: `We’ll email this person a link to reset their password. It works for ${linkPurposes.reset.minutes / 60} hour.`,
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
  },
  notifications: {
    title: 'Notifications',
    hint: 'Choose how we tell you. “App or browser” means the mobile app and browsers with notifications turned on.',
    what: 'Update',
    channel: { mail: 'Email', push: 'App or browser' },
    box: (what: string, channel: string) => `${what}: ${channel}`,
  },
  browsers: {
    title: 'Browser notifications',
    hint: 'Get notifications in this browser, even when this page is closed. It uses the “App or browser” choices above.',
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
    hint: 'We know the device and the time, not the place. If you don’t recognise one, sign it out.',
    here: 'this device',
    device: (browser: string | null, system: string | null) => {
      if (browser && system) return `${browser} on ${system}`
      return browser ?? system ?? 'Unknown device'
    },
    lastSeen: (time: string) => `last seen ${time}`,
    since: (time: string) => `signed in ${time}`,
    all: (n: number) => `Show all ${n}`,
    endOne: (device: string, time: string) => `Sign out ${device}, signed in ${time}`,
    endOthers: 'Sign out everywhere else',
    only: 'You’re not signed in anywhere else.',
  },
}

/** What is kept about a person, and its erasure (decision 7.31). */
export const personData = {
  title: 'Your data',
  intro:
    'What you’ve reported and written, what you follow, where you’re signed in, and what you’ve done here.',
  ofOne: 'This person’s data',
  ofOneHint: 'Use this when someone asks for their data, or asks you to delete it.',
  download: 'Download data (JSON)',
  erase: 'Delete account and data',
  eraseTitle: 'Delete your account?',
  eraseOne: (name: string) => `Delete ${name}’s account and data?`,
  goes: 'We’ll permanently delete:',
  points: [
    'name, email address, flat and password',
    'sign-ins on all devices, two-step sign-in, single sign-on and notifications on phones and in browsers',
  ],
  follows: {
    own: 'the list of what you follow, and all unsent emails to you',
    ofOne: 'the list of what this person follows, and all unsent emails to them',
  },
  stays: {
    own: 'Your reports, comments and photos stay, shown as “Deleted person”, and so does what the audit log says you did. Before deleting, ask the office to hide any text that names you. Existing backups aren’t changed.',
    ofOne:
      'Reports, comments, photos and audit log entries stay, shown as “Deleted person”. Before deleting, hide any text that names this person. Existing backups aren’t changed.',
  },
  forGood: 'This cannot be undone.',
  eraseYes: 'Yes, delete this account',
}
