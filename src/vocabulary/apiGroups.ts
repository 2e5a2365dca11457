/** The groups of the API description, with what each is in a sentence. Generators group by them. */
export const apiGroups = {
  status: 'The state of the building and its assets, now and in the past.',
  incidents: 'What people reported, what the office wrote about it, and what became of it.',
  desk: 'The queue of the office, and what it does to several incidents at once.',
  assets: 'What can break: lifts, doors, pumps and other equipment.',
  building: 'The property, its towers, its units and the directory of contacts.',
  maintenance: 'Planned work, once or repeated.',
  emails: 'Emails that come in, and those that wait for a decision.',
  notifications: 'Who follows what, and the devices that get notifications.',
  webhooks: 'Subscriptions to events, and what was delivered.',
  users: 'People with an account, as admins manage them.',
  account: 'Signing in, and one’s own account.',
  operations: 'The schedule, health, audit log, feature flags, and this description.',
} as const

export type ApiGroup = keyof typeof apiGroups
