import { config } from './config.js'

/** The demo's accounts, all with `demoPassword` (decision 5.4). */
export const demoEmails = [
  'resident@example.com',
  'board@example.com',
  'manager@example.com',
  'admin@example.com',
]
export const demoPassword = 'caretaker-demo'

/** What a newcomer needs after `npm start`: the address, who to sign in as, where the keys are. */
export function welcome({ port, seeded, notes }: { port: number; seeded: boolean; notes: string[] }): string {
  const address = config.publicUrl ?? `http://localhost:${port}`
  const lines = [
    '',
    `  Caretaker is ready: ${address}`,
    '',
    ...(config.production
      ? []
      : [`  Sign in as ${demoEmails.join(', ')}`, `  with the password ${demoPassword}`, '']),
    ...(seeded ? ['  The demo building was filled just now.'] : []),
    `  Generated keys: ${config.keysFile}`,
    `  Data and mails: ${config.dataDir}`,
    ...notes.map((note) => `  ${note}`),
    '  Stop with Ctrl-C.',
    '',
  ]
  return `${lines.join('\n')}\n`
}
