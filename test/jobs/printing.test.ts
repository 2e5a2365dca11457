import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.js'
import { keys } from '../support/keys.js'

it('a command prints its result after everything it logged', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'caretaker-printing-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'jobs'))
  const script = path.join(folder, 'jobs', 'talkative.mjs')
  const dist = pathToFileURL(`${await built()}/`)
  writeFileSync(
    script,
    `import { printing } from '${new URL('jobs/run.js', dist)}'
     import { log } from '${new URL('src/log.js', dist)}'
     await printing(async () => {
       for (let i = 0; i < 500; i++) log.warn({ i }, 'a line')
       return { done: true }
     })`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    env: { PATH: process.env.PATH, ...keys, LOG_LEVEL: 'info' },
  })
  const lines = stdout.trim().split('\n')
  expect(lines).toHaveLength(501)
  expect(JSON.parse(lines.at(-1)!)).toEqual({ done: true })
})
