import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ReadVariable } from './variables.js'

const generatedNames = ['SESSION_SECRET', 'MOBILE_API_KEY', 'CRON_SECRET', 'INBOUND_EMAIL_SECRET'] as const
/** Without a token of its own, the metrics' door stays closed, also in the embedded default. */
export const secretNames = [...generatedNames, 'METRICS_TOKEN'] as const
type SecretName = (typeof secretNames)[number]
export type Secrets = Partial<Record<SecretName, string | undefined>>

/** Least characters in production. Signatures let an attacker guess SESSION_SECRET offline. */
const least = (name: SecretName) => (name === 'SESSION_SECRET' ? 32 : 16)

/** Equal secrets open each other's endpoints; short ones can be guessed (decision 1.4). */
export function secretProblems(readVariable: ReadVariable): string[] {
  const problems =
    readVariable('DATABASE_URL') && !readVariable('SESSION_SECRET')
      ? ['SESSION_SECRET: required with DATABASE_URL']
      : []
  if (readVariable('NODE_ENV') !== 'production') return problems
  const names = secretNames.filter(readVariable)
  for (const [i, name] of names.entries()) {
    if (readVariable(name).length < least(name))
      problems.push(`${name}: at least ${least(name)} characters in production`)
    for (const other of names.slice(i + 1))
      if (readVariable(name) === readVariable(other)) problems.push(`${name} and ${other}: must differ`)
  }
  return problems
}

/** The secrets that are set; the others are generated once and kept in `file` (decision 1.4). */
export function withGeneratedKeys(values: Secrets, file: string): Secrets {
  const generated = generatedKeys(file)
  return Object.fromEntries(generatedNames.map((name) => [name, values[name] ?? generated[name]]))
}

/** linkSync is atomic: concurrent starts agree on one file, and a kill leaves no partial file. */
function generatedKeys(file: string): Secrets {
  if (!existsSync(file)) {
    const keys = Object.fromEntries(
      generatedNames.map((name) => [name, randomBytes(24).toString('base64url')]),
    )
    const draft = `${file}.${process.pid}`
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}
