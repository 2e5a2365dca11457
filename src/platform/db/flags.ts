import { type FlagName, flags } from '../../vocabulary/flags.js'
import { rowOf } from './row.js'

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

/** Whether a flag is on. */
export async function flagIsOn(name: FlagName): Promise<boolean> {
  const flag = await FeatureFlag.query().findById(name)
  return flag?.enabled === true
}
