import { config } from '../process/config.js'
import { rowOf } from './row.js'

/** Features that can be switched without a restart. A flag missing from the database is off. */
export const flags = ['ai_triage'] as const
export type FlagName = (typeof flags)[number]

/** A feature flag; `updatedAt` is null until it is first changed. */
type Flag = { name: FlagName; enabled: boolean; updatedAt: Date | null }

/** A row of `feature_flags`. */
class FeatureFlag extends rowOf<Flag>() {
  static override tableName = 'feature_flags'
  static override idColumn = 'name'
}

/** All flags, in the order of their definition. A flag without a row is off. */
export async function allFlags(): Promise<Flag[]> {
  const rows = await FeatureFlag.query().findByIds([...flags])
  return flags.map((name) => {
    const { enabled = false, updatedAt = null } = rows.find((row) => row.name === name) ?? {}
    return { name, enabled, updatedAt }
  })
}

/** Whether suggestions are available: the key is set and the flag is on (spec §4 rule 7). */
export async function triageIsOn(): Promise<boolean> {
  if (config.ai.apiKey === null) return false
  const flag = await FeatureFlag.query().findById('ai_triage')
  return flag?.enabled === true
}
