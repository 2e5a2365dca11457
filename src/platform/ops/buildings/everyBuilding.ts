import { closeDatabase, openDatabase, query } from '../../db/database.js'
import { compareMigrations } from '../../db/migrate.js'
import { jobStates } from '../jobRun.js'
import type { HostedBuilding } from './building.js'
import type { settingsFolder } from './settingsFolder.js'

export type Folder = ReturnType<typeof settingsFolder>

/** Milliseconds until a building's database counts as away. */
const patience = 5_000

/** All buildings that have settings, by name. */
export async function everyBuilding(folder: Folder): Promise<HostedBuilding[]> {
  const found = (await folder.names()).map(async (name) => ({ name, files: await folder.read(name) }))
  return (await Promise.all(found)).flatMap(({ name, files }) => (files ? [{ name, ...files }] : []))
}

/**
 * Calls `work` with the building's database open, as its serving role. The process's database must
 * not be open.
 */
export async function inBuilding<T>({ settings }: HostedBuilding, work: () => Promise<T>): Promise<T> {
  openDatabase(settings.DATABASE_URL!, 1, { patience })
  try {
    return await work()
  } finally {
    await closeDatabase()
  }
}

/**
 * What a list says of a building: where it is, its last migration and how many are missing, bytes
 * of its database, and when its jobs last succeeded. Throws when its database does not answer.
 */
export async function hostedBuildingState(building: HostedBuilding): Promise<object> {
  const { PUBLIC_URL: url, PORT: port } = building.settings
  return inBuilding(building, async () => {
    const names = (await query<{ name: string }>('select name from migrations order by id')).map(
      ({ name }) => name,
    )
    const [size] = await query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
    const jobs = (await jobStates()).map(({ job, lastSuccessAt }) => [job, lastSuccessAt])
    const { missing, unknown } = compareMigrations(names)
    return {
      ...{
        url,
        port: Number(port),
        schema: names.at(-1) ?? null,
        missing: missing.length,
        unknown: unknown.length,
      },
      ...{ bytes: size!.bytes, lastSuccess: Object.fromEntries(jobs) },
    }
  })
}
