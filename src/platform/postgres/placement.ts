import { cp, mkdtemp, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DataFolder, isOurs, openFallbackFolder } from './dataFolder.js'
import { chownTree, exists, openForPassing, removeStarting } from './folderTree.js'
import { asMyself, asOwner, asSpareUser, canPass, canWriteIn, type RunAs } from './runAs.js'
import { findServer } from './runningServer.js'

/** Where the database files are, and as whom PostgreSQL runs on them. */
export type Placement = { cluster: string; runAs: RunAs }

/**
 * A placement to be filled: initdb works in the folder `unfinished`, which is then
 * renamed to `cluster`.
 */
export type NewPlacement = Placement & { unfinished: string }

const unfinishedPrefix = 'cluster.init-'

/** Only root can switch users, and only root must. */
function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * The placement of an earlier start; undefined on the first. Throws when its files cannot be used.
 */
export async function existingPlacement(folder: DataFolder): Promise<Placement | undefined> {
  if (!(await exists(folder.cluster)) && !(await linkFallback(folder))) return undefined
  const cluster = await clusterFolder(folder)
  const { uid, gid } = await stat(cluster)
  if (!isRoot()) {
    if (uid === process.getuid?.()) return { cluster, runAs: asMyself }
    throw new Error(`The database files in ${cluster} belong to user ${uid}. Start Caretaker as that user.`)
  }
  if (uid === 0) return takeOverRootsFiles(folder, cluster)
  const runAs = await asOwner(uid, gid)
  if (await canWriteIn(runAs, cluster)) return { cluster, runAs }
  throw new Error(`User ${uid} owns the database files in ${cluster} but can't access them.`)
}

/** In the data folder if PostgreSQL's user can reach it there, else in a fallback folder. */
export async function newPlacement(folder: DataFolder): Promise<NewPlacement> {
  const placement =
    (await tryIn(folder, folder.serverFolder)) ??
    (await tryIn(folder, await openFallbackFolder(folder.fallbacks)))
  if (placement !== undefined) return placement
  throw new Error('PostgreSQL can’t run as root. Start Caretaker as another user, or set DATABASE_URL.')
}

/** The real path of the cluster. Throws when the data folder's link dangles. */
export async function clusterFolder({ cluster, dataDir }: DataFolder): Promise<string> {
  return realpath(cluster).catch((cause) => {
    const what = `The database of ${dataDir} is gone: the link ${cluster} leads nowhere`
    throw new Error(`${what}. Restore its folder, or remove the link to start with an empty one.`, {
      cause,
    })
  })
}

async function tryIn(folder: DataFolder, parent: string): Promise<NewPlacement | undefined> {
  const runAs = isRoot() ? await asSpareUser(folder.hash) : asMyself
  if (parent === folder.serverFolder) await grantTraverse(folder, runAs)
  const unfinished = await mkdtemp(join(parent, unfinishedPrefix))
  // Fails for root without the right to chown, or in a container that maps no other ids.
  const isUsable = chownTree(unfinished, runAs.server).then(() => canWriteIn(runAs, unfinished))
  if (await isUsable.catch(() => false)) return { runAs, unfinished, cluster: join(parent, 'cluster') }
  await rm(unfinished, { recursive: true })
  return undefined
}

/** Removes what set-ups that were killed or came second have left, once there is a cluster. */
export async function removeUnfinished(parent: string): Promise<void> {
  await removeStarting(parent, unfinishedPrefix).catch(() => undefined)
}

/** Links a cluster outside the data folder from there; another process may have done so. */
export async function linkTo(cluster: string, folder: DataFolder): Promise<void> {
  await symlink(cluster, folder.cluster).catch(async (error) => {
    if (!(await exists(folder.cluster))) throw error
  })
}

/** Links a cluster in a fallback folder that the data folder does not link to. */
async function linkFallback(folder: DataFolder): Promise<boolean> {
  for (const fallback of isRoot() ? folder.fallbacks : []) {
    if (!(await isOurs(fallback)) || !(await exists(join(fallback, 'cluster')))) continue
    await linkTo(join(fallback, 'cluster'), folder)
    return true
  }
  return false
}

/** Lets the server's group pass through our own two folders, and none above them. */
async function grantTraverse({ dataDir, serverFolder }: DataFolder, runAs: RunAs): Promise<void> {
  const { gid } = runAs.server
  if (gid === undefined || !(await canPass(runAs, dirname(dataDir)))) return
  for (const path of [dataDir, serverFolder]) await openForPassing(path, gid)
}

/**
 * Files of version 1.0.0, whose server ran as root in a user namespace: another user gets them, in
 * place or as a copy.
 */
async function takeOverRootsFiles(folder: DataFolder, cluster: string): Promise<Placement> {
  const running = await findServer(cluster)
  if (running !== undefined)
    throw new Error(
      `Caretaker 1.0.0 left its PostgreSQL running on ${cluster}. Stop it, or end process ${running.pid}, and start again.`,
    )
  const runAs = await asSpareUser(folder.hash)
  await grantTraverse(folder, runAs)
  if (await canPass(runAs, dirname(cluster))) {
    await chownTree(cluster, runAs.server)
    return { cluster, runAs }
  }
  const fallback = await openFallbackFolder(folder.fallbacks)
  const copy = join(fallback, 'cluster')
  if (await exists(copy))
    throw new Error(`There are database files in both ${cluster} and ${copy}. Move one of them away.`)
  const unfinished = await mkdtemp(join(fallback, unfinishedPrefix))
  await cp(cluster, unfinished, { recursive: true, preserveTimestamps: true })
  await chownTree(unfinished, runAs.server)
  await rename(unfinished, copy)
  await rename(cluster, `${cluster}.moved`)
  await linkTo(copy, folder)
  return { cluster: copy, runAs }
}
