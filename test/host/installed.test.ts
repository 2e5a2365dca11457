import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { checkout, readCheckout } from '../support/compiled.js'
import { inDatabase, useDatabase } from '../support/database.js'
import { inPlainFolder, installForProduction, stepsOf } from '../support/host/plainFolder.js'
import { keys } from '../support/keys.js'
import { watched } from '../support/process.js'
import { inWholeRun, itInWholeRun, perRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const processes = ['start', 'worker']

/** The work folder of the image, which has no compiler. */
let image = ''
beforeAll(async () => {
  image = await inPlainFolder(stepsOf(readCheckout('Dockerfile')), folder)
})

describe('a command of operators', () => {
  const { scripts } = JSON.parse(readCheckout('package.json')) as { scripts: Record<string, string> }

  /** What a developer alone runs: these may need the compiler. */
  const ofDevelopers =
    'build test test:all golden pictures check format schema bench fuzz torture mutants'.split(' ')

  const ofOperators = Object.keys(scripts).filter(
    (name) => !ofDevelopers.includes(name.replace(/^pre/, '')) && !name.startsWith('pre'),
  )

  /**
   * Need the demo, a private building or a server for many, or write what an image is told:
   * each has tests of its own.
   */
  const needsMore = ['move', 'seed', 'setup', 'buildings']

  it('runs compiled code, which is brought up to date before it where that can be', () => {
    expect(ofOperators).toEqual(expect.arrayContaining([...processes, 'migrate', 'admin', 'tidy']))
    for (const name of ofOperators) {
      expect([name, scripts[name]]).toEqual([name, expect.stringMatching(/^node dist\/[\w/]+\.js$/)])
      expect([name, scripts[`pre${name}`]]).toEqual([name, 'npm run --silent build'])
    }
  })

  it.each(
    perRun({
      quick: ['migrate'],
      whole: ofOperators.filter((name) => ![...processes, ...needsMore].includes(name)),
    }),
  )('%s works in an image without the compiler', async (name) => {
    expect(existsSync(path.join(image, 'node_modules/typescript'))).toBe(false)
    for (const each of [first[name] ?? [], name].flat()) {
      const { stdout } = await run('npm', ['run', '--silent', each, '--', ...(messages[each] ?? [])], {
        cwd: image,
        env: env(),
      })
      expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toBeTypeOf('object')
    }
  })
})

describe('a process of the Procfile', () => {
  it('is one program without a shell’s words, which every runner can start and stop', () => {
    expect(procfile.map(([name]) => name)).toEqual(['release', 'web', 'worker'])
    for (const [, command] of procfile) expect(command).toMatch(/^node [\w./]+$/)
  })

  /**
   * How runners start a line: as words, in a group of its own by way of a shell, and as
   * units exported for systemd.
   */
  const runners: Record<string, (command: string) => ChildProcess> = {
    words: (command) => spawn(process.execPath, command.split(' ').slice(1), options()),
    group: (command) => spawn('sh', ['-c', command], { ...options(), detached: true }),
    export: (command) => spawn('bash', ['-c', `exec -a caretaker.1 ${command}`], options()),
  }
  const options = () => ({ cwd: image, env: env(), stdio: ['ignore', 'pipe', 'pipe'] as 'pipe'[] })
  const cases = Object.keys(runners).flatMap((runner) =>
    processes.map((name) => ({ runner, name: name === 'start' ? 'web' : name })),
  )

  itInWholeRun.each(cases)('$name ends with SIGTERM, started as $runner', async ({ runner, name }) => {
    const child = runners[runner]!(procfile.find(([each]) => each === name)![1])
    await watched(child).printed(/"msg":"(listening|working)"/)
    const ended = once(child, 'exit')
    // The output closes when the last process that holds it has ended: none is left behind.
    const closed = once(child, 'close')
    process.kill(runner === 'group' ? -child.pid! : child.pid!, 'SIGTERM')
    const [code, signal] = await ended
    await closed
    expect([code, signal]).toEqual(runner === 'group' ? [null, 'SIGTERM'] : [0, null])
  })
})

inWholeRun(() => {
  describe('compiled code', () => {
    const build = async (cwd: string, ...options: string[]) =>
      run(process.execPath, ['jobs/build.mjs', ...options], { cwd }).then(
        () => '',
        ({ stderr }: { stderr: string }) => stderr,
      )
    const stage = () => path.join(folder, 'build/opt/caretaker')

    /** A checkout of one source, and that source. */
    function smallCheckout(name: string): { small: string; source: string } {
      const small = path.join(folder, name)
      for (const each of ['src', 'jobs', 'migrations/views', 'tools'])
        mkdirSync(path.join(small, each), { recursive: true })
      for (const file of ['jobs/build.mjs', 'tsconfig.json', 'tools/tsconfig.json', 'package.json'])
        copyFileSync(path.join(checkout, file), path.join(small, file))
      symlinkSync(path.join(checkout, 'node_modules'), path.join(small, 'node_modules'))
      return { small, source: path.join(small, 'src/one.ts') }
    }

    it('is written when its sources change, and not touched while they do not: the checkout may be read-only', async () => {
      const { small, source } = smallCheckout('small')
      const made = () => {
        const dist = path.join(small, 'dist')
        const files = (readdirSync(dist, { recursive: true }) as string[]).sort()
        return files.map((file) => [file, statSync(path.join(dist, file)).ctimeMs])
      }
      writeFileSync(source, 'export const one = 1\n')
      expect(await build(small)).toBe('')
      const before = made()
      expect(before.map(([file]) => file)).toEqual(expect.arrayContaining(['.sources', 'src/one.js']))
      expect(await build(small)).toBe('')
      expect(made()).toEqual(before)
      writeFileSync(source, 'export const one: string = 1\n')
      await expect(run(process.execPath, ['jobs/build.mjs'], { cwd: small })).rejects.toMatchObject({
        stdout: expect.stringContaining('TS2322'),
      })
      expect(made().map(([file]) => file)).not.toContain('.sources')
    })

    it('is of the sources as they are, also after a build with tools of other ones', async () => {
      const { small, source } = smallCheckout('twoBuilds')
      const builds = [
        { code: 'export const one = 1;\n', options: [] },
        { code: 'export const one = 2;\n', options: ['--tools'] },
        { code: 'export const one = 1;\n', options: [] },
        { code: 'export const one = 2;\n', options: ['--tools'] },
      ]
      for (const { code, options } of builds) {
        writeFileSync(source, code)
        expect(await build(small, ...options)).toBe('')
        expect(readFileSync(path.join(small, 'dist/src/one.js'), 'utf8')).toBe(code)
      }
    })

    it('is not run when it is older than its sources, or missing, where it cannot be made', async () => {
      installForProduction(stage())
      expect(await build(stage())).toBe('')
      expect(await build(image)).toBe('')
      const source = path.join(stage(), 'src/platform/process/log.ts')
      const before = readFileSync(source, 'utf8')
      appendFileSync(source, '\n')
      expect(await build(stage())).toMatch(/has changed.*npm ci && npm run build/s)
      writeFileSync(source, before)
      expect(await build(stage())).toBe('')
      rmSync(path.join(stage(), 'dist'), { recursive: true })
      expect(await build(stage())).toMatch(/not compiled.*npm ci && npm run build/s)
    })
  })
})

const run = promisify(execFile)

const procfile = readCheckout('Procfile')
  .trim()
  .split('\n')
  .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const)

const archive = path.join(folder, 'building.tar.gz')

/** What a command needs to be told to have something to do. */
const messages: Record<string, string[]> = {
  admin: ['--email', 'owner@example.com'],
  photos: ['--sweep'],
  backup: ['--without-photos', archive],
  restore: ['--check', archive],
}

const first: Record<string, string> = { restore: 'backup' }

const env = () => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  DATABASE_URL: database(),
  MIGRATION_DATABASE_URL: inDatabase(inject('ownerUrl'), new URL(database()).pathname.slice(1)),
  DATA_DIR: path.join(folder, 'data'),
  HOST: '127.0.0.1',
  PORT: '0',
  ...keys,
})
