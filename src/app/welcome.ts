import { config } from '../platform/process/config.js'
import { demoEmails, demoPassword } from '../vocabulary/people/demo.js'

/**
 * The text printed after `npm start`: address, who can open it, demo accounts, where the keys are.
 */
export function welcome({ port, seeded, notes }: { port: number; seeded: boolean; notes: string[] }): string {
  const address = config.publicUrl ?? `http://localhost:${port}`
  const lines = [
    '',
    `  Caretaker is ready: ${address}`,
    ...reachLines().map((line) => `  ${line}`),
    '',
    ...(config.production
      ? []
      : [`  Sign in as ${demoEmails.join(', ')}`, `  Password: ${demoPassword}`, '']),
    ...(seeded ? ['  The demo building was filled just now.'] : []),
    `  Generated keys: ${config.keysFile}`,
    `  Data and emails: ${config.dataDir}`,
    ...notes.map((note) => `  ${note}`),
    '  Stop with Ctrl-C.',
    '',
  ]
  return `${lines.join('\n')}\n`
}

/** Who can open the service, how to open it, and the risk of public passwords (decision 7.10). */
function reachLines(): string[] {
  const anyone = 'everyone there can sign in as admin with the password below'
  if (config.host !== null && isLoopback(config.host)) return []
  if (config.host !== null) return config.production ? [] : [`It is open to the network: ${anyone}.`]
  const only = 'Only this computer can open it.'
  if (config.production) return [`${only} HOST=0.0.0.0 opens it to the network.`]
  return [`${only} HOST=0.0.0.0 opens it to the network: then ${anyone}.`]
}

const isLoopback = (host: string) => /^(127\.|::1$|localhost$)/.test(host)
