import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Area, openShelter } from './area.js'
import { type Binaries, findBinaries } from './binaries.js'
import { asSuperuser, checkVersion, initialize } from './cluster.js'
import { type Answer, waitForAnswer } from './greeting.js'
import { clusterFolder, existingHome, type Home, newHome, type Ways } from './home.js'
import { countLeases } from './leases.js'
import { disown, findPostmaster, waitForSingleUser } from './pidFile.js'
import { chooseSettings, endOfLog, launch, stopPostmaster, turnLog } from './postmaster.js'
import { addOwner, hasOwner } from './roles.js'
import { exists, giveTo } from './trees.js'

/** Long enough for a recovery of all the log that max_wal_size allows. */
const ANSWER_LIMIT_MS = 30_000
const LAUNCHES = 5

export type Ready = Extract<Answer, { state: 'ready' }>

export type Wish = {
  database: string
  settings: Record<string, string>
  log: (message: string) => void
} & Ways

/**
 * The server that runs on the area's cluster already; undefined when there is none. One that hangs is stopped
 * unless living processes use it. To be called with the mutex held.
 */
export async function adopt(area: Area, { database, log }: Wish): Promise<Ready | undefined> {
  if (!(await exists(area.cluster))) return undefined
  const cluster = await clusterFolder(area)
  await waitForSingleUser(cluster, ANSWER_LIMIT_MS)
  if (!(await hasOwner(cluster))) return endOlder(area, cluster)
  const answer = await waitForAnswer({ cluster, database, limitMs: ANSWER_LIMIT_MS })
  if (answer.state === 'ready') return answer
  if (answer.state === 'gone') return undefined
  if (answer.state !== 'hung' || (await countLeases(area.leases)) > 1) throw await refusal(area, answer)
  log('The private PostgreSQL found running does not answer; it is replaced.')
  await endUnusable(cluster)
  return undefined
}

/** Starts a server, after setting one up where there is none. To be called with the mutex held. */
export async function start(area: Area, wish: Wish): Promise<Ready> {
  const { home, binaries } = (await oldHome(area, wish)) ?? (await setUp(area, wish))
  await checkVersion(home.cluster, binaries)
  if (!(await hasOwner(home.cluster))) await divide(home, binaries, wish)
  await turnLog(area)
  const ready = await launchUntilReady(area, home, binaries, wish)
  // Only a convenience: a server on another port serves as well.
  await writeFile(area.port, String(ready.postmaster.port)).catch(() => undefined)
  return ready
}

/** A server of an earlier version is stopped, to be divided into two roles; not while others use it. */
async function endOlder(area: Area, cluster: string): Promise<undefined> {
  const postmaster = await findPostmaster(cluster)
  if (postmaster === undefined) return
  if ((await countLeases(area.leases)) > 1)
    throw new Error(
      `An earlier version of Caretaker still runs on ${area.dataDir}: stop it, then start this one again.`,
    )
  await stopPostmaster(postmaster, cluster)
}

/** Brings the one role of earlier versions, which owned the audit log it writes, to the two of today. */
async function divide(home: Home, binaries: Binaries, { log }: Wish): Promise<void> {
  const { cluster, runAs } = home
  log('The tables of the private PostgreSQL are given to a role of their own.')
  await disown(cluster)
  await giveTo(runAs.init, cluster)
  try {
    await addOwner(cluster, (words) => asSoonAsFree(() => asSuperuser(home, binaries, cluster, words)))
  } finally {
    await giveTo(runAs.server, cluster)
  }
}

/** Backends of a killed server may still be on their way out. */
async function asSoonAsFree(act: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + ANSWER_LIMIT_MS; ; await sleep(200)) {
    try {
      return await act()
    } catch (error) {
      if (Date.now() > until || !isStillUsed((error as Error).message)) throw error
    }
  }
}

const isStillUsed = (log: string) => /shared memory block/.test(log)

type Equipped = { home: Home; binaries: Binaries }

async function oldHome(area: Area, ways: Ways): Promise<Equipped | undefined> {
  const home = await existingHome(area, ways)
  return home && { home, binaries: await binariesFor(area, home, ways) }
}

async function setUp(area: Area, wish: Wish): Promise<Equipped> {
  wish.log('Setting up the private PostgreSQL.')
  const home = await newHome(area, wish)
  try {
    const binaries = await binariesFor(area, home, wish)
    await initialize(area, home, binaries, wish.settings.fsync !== 'off')
    return { home, binaries }
  } catch (error) {
    await rm(home.attempt, { recursive: true, force: true })
    throw error
  }
}

function binariesFor(area: Area, { runAs }: Home, { shelterRoots }: Ways): Promise<Binaries> {
  return findBinaries(runAs, () => openShelter(area, shelterRoots))
}

async function launchUntilReady(area: Area, home: Home, binaries: Binaries, wish: Wish): Promise<Ready> {
  const until = Date.now() + ANSWER_LIMIT_MS
  for (let launches = 1; ; launches++) {
    const answer = await launchOnce(area, home, binaries, wish, launches, until)
    if (answer.state === 'ready') return answer
    if (answer.state !== 'gone' || !(await worthAnother(area, launches, until)))
      throw await refusal(area, answer)
    await sleep(100)
  }
}

async function launchOnce(
  area: Area,
  home: Home,
  binaries: Binaries,
  { database, settings }: Wish,
  launches: number,
  until: number,
): Promise<Answer> {
  const { cluster } = home
  await disown(cluster)
  const launched = await launch(area, home, binaries, await chooseSettings(area, launches > 1, settings))
  const question = { cluster, database, limitMs: until - Date.now(), expected: launched.isRunning }
  const answer = await waitForAnswer(question).catch(async (error) => {
    await endUnusable(cluster)
    throw error
  })
  if (answer.state === 'hung') await endUnusable(cluster)
  return answer
}

async function endUnusable(cluster: string): Promise<void> {
  const postmaster = await findPostmaster(cluster)
  if (postmaster !== undefined) await stopPostmaster(postmaster, cluster, true)
}

/** A port or pid somebody took meanwhile, or backends of a killed server that are still on their way out. */
async function worthAnother(area: Area, launches: number, until: number): Promise<boolean> {
  const log = await endOfLog(area)
  if (isStillUsed(log)) return Date.now() < until
  return launches < LAUNCHES && /could not (bind|create any TCP)|lock file .* already exists/.test(log)
}

async function refusal(area: Area, { state }: Answer): Promise<Error> {
  const log = `Its log ${area.log} ends: ${await endOfLog(area)}`
  if (state === 'busy') return new Error('The private PostgreSQL has no free connection.')
  if (state === 'hung') return new Error(`The private PostgreSQL runs but does not answer. ${log}`)
  if (state === 'starting')
    return new Error(
      `The private PostgreSQL is still recovering and goes on: start again in a minute. ${log}`,
    )
  return new Error(`The private PostgreSQL did not start. ${log}`)
}
