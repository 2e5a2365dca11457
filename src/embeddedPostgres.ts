import { type Area, inPlainWords, openArea } from './embeddedPostgres/area.js'
import { clusterFolder, type Ways } from './embeddedPostgres/home.js'
import { countLeases, takeLease } from './embeddedPostgres/leases.js'
import { withMutex } from './embeddedPostgres/mutex.js'
import { findPostmaster } from './embeddedPostgres/pidFile.js'
import { stopPostmaster } from './embeddedPostgres/postmaster.js'
import { adopt, type Ready, start, type Wish } from './embeddedPostgres/start.js'
import { exists } from './embeddedPostgres/trees.js'

export type EmbeddedServer = {
  /** connection string of the application's database on this server: user, password, host, port, database */
  url: string
  /** the same as the role that owns the database: for migrations alone */
  ownerUrl: string
  /** true when a running server was joined: one a killed process left behind, or one others use */
  adopted: boolean
  /** sentences worth printing at start, such as where the data went when it could not stay in dataDir */
  notes: string[]
  /** gives the server up; its last living user stops it and waits until it is gone. Idempotent. */
  stop(): Promise<void>
}

export type EmbeddedOptions = Ways & {
  /** the data folder; the server lives in its subfolder `postgres` */
  dataDir: string
  /** default `caretaker`; made when missing, owned by the role `caretaker_owner` */
  database?: string
  /** more PostgreSQL settings, for the one who starts the server; values without spaces */
  settings?: Record<string, string>
  log?: (message: string) => void
}

/** The mutex is held for no longer than one setup and start, or one stop. */
const ENTER_LIMIT_MS = 90_000
/** Who waits here to leave has given its lease up already: a drain need not last longer. */
const LEAVE_LIMIT_MS = 20_000

type Use = { area: Area; cluster: string; ready: Ready; adopted: boolean; leave: () => Promise<void> }

/**
 * Starts the private PostgreSQL of a data folder, or joins the one that runs there, however many processes
 * ask at once and however the last ones ended. The server survives this process unless `stop` is called.
 * Throws in plain words, within bounded time. Decisions 5.1 and 5.2.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const wish = { database: 'caretaker', settings: {}, log: () => undefined, ...options }
  try {
    const area = await openArea(options.dataDir)
    const use = await withMutex(area.mutex, ENTER_LIMIT_MS, () => enter(area, wish))
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= leave(use))
    const { url, ownerUrl } = use.ready
    return { url, ownerUrl, adopted: use.adopted, notes: notesOn(use, wish), stop }
  } catch (error) {
    throw inPlainWords(error, options.dataDir)
  }
}

async function enter(area: Area, wish: Wish): Promise<Use> {
  const leave = await takeLease(area.leases)
  try {
    const found = await adopt(area, wish)
    const ready = found ?? (await start(area, wish))
    return { area, cluster: await clusterFolder(area), ready, adopted: found !== undefined, leave }
  } catch (error) {
    await leave()
    throw error
  }
}

async function leave({ area, cluster, ready, leave }: Use): Promise<void> {
  await leave()
  // The data folder was removed under us: nobody can come any more, and nothing is left to save.
  if (!(await exists(area.mutex))) return stopPostmaster(ready.postmaster, cluster, true)
  await withMutex(area.mutex, LEAVE_LIMIT_MS, async () => {
    if ((await countLeases(area.leases)) > 0) return
    const postmaster = await findPostmaster(cluster)
    if (postmaster !== undefined) await stopPostmaster(postmaster, cluster)
  })
}

function notesOn({ area, cluster, ready }: Use, { settings }: Wish): string[] {
  const lax = ready.lax.filter((name) => !(name in settings))
  const notes = lax.map((name) => `The database runs with ${name} off: a power cut may lose what was saved.`)
  if (cluster === area.cluster) return notes
  const why = `PostgreSQL may not run as root, and an ordinary user cannot reach ${area.dataDir}`
  return [...notes, `The database files are in ${cluster}: ${why}.`]
}
