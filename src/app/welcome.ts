import { config } from '../platform/process/config.js'
import { demoPassword } from '../vocabulary/people/demo.js'

type Start = { port: number; seeded: boolean; demoAccounts: readonly string[]; notes: string[] }

/**
 * The text printed after `npm start`: address, who can open it, demo accounts, where the keys are.
 * `demoAccounts`: the addresses of those that this building has.
 */
export function welcome({ port, seeded, demoAccounts, notes }: Start): string {
  // They cannot sign in to production (decision 7.10).
  const openAccounts = config.production ? [] : demoAccounts
  const address = config.publicUrl ?? `http://localhost:${port}`
  const lines = [
    '',
    `  Caretaker is ready: ${address}`,
    ...reachLines(openAccounts.length > 0).map((line) => `  ${line}`),
    '',
    ...(openAccounts.length > 0
      ? [`  Sign in as ${openAccounts.join(', ')}`, `  Password: ${demoPassword}`, '']
      : []),
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
function reachLines(hasOpenAccounts: boolean): string[] {
  const anyone = 'everyone there can sign in as admin with the password below'
  if (config.host !== null && isLoopback(config.host)) return []
  if (config.host !== null) return hasOpenAccounts ? [`It is open to the network: ${anyone}.`] : []
  const only = 'Only this computer can open it.'
  if (!hasOpenAccounts) return [`${only} HOST=0.0.0.0 opens it to the network.`]
  return [`${only} HOST=0.0.0.0 opens it to the network: then ${anyone}.`]
}

const isLoopback = (host: string) => /^(127\.|::1$|localhost$)/.test(host)
