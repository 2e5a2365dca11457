import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { config } from '../../src/platform/process/config.js'
import { built, checkout } from '../support/compiled.js'
import { useDatabase } from '../support/database.js'
import { blocksOf, cronJobs, standIns } from '../support/host/documented.js'
import { keys } from '../support/keys.js'
import { runJobProcess } from '../support/process.js'
import { newFolder } from '../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()

/** What `docker` does here instead: the real one has no engine. */
let programs = ''

beforeAll(installSite)

describe('what cron makes of a line', () => {
  it.each([
    ['5 * * * * a $(date +%F) > x', 'a $(date +', 'F) > x'],
    ['5 * * * * a $(date +\\%F) > x', 'a $(date +%F) > x', ''],
    ['*/5 1-3 * 1,2 0 a b', 'a b', ''],
  ])('%s', (line, command, input) => {
    expect(cronJobs(`A=b\n${line}`)).toMatchObject([{ command, input, env: { A: 'b' } }])
  })

  it('begins with times', () => {
    expect(() => cronJobs('docker compose run web')).toThrow('bad minute')
  })
})

describe('a crontab of docs', () => {
  const pages = readdirSync(path.join(checkout, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.md'),
  )

  const crontabs = pages.flatMap((page) => blocksOf(page, 'crontab').map(({ text }) => ({ page, text })))

  it('is where a page names one', () => {
    expect(crontabs.map(({ page }) => page)).toEqual(['install/compose.md'])
  })

  it.each(crontabs)('$page makes a backup that can be restored, for its owner alone', async ({ text }) => {
    const at = mkdtempSync(path.join(folder, 'good-'))
    const { code, printed, files, backups } = await runAsCron(text, at)
    expect([code, printed]).toEqual([0, ''])
    expect(files).toEqual([expect.stringMatching(/^caretaker-[\dT-]+Z\.tar\.gz$/)])
    const file = path.join(backups, files[0]!)
    expect([statSync(file).mode & 0o777, statSync(backups).mode & 0o777]).toEqual([0o600, 0o700])
    const checked = await runJobProcess('restore', { DATA_DIR: folder }, '--check', file)
    expect(checked).toMatchObject({ checked: file, photos: { missing: 0 } })
    expect(checked.rows).toBeGreaterThan(10)
  })

  it.each(crontabs)('$page keeps the newest 14, and nothing else is touched', async ({ text }) => {
    const at = mkdtempSync(path.join(folder, 'many-'))
    const backups = path.join(at, 'backups/caretaker')
    mkdirSync(backups, { recursive: true })
    const days = Array.from({ length: 15 }, (_, i) => String(i + 1).padStart(2, '0'))
    const archives = days.map((day) => `caretaker-2025-01-${day}T031500Z.tar.gz`)
    for (const name of [...archives, 'caretaker-before-the-move.tar.gz', 'notes'])
      writeFileSync(path.join(backups, name), '')
    const { code, files } = await runAsCron(text, at)
    expect(code).toBe(0)
    const made = files.filter((name) => /^caretaker-20(2[6-9]|[3-9])/.test(name))
    expect(made).toHaveLength(1)
    expect(files).toEqual([...archives.slice(2), ...made, 'caretaker-before-the-move.tar.gz', 'notes'].sort())
  })

  const failures: [what: string, run: string][] = [
    ['half an archive', `printf half; echo 'the disk is full' >&2; exit 1`],
    ['nothing, and no word about it', 'exit 0'],
  ]
  it.each(failures.flatMap(([what, run]) => crontabs.map(({ page, text }) => ({ what, run, page, text }))))(
    '$page leaves no file and says so when docker writes $what',
    async ({ run, text }) => {
      const at = mkdtempSync(path.join(folder, 'bad-'))
      const broken = standIns(mkdtempSync(path.join(folder, 'broken-')), { docker: engine(run) })
      const { code, printed, files } = await runAsCron(text, at, broken)
      expect(code).toBe(1)
      expect(printed).toContain(`No backup was made in ${path.join(at, 'backups/caretaker')}.`)
      if (run.includes('disk')) expect(printed).toContain('the disk is full')
      expect(files).toEqual([])
    },
  )

  it.each([
    [['--help'], 0],
    [[], 2],
    [['--keep', '3'], 2],
    [['/tmp', '0'], 2],
    [['/tmp', '3', '4'], 2],
  ] as const)('calls a script that answers %j with %i before it writes', async (args, code) => {
    chmodSync(path.join(site, 'docs/deploy/compose/backup'), 0o755)
    const child = spawn(path.join(site, 'docs/deploy/compose/backup'), args, {
      env: { PATH: '/usr/bin:/bin' },
    })
    const ended = once(child, 'close')
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(code === 0 ? [out, err] : [err.split('\n').slice(2).join('\n'), out]).toEqual([
      expect.stringMatching(/^backup FOLDER/),
      '',
    ])
    expect((await ended)[0]).toBe(code)
  })
})

const site = path.join(folder, 'srv/caretaker')

/** What the page has an operator copy to the machine, and a `docker` that runs our jobs. */
async function installSite(): Promise<void> {
  await built()
  mkdirSync(path.join(site, 'docs'), { recursive: true })
  cpSync(path.join(checkout, 'compose.yaml'), path.join(site, 'compose.yaml'))
  cpSync(path.join(checkout, 'docs/deploy'), path.join(site, 'docs/deploy'), { recursive: true })
  const settings = { DATABASE_URL: database(), DATA_DIR: config.dataDir, ...keys }
  const env = Object.entries(settings).map(([name, value]) => `${name}='${value}'`)
  const run = `cd '${checkout}' && exec env ${env.join(' ')} '${process.execPath}' "$@"`
  programs = standIns(path.join(folder, 'works'), { docker: engine(run) })
}

const engine = (run: string) => `
[ "$1 $2" = 'compose run' ] && shift 2
# Compose reads its file from the folder that it is started in.
[ -f compose.yaml ] || { echo 'no configuration file provided: not found' >&2; exit 14; }
while [ "\${1#-}" != "$1" ]; do shift; done
grep -q "^  $1:$" compose.yaml || { echo "no such service: $1" >&2; exit 1; }
shift 2
${run}`

/** Runs the job of a page as cron does. `at`: the folders of the page are below this one. */
async function runAsCron(crontab: string, at: string, path_ = programs) {
  const [job] = cronJobs(
    crontab.replaceAll('/srv/caretaker', site).replaceAll('/var/backups', path.join(at, 'backups')),
  )
  const home = mkdtempSync(path.join(folder, 'home-'))
  const child = spawn('/bin/sh', ['-c', job!.command], {
    cwd: home,
    env: { HOME: home, LOGNAME: 'root', SHELL: '/bin/sh', ...job!.env, PATH: `${path_}:/usr/bin:/bin` },
  })
  child.stdin.end(job!.input)
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  const backups = path.join(at, 'backups/caretaker')
  const files = existsSync(backups) ? readdirSync(backups).sort() : []
  // Nothing is left in the folder that cron starts in.
  expect(readdirSync(home)).toEqual([])
  return { code: code as number, printed: out + err, files, backups }
}
