import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { version } from '../../../src/platform/process/version.js'
import { built } from '../../support/compiled.js'
import { keys } from '../../support/keys.js'
import { newFolder } from '../../support/run/folders.js'

it('a server whose log nobody reads goes on, keeps a bounded part of it, and says what is lost', async () => {
  const child = await talking(
    `for (let i = 0; i < 400; i++) {
       for (let line = 0; line < 100; line++) log.info({ filler: 'x'.repeat(1000) }, 'a line')
       await setImmediate()
     }
     gc()
     process.send({ bytes: process.memoryUsage().heapUsed })
     process.once('message', () => log.info('the last line'))`,
  )
  const [{ bytes }] = (await once(child, 'message')) as [{ bytes: number }]
  expect(bytes / 2 ** 20).toBeLessThan(30)

  let read = 0
  let lost = 0
  for await (const text of createInterface(child.stdout!)) {
    const line = JSON.parse(text) as { msg: string; lines?: number }
    if (line.msg === 'a line') read += 1
    if (line.lines) lost += line.lines
    if (line.lines) child.send('go on')
    if (line.msg === 'the last line') break
  }
  expect(read).toBeGreaterThan(0)
  expect(read + lost).toBe(40_000)
})

it('a start that fails is one line of the log, too', async () => {
  const child = await talking(`runUntilStopped(async () => { throw new Error('the port is taken') })`)
  const ended = once(child, 'exit')
  const lines = (await buffer(child.stdout!)).toString().trim().split('\n')
  expect(await ended).toEqual([1, null])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'fatal', msg: 'stopped', version, error: { message: 'the port is taken' } },
  ])
})

describe('a server that is told to stop', () => {
  /**
   * `lines` are written at its start; `logTime`: milliseconds that it waits
   * for a reader at its end.
   */
  const start = `process.once('message', () => process.send('alive'))
  runUntilStopped(async () => {
    process.stdout.write('Welcome\\n')
    for (let line = 0; line < lines; line++) log.info({ filler: 'x'.repeat(1000) }, 'a line')
    process.send('started')
  }, undefined, logTime)`

  async function goesOnAndEndsWell(child: Awaited<ReturnType<typeof talking>>): Promise<void> {
    await once(child, 'message')
    child.send('still there?')
    await once(child, 'message')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  }

  it('ends soon although nobody reads its log', async () => {
    const child = await talking(`const lines = 1_000; const logTime = 100; ${start}`)
    await once(child, 'message')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  })

  it('goes on, and ends well, when its reader is gone', async () => {
    const child = await talking(`const lines = 100; const logTime = 600_000; ${start}`)
    child.stdout!.destroy()
    await goesOnAndEndsWell(child)
  })

  // Linux alone has a disk that is always full.
  it.runIf(existsSync('/dev/full'))(
    'goes on, and ends well, when its log is a file on a full disk',
    async () => {
      const full = openSync('/dev/full', 'w')
      onTestFinished(() => closeSync(full))
      await goesOnAndEndsWell(await talking(`const lines = 100; const logTime = 600_000; ${start}`, full))
    },
  )

  it('ends well once its last line is read', async () => {
    const child = await talking(`const lines = 1_000; const logTime = 600_000; ${start}`)
    await once(child, 'message')
    child.kill('SIGTERM')
    const said = buffer(child.stdout!)
    expect(await once(child, 'exit')).toEqual([0, null])
    expect((await said).toString().trim().split('\n').at(-1)).toContain('"stopped"')
  })
})

/** Runs this in a process whose log is read by the test alone. `log` and `live` are there. */
async function talking(code: string, stdout: 'pipe' | number = 'pipe') {
  const folder = newFolder()
  const script = path.join(folder, 'server.mjs')
  const src = `${pathToFileURL(await built())}/src`
  writeFileSync(
    script,
    `import { setImmediate } from 'node:timers/promises'
     import { log } from '${src}/platform/process/log.js'
     import { runUntilStopped } from '${src}/platform/process/runUntilStopped.js'
     ${code}`,
  )
  const child = spawn(process.execPath, ['--expose-gc', script], {
    env: { PATH: process.env.PATH, ...keys, LOG_LEVEL: 'info' },
    stdio: ['ignore', stdout, 'ignore', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
