import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { built } from '../support/built.js'
import { keys } from '../support/keys.js'
import { sampled } from '../support/suite/extent.js'
import { newFolder } from '../support/suite/folders.js'

it('a command prints its result alone, and its whole log on standard error', async () => {
  const folder = newFolder()
  mkdirSync(path.join(folder, 'jobs'))
  const script = path.join(folder, 'jobs', 'talkative.mjs')
  const dist = pathToFileURL(`${await built()}/`)
  writeFileSync(
    script,
    `import { printing } from '${new URL('jobs/run.js', dist)}'
     import { log } from '${new URL('src/platform/ops/log.js', dist)}'
     await printing(async () => {
       for (let i = 0; i < 500; i++) log.warn({ i }, 'a line')
       return { done: true }
     })`,
  )
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], {
    env: { PATH: process.env.PATH, ...keys, LOG_LEVEL: 'info' },
  })
  expect(stdout).toBe('{"done":true}\n')
  const lines = stderr.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).i)).toEqual(Array.from({ length: 500 }, (_, i) => i))
})

const commands = readdirSync('jobs')
  .filter((file) => file.endsWith('.ts') && !['run.ts', 'help.ts'].includes(file))
  .map((file) => file.slice(0, -3))

it.each(sampled(commands, 5))(
  'npm run %s -- --help says how it is used, and does nothing else',
  async (command) => {
    const folder = path.join(tmpdir(), `caretaker-no-folder-${process.pid}`)
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [path.join(await built(), 'jobs', `${command}.js`), '--help'],
      // Settings with which anything else would fail.
      { env: { PATH: process.env.PATH, DATABASE_URL: 'nowhere', DATA_DIR: folder, PORT: 'none' } },
    )
    expect(stdout).toMatch(new RegExp(`^npm run ${command}\\b`))
    expect(stderr).toBe('')
    expect(existsSync(folder)).toBe(false)
  },
)
