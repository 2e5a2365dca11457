/** The demo's accounts, all with `demoPassword` (decision 5.4). */
export const demoEmails = [
  'resident@example.com',
  'board@example.com',
  'manager@example.com',
  'admin@example.com',
]

/** Printed at every start and in the README: in production it opens no account (decision 7.10). */
export const demoPassword = 'caretaker-demo'
