import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { built, checkout } from '../support/compiled.js'
import { keys } from '../support/keys.js'
import { perRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const folder = newFolder()
const data = path.join(folder, 'no-such-folder')

/** Stands where the database and the email server are said to be, and counts who connects. */
let connections = 0

beforeAll(async () => {
  await built()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void listener.close())

const programs = programsOfScripts()

describe('a command of package.json', () => {
  it('is one of these', () => {
    const names = Object.keys(programs)
    expect(names).toEqual(
      expect.arrayContaining(['start', 'worker', 'migrate', 'build', 'golden', 'test:all']),
    )
    for (const name of names)
      expect([name, programs[name]![0]]).toEqual([name, expect.stringMatching(/^(node|bash)$/)])
  })

  const strict = perRun({ quick: { every: 4 }, whole: Object.keys(programs) })
  it.each(strict)('%s refuses an option that it does not have', async (name) => {
    await expectRefusal(name, ['--no-such-option'], '--no-such-option')
  })

  it.each(perRun({ quick: { every: 4, from: 1 }, whole: Object.keys(programs) }))(
    '%s refuses arguments that mean nothing to it',
    async (name) => {
      await expectRefusal(name, ['no-such-word', 'no-such-argument'], 'no-such-')
    },
  )

  it.each(perRun({ quick: { every: 4, from: 2 }, whole: Object.keys(programs) }))(
    '%s says to --help how it is used, whatever the settings are, and does nothing else',
    async (name) => {
      const { code, stdout, stderr } = await run(name, ['--help'], { DATABASE_URL: 'nowhere', PORT: 'none' })
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^(npm (run|start)|usage: )/)
      expect([connections, existsSync(data)]).toEqual([0, false])
    },
  )

  it('refuses each option of its usage when the value is missing', async () => {
    const helped = await Promise.all(
      perRun({ quick: ['backup', 'setup', 'torture'], whole: Object.keys(programs) }).map(async (name) => ({
        name,
        usage: (await run(name, ['--help'])).stdout,
      })),
    )
    const cases = helped.flatMap(({ name, usage }) =>
      [...usage.matchAll(/^npm run [\s\S]*?(?=\n {2}\w|$)/gm)].flatMap(([line]) => {
        const words =
          /^npm run \w+ -- ((?:[\w|]+ )*)/.exec(line)?.[1]?.trim().split(' ').filter(Boolean) ?? []
        const options = [...line.matchAll(/(--[a-z-]+) [^\s|[\]-]/g)].map(([, option]) => option!)
        return options.map((option) => ({ name, args: [...words, option] }))
      }),
    )
    expect(cases.length).toBeGreaterThan(3)
    for (const { name, args } of cases) await expectRefusal(name, args, `${args.at(-1)} needs a value.`)
  })

  const wrong: [name: string, args: string[], words: string][] = [
    ['backup', ['--keep', '--to', 's3'], '--keep needs a value.'],
    ['backup', ['--keep', ''], '--keep needs a value.'],
    ['backup', ['--keep', '3', '--keep', '5'], '--keep is given twice.'],
    ['restore', ['--check=yes', 'a.tar.gz'], '--check takes no value.'],
    ['restore', [], 'Enter a file'],
    ['photos', ['--adopt', '--sweep'], 'Choose one'],
    ['sending', ['maybe'], 'Use npm run sending'],
    ['admin', ['--name', 'Ada Admin'], 'Enter an email address'],
    ['admin', ['--email', 'ada(office)@house.example'], 'Enter an email address'],
    ['setup', ['a.env'], 'Only --check takes files'],
    ['buildings', [], 'Say which'],
    ['buildings', ['run', 'lime', 'seed'], 'Commands: admin, backup'],
    ['buildings', ['run', 'lime', 'sweep', '--no-such-option'], '--no-such-option'],
    ['buildings', ['list', 'lime'], 'one argument too many: lime'],
  ]
  it.each(perRun({ quick: { every: 4, from: 1 }, whole: wrong }))('%s %j: %s', async (name, args, words) => {
    await expectRefusal(name, args, words)
  })

  it('names an option, and not the secret that is given to it', async () => {
    const { code, stderr } = await run('admin', ['--email', 'a@b.example', '--pasword=a quiet rainy day'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no option --pasword.')])
    expect(stderr).not.toContain('rainy')
  })
})

describe('a file of jobs', () => {
  it('reads its arguments before anything else', () => {
    const files = Object.values(programs)
      .flatMap((words) => words.map((word) => /^dist\/(jobs\/\w+)\.js$/.exec(word)?.[1]))
      .filter((file) => file !== undefined)
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) {
      const lines = readFileSync(path.join(checkout, `${file}.ts`), 'utf8').split('\n')
      const first = lines.find((line) => !line.startsWith('//'))
      expect([file, first]).toEqual([file, `import './support/commandLine.js'`])
    }
  })
})

const listener = createServer((socket) => {
  connections += 1
  socket.destroy()
})

type Ran = { code: number; stdout: string; stderr: string }

/** Runs a script's program with valid settings, unless others are given. */
function run(name: string, args: string[], settings: Record<string, string> = {}): Promise<Ran> {
  const [program, ...own] = programs[name]!
  const at = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    DATABASE_URL: `postgres://caretaker:secret@${at}/caretaker`,
    MIGRATION_DATABASE_URL: `postgres://owner:secret@${at}/caretaker`,
    BUILDINGS_DATABASE_URL: `postgres://maker:secret@${at}/postgres`,
    SMTP_URL: `smtp://${at}`,
    DATA_DIR: data,
    ...keys,
    ...settings,
  }
  return new Promise((resolve) => {
    execFile(program!, [...own, ...args], { cwd: checkout, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

/**
 * Refused with a sentence that has these words, above the usage; nothing was
 * connected to or written.
 */
async function expectRefusal(name: string, args: string[], words: string): Promise<void> {
  const { code, stdout, stderr } = await run(name, args)
  expect([args, code, stdout]).toEqual([args, 2, ''])
  const [sentence = '', empty, ...usage] = stderr.split('\n')
  expect(sentence).toContain(words)
  expect(empty).toBe('')
  expect(usage.join('\n')).toMatch(/npm (run|start)|\.ci\/run/)
  expect([connections, existsSync(data)]).toEqual([0, false])
}

/** By the name of a script: the last program it starts, which gets what is typed after `--`. */
function programsOfScripts(): Record<string, string[]> {
  const packageJson = readFileSync(path.join(checkout, 'package.json'), 'utf8')
  const { scripts } = JSON.parse(packageJson) as { scripts: Record<string, string> }
  // Programs of others refuse what they do not know.
  const ofOthers = ['vitest', 'biome']
  return Object.fromEntries(
    Object.entries(scripts)
      .map(([name, line]) => [name, line.split('&&').at(-1)!.trim().split(' ')] as const)
      .filter(([name, [program]]) => !name.startsWith('pre') && !ofOthers.includes(program!)),
  )
}
