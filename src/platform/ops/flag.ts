import { type FlagName, flags } from '../../vocabulary/flags.js'
import { query } from '../db/database.js'

/** A feature flag; `updatedAt` is null until it is first changed. */
export type Flag = { name: FlagName; enabled: boolean; updatedAt: Date | null }

/** All flags, in the order of their definition. A flag without a row is off. */
export async function allFlags(): Promise<Flag[]> {
  const rows = await query<Flag>(
    'select name, enabled, updated_at as "updatedAt" from feature_flags where name = any ($1)',
    [flags],
  )
  return flags.map(
    (name) => rows.find((row) => row.name === name) ?? { name, enabled: false, updatedAt: null },
  )
}
