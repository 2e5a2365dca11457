import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout's root, both for this file and for its compiled twin under dist. */
export const checkout = fileURLToPath(new URL('../../', import.meta.url)).replace(/dist[/\\]$/, '')

/** The text of a file of this checkout, by its path from the root. */
export const readCheckout = (file: string): string => readFileSync(join(checkout, file), 'utf8')

const SOURCES = ['src', 'jobs', 'migrations', 'test/support', 'tools']

/** The path of dist, which the run has compiled before its first test. */
export async function built(): Promise<string> {
  return join(checkout, 'dist')
}

/**
 * The path of what a source file is compiled to, for a process that is started with it:
 * `compiledFile('src/server.ts')`. Throws where there is no such source file.
 */
export async function compiledFile(source: string): Promise<string> {
  if (!existsSync(join(checkout, source))) throw new Error(`There is no ${source}`)
  return join(await built(), source.replace(/\.ts$/, '.js'))
}

/**
 * Compiles what changed, where a source is newer than dist. The stamp is ours: the compiler's own
 * also changes when it only checks.
 */
export async function compileIfNeeded(): Promise<void> {
  const dist = await built()
  const stamp = join(dist, '.built')
  await mkdir(dist, { recursive: true })
  const changes = await Promise.all(SOURCES.map((folder) => latestChange(join(checkout, folder))))
  const made = await stat(stamp).catch(() => undefined)
  if (made !== undefined && made.mtimeMs > Math.max(...changes)) return
  // Dated by the files' own clock, and as of the beginning: what changes meanwhile
  // is compiled the next time.
  const next = `${stamp}.next`
  await writeFile(next, '')
  await compile()
  await rename(next, stamp)
}

async function latestChange(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sources = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  const times = await Promise.all(
    sources.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mtimeMs),
  )
  return Math.max(0, ...times)
}

/**
 * Types are the check's business, not the tests'. Exit code 2 means: errors,
 * but everything was written.
 */
async function compile(): Promise<void> {
  const build = join(checkout, 'jobs', 'build.mjs')
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, [build, '--noCheck', '--tools'], (error, stdout) => {
      if (error === null || error.code === 2) resolve()
      else reject(new Error(`The build failed: ${stdout}`, { cause: error }))
    })
  })
}
