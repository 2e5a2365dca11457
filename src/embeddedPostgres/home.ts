import { cp, mkdtemp, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Area, findSheltered, openShelter } from './area.js'
import { asMyself, asOwner, asSpareUser, inNamespace, passes, type RunAs, reaches } from './runAs.js'
import { exists, giveTo, openForPassing, removeStarting } from './trees.js'

/** Where the database files are, and who runs PostgreSQL on them. */
export type Home = { cluster: string; runAs: RunAs }

/** A home still to be filled: initdb works in `attempt`, which is then renamed to `cluster`. */
export type NewHome = Home & { attempt: string }

export type Ways = {
  /** false: do as if the system refused user namespaces */
  userNamespaces?: boolean | undefined
  /** where shelters are made instead of the system's folders */
  shelterRoots?: string[] | undefined
}

const ATTEMPT = 'cluster.init-'
const ADVICE = 'Start Caretaker as an ordinary user, or set DATABASE_URL.'

/** Only root may become somebody else, and only root has to. */
function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** The home of an earlier start, undefined at the first. Throws when its files cannot be used from here. */
export async function existingHome(area: Area, ways: Ways): Promise<Home | undefined> {
  if (!(await exists(area.cluster)) && !(await linkSheltered(area, ways))) return undefined
  const cluster = await clusterFolder(area)
  const { uid, gid } = await stat(cluster)
  if (!isRoot()) return { cluster, runAs: ownRunAs(cluster, uid) }
  for (const runAs of uid === 0 ? await namespace(ways) : [await asOwner(uid, gid)])
    if (await reaches(runAs, cluster)) return { cluster, runAs }
  if (uid === 0) return handOver(area, cluster, ways)
  throw new Error(`User ${uid}, who owns the database files in ${cluster}, cannot reach them.`)
}

/** A new home: in the data folder if any way of running PostgreSQL reaches it there, else in a shelter. */
export async function newHome(area: Area, ways: Ways): Promise<NewHome> {
  const here = await tryFolder(area, area.folder, ways)
  if (here !== undefined) return here
  const shelter = await openShelter(area, ways.shelterRoots)
  const there = await tryFolder(area, shelter, ways)
  if (there === undefined) throw new Error(`PostgreSQL refuses to run as root. ${ADVICE}`)
  return there
}

/** Renames a complete attempt into place; one made outside of the data folder is linked from there. */
export async function moveIn(area: Area, { attempt, cluster }: NewHome): Promise<void> {
  await rename(attempt, cluster)
  if (cluster !== area.cluster) await symlink(cluster, area.cluster)
}

/** The real path of the cluster. Throws when the link in the data folder leads nowhere. */
export async function clusterFolder({ cluster, dataDir }: Area): Promise<string> {
  return realpath(cluster).catch((cause) => {
    const what = `The database of ${dataDir} is gone: the link ${cluster} leads nowhere`
    throw new Error(`${what}. Bring its folder back, or remove the link to start with an empty one.`, {
      cause,
    })
  })
}

function ownRunAs(cluster: string, owner: number): RunAs {
  if (process.getuid === undefined || owner === process.getuid()) return asMyself
  throw new Error(`The database files in ${cluster} belong to user ${owner}: start Caretaker as that user.`)
}

async function namespace({ userNamespaces = true }: Ways): Promise<RunAs[]> {
  return userNamespaces && process.platform === 'linux' ? [await inNamespace()] : []
}

async function tryFolder(area: Area, folder: string, ways: Ways): Promise<NewHome | undefined> {
  await removeStarting(folder, ATTEMPT)
  const runners = isRoot() ? [...(await namespace(ways)), await asSpareUser(area.hash)] : [asMyself]
  for (const runAs of runners) {
    if (folder === area.folder) await letPass(area, runAs)
    const attempt = await mkdtemp(join(folder, ATTEMPT))
    if (await canHave(runAs, attempt)) return { runAs, attempt, cluster: join(folder, 'cluster') }
    await rm(attempt, { recursive: true })
  }
  return undefined
}

/** Root without the right to give files away, or in a container that knows no other ids, cannot hand it on. */
async function canHave(runAs: RunAs, attempt: string): Promise<boolean> {
  return giveTo(runAs.server, attempt).then(
    () => reaches(runAs, attempt),
    () => false,
  )
}

/** A cluster in a shelter which the data folder does not name yet, or no longer. */
async function linkSheltered(area: Area, ways: Ways): Promise<boolean> {
  const cluster = isRoot() ? await findSheltered(area, ways.shelterRoots) : undefined
  if (cluster === undefined) return false
  await symlink(cluster, area.cluster)
  return true
}

/** Opens our own two folders, and no other above them, to the server's group, where that is of use. */
async function letPass(area: Area, runAs: RunAs): Promise<void> {
  const { gid } = runAs.server
  if (gid === undefined || !(await passes(runAs, dirname(area.dataDir)))) return
  for (const folder of [area.dataDir, area.folder]) await openForPassing(folder, gid)
}

/** Root's own files, where namespaces no longer work: another user takes them over, here or in a copy. */
async function handOver(area: Area, cluster: string, ways: Ways): Promise<Home> {
  const runAs = await asSpareUser(area.hash)
  await letPass(area, runAs)
  if (await passes(runAs, dirname(cluster))) {
    await giveTo(runAs.server, cluster)
    return { cluster, runAs }
  }
  const copy = join(await openShelter(area, ways.shelterRoots), 'cluster')
  if (await exists(copy)) throw new Error(`Database files are in ${cluster} and in ${copy}: move one away.`)
  await copyOver(cluster, copy, runAs)
  await rename(cluster, `${cluster}.moved`)
  await symlink(copy, area.cluster)
  return { cluster: copy, runAs }
}

async function copyOver(cluster: string, copy: string, runAs: RunAs): Promise<void> {
  await removeStarting(dirname(copy), ATTEMPT)
  const attempt = join(dirname(copy), `${ATTEMPT}copy`)
  await cp(cluster, attempt, { recursive: true, preserveTimestamps: true })
  await giveTo(runAs.server, attempt)
  await rename(attempt, copy)
}
