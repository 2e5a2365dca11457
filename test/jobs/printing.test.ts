import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { built } from '../support/compiled.js'
import { keys } from '../support/keys.js'
import { newFolder } from '../support/run/folders.js'

it('a command prints its result alone, and its whole log on standard error', async () => {
  const folder = newFolder()
  mkdirSync(path.join(folder, 'jobs'))
  const script = path.join(folder, 'jobs', 'talkative.mjs')
  const dist = pathToFileURL(`${await built()}/`)
  writeFileSync(
    script,
    `import { printResult } from '${new URL('jobs/support/runJob.js', dist)}'
     import { log } from '${new URL('src/platform/process/log.js', dist)}'
     await printResult(async () => {
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
