import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { query } from '../../platform/db/database.js'
import { jobStates } from '../../platform/db/jobRun.js'
import { compareMigrations, migrationsRun } from '../../platform/db/migrate.js'
import { environmentWith } from '../../platform/process/config.js'
import { jobNames } from '../../vocabulary/jobs.js'
import type { HostedBuilding } from './settingsFolder.js'

/** Characters of the longest name: the server cuts names of roles after 63. */
const longest = 40
const form = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** Throws unless it can name a file, a unit of systemd and a database. */
export function requireBuildingName(name: string): string {
  if (form.test(name) && name.length <= longest) return name
  throw new Error(
    `A building’s name can have up to ${longest} characters: lowercase letters, digits and single hyphens. It must start with a letter.`,
  )
}

/**
 * The names of a building's database and roles on the server. No two buildings share one, because a
 * name has no hyphens side by side.
 */
export function identifiersOf(name: string): { database: string; serving: string; owner: string } {
  const database = `caretaker_${requireBuildingName(name).replaceAll('-', '_')}`
  return { database, serving: database, owner: `${database}__owner` }
}

/** Of a host's name, no character with a meaning in a proxy's file. */
const plainHost = /^[a-z0-9][a-z0-9.-]*$/

/**
 * An address people type, `https://host` or `http://host:port`: each building has a host of its
 * own.
 */
export function requireAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const isPlain =
    url &&
    /^https?:$/.test(url.protocol) &&
    !url.username &&
    url.href === `${url.origin}/` &&
    plainHost.test(url.hostname)
  if (isPlain) return url.origin
  throw new Error('Enter the address people use, with nothing after the host: --url https://building.example')
}

const script = (job: string) => fileURLToPath(new URL(`../../../jobs/${job}.js`, import.meta.url))

/**
 * Runs a command of operators with a building's settings, in a process of its own, which reads them
 * as it does on its own. Returns the object it prints. Throws with what it says went wrong.
 */
export async function resultOf(
  job: string,
  settings: Record<string, string>,
  args: readonly string[] = [],
): Promise<Record<string, unknown>> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script(job), ...args], {
      env: environmentWith(settings),
    })
    return JSON.parse(stdout.trim().split('\n').at(-1)!)
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Error(stderr.trim() || message.split('\n')[0], { cause: error })
  }
}

/**
 * Runs a command for a building with this process's input and output. Resolves to the exit code.
 */
export async function runCommand(
  job: string,
  settings: Record<string, string>,
  args: readonly string[],
): Promise<number> {
  const child = spawn(process.execPath, [script(job), ...args], {
    env: environmentWith(settings),
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

/** Milliseconds until a building's database counts as away. */
const patience = 5_000

/** Calls `work` with the building's database open, as its serving role. None may be open yet. */
export function inBuilding<T>({ settings }: HostedBuilding, work: () => Promise<T>): Promise<T> {
  return withDatabase(settings.DATABASE_URL!, 1, work, { patience })
}

/**
 * What a list says of a building: where it is, its last migration and how many are missing, bytes
 * of its database, and when its jobs last succeeded. Throws when its database does not answer.
 */
export async function hostedBuildingState(building: HostedBuilding): Promise<object> {
  const { PUBLIC_URL: url, PORT: port } = building.settings
  return inBuilding(building, async () => {
    const ran = await migrationsRun(query)
    const [size] = await query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
    // Without its tables, no job has run in it either.
    const jobs = ran.length > 0 ? await jobStates() : []
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
