/** The demo's accounts, all with `demoPassword` (decision 5.4). */
export const demoEmails = [
  'resident@example.com',
  'board@example.com',
  'manager@example.com',
  'admin@example.com',
]

/** Public, as every start prints it, so it opens no account in production (decision 7.10). */
export const demoPassword = 'caretaker-demo'
