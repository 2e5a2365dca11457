import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { reservedByNodeMb } from '../../../src/platform/photos/decoder/decoder.js'
import { photoProcessor } from '../../../src/platform/photos/photoProcessor.js'
import { PhotoRefused } from '../../../src/platform/photos/photoRefused.js'
import { log } from '../../../src/platform/process/log.js'
import { compiledFile } from '../../support/compiled.js'
import { begunBy, decodersOf } from '../../support/photos/decoders.js'
import { picture } from '../../support/pictures.js'
import { eventually } from '../../support/run/eventually.js'
import { itInWholeRun, perRun } from '../../support/run/extent.js'
import { gone, runs, withoutProcesses } from '../../support/run/processes.js'

let script: string
const ends: (() => void)[] = []
beforeAll(async () => {
  script = await compiledFile('test/support/photos/faultyDecoder.ts')
})
afterAll(() => ends.forEach((end) => void end()))

describe.skipIf(withoutProcesses)('a decoder that is lost', () => {
  const ends = ['SIGSEGV', 'SIGBUS', 'SIGKILL', 'abort', 'exit', 'no frame', 'another answer']
  it.each(perRun({ quick: ends.slice(0, 1), whole: ends }))(
    'with a picture, by %s, refuses that one, and all others are processed',
    async (fault) => {
      const { warn } = logged()
      const { outcome, losses } = aProcessor()
      const outcomes = await Promise.all(['one', fault, 'two', 'three'].map(outcome))
      expect(outcomes).toEqual([{ asked: 'one' }, 'photo_unreadable', { asked: 'two' }, { asked: 'three' }])
      expect(losses()).toEqual({ start: 0, crashed: 2, late: 0 })
      expect(warn.mock.calls.map(([fact]) => (fact as unknown as { why: string }).why)).toEqual([
        'crashed',
        'crashed',
      ])
    },
  )

  itInWholeRun.each(['endless', 'no answer', 'half a frame'])(
    'with a picture that takes all time, by %s, refuses that one after its deadline',
    async (fault) => {
      logged()
      const { outcome, losses } = aProcessor({ deadline: 5_000 })
      const [pid] = await begunBy(() => outcome('one'))
      expect(await outcome(fault)).toBe('photo_unreadable')
      expect(losses()).toEqual({ start: 0, crashed: 0, late: 1 })
      await gone(pid!)
    },
  )

  itInWholeRun('by somebody else costs no picture: it is processed by another', async () => {
    logged()
    const { outcome, losses } = aProcessor()
    const [pid] = await begunBy(() => outcome('one'))
    // Stopped, it certainly has not answered yet.
    process.kill(pid!, 'SIGSTOP')
    const second = outcome('two')
    process.kill(pid!, 'SIGKILL')
    expect(await second).toEqual({ asked: 'two' })
    await gone(pid!)
    expect(losses().crashed).toBeLessThanOrEqual(1)
  })

  itInWholeRun(
    'to a picture, and answers what nobody asked, is ended before the next picture could get that answer',
    async () => {
      logged()
      const { outcome } = aProcessor()
      const [pid] = await begunBy(async () =>
        expect(await outcome('and one more')).toEqual({ asked: 'and one more' }),
      )
      await gone(pid!)
      expect(await outcome('two')).toEqual({ asked: 'two' })
    },
  )

  itInWholeRun('because it never was there refuses no picture for good', async () => {
    const { error } = logged()
    const { outcome, losses } = aProcessor({ script: '/nowhere/decoder.js' })
    expect(await outcome('one')).toBe('photo_busy')
    expect(losses()).toEqual({ start: 1, crashed: 0, late: 0 })
    expect(error.mock.calls.map(([fact]) => JSON.stringify(fact)).join()).toContain('Cannot find module')
  })
})

describe.skipIf(withoutProcesses)('a decoder’s process', () => {
  itInWholeRun('has a bounded memory', async () => {
    const { outcome } = aProcessor({ memory: 400 })
    const { most } = (await outcome('memory')) as { most: number }
    expect(most).toBeGreaterThan(32 * 2 ** 20)
    expect(most).toBeLessThan(400 * 2 ** 20)
    expect(await outcome('one')).toEqual({ asked: 'one' })
  })

  it('is given no setting, writes no file and leaves no core', async () => {
    process.env.ITS_SECRET = 'hush'
    onTestFinished(() => void delete process.env.ITS_SECRET)
    const { env, args, limits } = (await aProcessor().outcome('surroundings')) as {
      env: Record<string, string>
      args: string[]
      limits: string
    }
    // A shell adds these.
    for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) delete env[name]
    expect(Object.keys(env).sort()).toEqual(['MALLOC_ARENA_MAX', 'UV_THREADPOOL_SIZE'])
    expect(args).toEqual([process.execPath, script])
    expect(limits).toMatch(/^Max core file size\s+0 /m)
    expect(limits).toMatch(/^Max file size\s+0 /m)
    expect(limits).toMatch(new RegExp(`^Max data size\\s+${(640 + reservedByNodeMb) * 2 ** 20} `, 'm'))
  })

  itInWholeRun('leaves signals to the service, which may still have photos for it', async () => {
    const { outcome, losses } = aProcessor()
    const [pid] = await begunBy(() => outcome('one'))
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pid!, signal)
    expect(await outcome('two')).toEqual({ asked: 'two' })
    expect([decodersOf().includes(pid!), losses().crashed]).toEqual([true, 0])
  })

  itInWholeRun('ends with the pool, and the next picture starts another', async () => {
    const { outcome, end } = aProcessor()
    const begun = await begunBy(() => outcome('one'))
    expect(begun.length).toBe(1)
    end()
    await eventually(() => expect(begun.filter(runs)).toEqual([]))
    expect(await outcome('two')).toEqual({ asked: 'two' })
  })

  itInWholeRun('ends with the service, even one that is killed in the middle', async () => {
    const code = await compiledFile('src/platform/photos/photoProcessor.ts')
    const program = `const { photoProcessor } = await import(${JSON.stringify(code)})
      const { process: decode } = photoProcessor({ script: ${JSON.stringify(script)}, deadline: 60000, memory: 640 })
      await decode(Buffer.from([0xff, 0xd8, 0xff, 0x31]))
      decode(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('no answer')]))
      console.log('begun')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const begun = decodersOf(child.pid)
    expect(begun.length).toBe(1)
    child.kill('SIGKILL')
    await eventually(() => expect(begun.filter(runs)).toEqual([]))
  })

  itInWholeRun.each(['first', 'second'])(
    'that cannot be made for want of open files, as the %s, ends nothing',
    async (which) => {
      const code = await compiledFile('src/platform/photos/photoProcessor.ts')
      const program = `const { photoProcessor } = await import(${JSON.stringify(code)})
      const { closeSync, openSync } = await import('node:fs')
      const { process: decode, end } = photoProcessor({ script: ${JSON.stringify(script)}, deadline: 60000, memory: 640 })
      const outcome = () => decode(Buffer.from([0xff, 0xd8, 0xff, 0x31])).then(() => 'decoded', ({ problem }) => problem)
      const outcomes = []
      if (${which === 'second'}) { outcomes.push(await outcome()); end() }
      const open = []
      try { for (;;) open.push(openSync('/dev/null')) } catch ({ code }) { outcomes.push(code) }
      outcomes.push(await outcome(), await outcome())
      open.forEach((file) => closeSync(file))
      outcomes.push(await outcome())
      console.log('outcomes: ' + outcomes.join(' '))`
      const node = [process.execPath, '--input-type=module', '-e', program]
      const { stdout } = await promisify(execFile)(
        '/bin/sh',
        ['-c', 'ulimit -n 256; exec "$@"', '-', ...node],
        {
          timeout: 120_000,
        },
      )
      const before = which === 'second' ? 'decoded ' : ''
      expect(stdout).toContain(`outcomes: ${before}EMFILE photo_busy photo_busy decoded`)
    },
  )

  itInWholeRun('keeps no process alive', async () => {
    const code = await compiledFile('src/platform/photos/photoProcessor.ts')
    const photo = (await picture()).toString('base64')
    const program = `const { processPhoto } = await import(${JSON.stringify(code)})
      const { width } = await processPhoto(Buffer.from('${photo}', 'base64')); console.log(width)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      timeout: 120_000,
    })
    expect(stdout).toBe('64\n')
  })
})

const asking = (what: string) => Buffer.from(`\xff\xd8\xff${what}`, 'latin1')

function aProcessor(differing: { script?: string; deadline?: number; memory?: number } = {}) {
  const made = photoProcessor({ script, deadline: 60_000, memory: 640, ...differing })
  ends.push(made.end)
  return {
    ...made,
    /** What the decoder answered, or why the picture was refused. */
    outcome: (what: string) =>
      made.process(asking(what)).then(
        ({ photo }) => JSON.parse(photo.toString()),
        (error) => (error instanceof PhotoRefused ? error.problem : error),
      ),
  }
}

function logged() {
  const [warn, error] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'error')]
  onTestFinished(() => void vi.restoreAllMocks())
  return { warn, error }
}
