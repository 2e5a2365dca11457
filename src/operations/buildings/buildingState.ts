import { query } from '../../platform/db/database.js'
import { jobStates } from '../../platform/db/jobRun.js'
import { compareMigrations, migrationsRun } from '../../platform/db/migrations/migrate.js'
import { withDatabase } from '../../platform/db/pools.js'
import { jobNames } from '../../vocabulary/jobs.js'
import type { HostedBuilding } from './settingsFolder.js'

/** Milliseconds until a building's database counts as away. */
const patience = 5_000

/** Calls `work` with the building's database open, as its serving role. None may be open yet. */
export function withBuildingDatabase<T>({ settings }: HostedBuilding, work: () => Promise<T>): Promise<T> {
  return withDatabase(settings.DATABASE_URL!, 1, work, { patience })
}

/** What a list says of a building. */
type HostedBuildingState = {
  url: string | undefined
  port: number
  /** Its last migration; null before the first. */
  schema: string | null
  /** How many migrations it has not run, and how many this version does not know. */
  missing: number
  unknown: number
  /** Of its database. */
  bytes: number
  /** When each of its jobs last succeeded. */
  lastSuccess: Record<string, Date | null>
}

/** Throws when the building's database does not answer. */
export async function hostedBuildingState(building: HostedBuilding): Promise<HostedBuildingState> {
  const { PUBLIC_URL: url, PORT: port } = building.settings
  return withBuildingDatabase(building, async () => {
    const ran = await migrationsRun(query)
    const [size] = await query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
    // Without its tables, no job has run in it either.
    const jobs = ran.length > 0 ? await jobStates(jobNames) : []
    const { missing, unknown } = compareMigrations(ran)
    return {
      url,
      port: Number(port),
      schema: ran.at(-1) ?? null,
      missing: missing.length,
      unknown: unknown.length,
      bytes: size!.bytes,
      lastSuccess: Object.fromEntries(jobs.map(({ job, lastSuccessAt }) => [job, lastSuccessAt])),
    }
  })
}
