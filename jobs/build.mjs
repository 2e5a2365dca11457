import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * `npm run build`, and before each command: compiles what changed. Where the compiler is not
 * installed (`npm prune --omit=dev`), says whether dist is there and made of these sources; ends
 * with 1 when it is not. `--noCheck` is for the tests: types are the business of `npm run check`.
 * `--tools` is for developers: a deployment runs src, jobs and migrations alone.
 */
const usage = `npm run build [-- --noCheck] [--tools]
  Compiles what changed. --noCheck leaves the types unchecked. --tools also compiles tools and test/support.`
const options = readOptions()
const root = fileURLToPath(new URL('../', import.meta.url))
const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const stamp = path.join(root, 'dist', '.sources')
const notesOfOther = path.join(root, 'dist', options.tools ? '.tsbuildinfo' : '.tsbuildinfo.tools')
const advice = 'Run npm ci && npm run build; npm prune --omit=dev may follow.'

process.exit(existsSync(compiler) ? compile() : check())

/** By itself: the helper that every other command uses is not compiled yet. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        noCheck: { type: 'boolean' },
        tools: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (!values.help) return values
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error.message.split('. ')[0]}.\n\n${usage}\n`)
    process.exit(2)
  }
}

function compile() {
  // Before the compiler reads them: what changes meanwhile is then found to have changed.
  const sources = fingerprint()
  const isNew = stamped() !== sources
  // A compiler that is killed halfway leaves no stamp. Where nothing changed nothing is
  // written: it may be read-only. Both projects write the same files: what the other one noted
  // of them is no longer true.
  if (isNew) for (const file of [stamp, notesOfOther]) rmSync(file, { force: true })
  const project = options.tools ? path.join(root, 'tools') : root
  const compilerOptions = options.noCheck ? ['--noCheck'] : []
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, ...compilerOptions], {
    stdio: 'inherit',
  })
  if (status === 0 && isNew) {
    copySql()
    writeFileSync(stamp, sources)
  }
  if (status === 0) noteCommit()
  return status ?? 1
}

/** SQL that migrations read stands beside them, compiled or not. */
function copySql() {
  const from = path.join(root, 'migrations')
  const to = path.join(root, 'dist', 'migrations')
  for (const file of readdirSync(from).filter((name) => /^\d+_.*\.sql$/.test(name)))
    copyFileSync(path.join(from, file), path.join(to, file))
  rmSync(path.join(to, 'views'), { recursive: true, force: true })
  cpSync(path.join(from, 'views'), path.join(to, 'views'), { recursive: true })
}

/**
 * Notes which commit this is, for src/platform/process/version.ts: as a builder without a
 * repository says, or as the repository does.
 */
function noteCommit() {
  // biome-ignore lint/style/noProcessEnv: the configuration is compiled by this
  const { COMMIT, SOURCE_VERSION, RENDER_GIT_COMMIT, RAILWAY_GIT_COMMIT_SHA } = process.env
  const deployedCommit = COMMIT || SOURCE_VERSION || RENDER_GIT_COMMIT || RAILWAY_GIT_COMMIT_SHA
  const commit = /^[0-9a-f]{7,40}$/.exec(deployedCommit || head())?.[0] ?? ''
  const file = path.join(root, 'dist', '.commit')
  const noted = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (noted !== commit) writeFileSync(file, commit)
}

function head() {
  if (!existsSync(path.join(root, '.git'))) return ''
  const { stdout } = spawnSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8' })
  return stdout?.trim() ?? ''
}

function check() {
  const made = stamped()
  const sources = fingerprint()
  // An image may leave the sources out: there is then nothing dist could be older than.
  if (made !== null && (sources === '' || sources === made)) return 0
  const what = made === null ? 'Caretaker is not compiled' : 'The code has changed since it was compiled'
  process.stderr.write(`${what}, and the compiler is not installed. ${advice}\n`)
  return 1
}

function stamped() {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : null
}

/** The hash of all sources that run, by name and content; empty when there are none. */
function fingerprint() {
  const hash = createHash('sha256')
  const files = ['src', 'jobs', 'migrations'].flatMap((folder) =>
    existsSync(path.join(root, folder))
      ? readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => /\.ts$|\d_.*\.sql$|^views.*\.sql$/.test(file))
          .map((file) => path.join(folder, file))
      : [],
  )
  for (const file of files.sort())
    hash.update(`${file.split(path.sep).join('/')}\0${readFileSync(path.join(root, file), 'utf8')}\0`)
  return files.length === 0 ? '' : hash.digest('hex')
}
