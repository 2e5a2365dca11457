import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { compiledFile } from '../support/compiled.js'
import { eventually } from '../support/run/eventually.js'
import { newFolder } from '../support/run/folders.js'
import { runs, withoutProcesses } from '../support/run/processes.js'
import { temporaryFolder } from '../support/run/temporary.js'

/** A process of a test run: it outlives its parent, and does not end when it is asked to. */
function startProcessOf(folder: string): ChildProcess {
  const script = `process.on('SIGINT', () => {}); setInterval(() => {}, 1000)`
  return spawn(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: folder }, stdio: 'ignore' })
}

describe.skipIf(withoutProcesses)('a test run that is killed', () => {
  it('leaves no process and no folder', async () => {
    const folder = newFolder()
    const left = startProcessOf(folder)
    await once(left, 'spawn')
    const cleaner = spawn(process.execPath, [await compiledFile('test/support/run/afterRun.ts'), folder])
    await once(cleaner, 'spawn')
    expect(runs(left.pid!)).toBe(true)
    // The end of the run, however it came about, is the end of this pipe.
    cleaner.stdin.destroy()
    await once(cleaner, 'exit')
    await eventually(() => expect(runs(left.pid!)).toBe(false))
    expect(existsSync(folder)).toBe(false)
  })

  it('has its folder removed by the next one, where nothing was left to do that', async () => {
    const ended = spawn(process.execPath, ['-e', ''])
    await once(ended, 'exit')
    const mine = temporaryFolder()
    const left = path.join(path.dirname(mine), `caretaker-run-${ended.pid}-killed`)
    mkdirSync(left)
    const next = temporaryFolder()
    expect(existsSync(left)).toBe(false)
    expect([existsSync(mine), existsSync(next)]).toEqual([true, true])
    for (const folder of [mine, next]) rmSync(folder, { recursive: true })
  })
})
