import { statfs } from 'node:fs/promises'
import { type FlagName, flags } from '../../vocabulary/flags.js'
import { query } from '../db/database.js'
import { config } from './config.js'

/** Bytes that are free for us on the disk of a folder; NaN where nobody can tell. */
export async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return Number.NaN
  }
}

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

/** Whether suggestions are available: the key is set and the flag is on (spec §4 rule 7). */
export async function triageIsOn(): Promise<boolean> {
  if (config.ai.apiKey === null) return false
  const [flag] = await query<{ enabled: boolean }>(
    `select enabled from feature_flags where name = 'ai_triage'`,
  )
  return flag?.enabled === true
}
