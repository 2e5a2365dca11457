import { query } from '../../database.js'
import { type FlagName, flags } from '../../domain/system/flags.js'

/** A switch; `updatedAt` is null until somebody used it. */
export type Flag = { name: FlagName; enabled: boolean; updatedAt: Date | null }

/** Every switch there is, in the order of the table of them. One the database does not have yet is off. */
export async function allFlags(): Promise<Flag[]> {
  const rows = await query<Flag>(
    'select name, enabled, updated_at as "updatedAt" from feature_flags where name = any ($1)',
    [flags],
  )
  return flags.map(
    (name) => rows.find((row) => row.name === name) ?? { name, enabled: false, updatedAt: null },
  )
}
