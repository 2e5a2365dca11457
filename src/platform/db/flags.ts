import { config } from '../process/config.js'
import { query } from './database.js'

/** Features that can be switched without a restart. A flag missing from the database is off. */
export const flags = ['ai_triage'] as const
export type FlagName = (typeof flags)[number]

/** A feature flag; `updatedAt` is null until it is first changed. */
type Flag = { name: FlagName; enabled: boolean; updatedAt: Date | null }

/** All flags, in the order of their definition. A flag without a row is off. */
export async function allFlags(): Promise<Flag[]> {
  const rows = await query<Flag>(
    'select name, enabled, updated_at from feature_flags where name = any ($1)',
    [flags],
  )
  return flags.map(
    (name) => rows.find((row) => row.name === name) ?? { name, enabled: false, updatedAt: null },
  )
}

/** Whether suggestions are available: the key is set and the flag is on (spec §4 rule 7). */
export async function triageIsOn(): Promise<boolean> {
  if (config.ai.apiKey === null) return false
  const [flag] = await query<{ enabled: boolean }>(
    `select enabled from feature_flags where name = 'ai_triage'`,
  )
  return flag?.enabled === true
}
