import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { type Frame, framed, readFrames } from './protocol.js'

/** `script`: compiled, calls `answerPictures`; `deadline` of a picture in ms; `memory` in MB. */
export type DecoderOptions = { script: string; deadline: number; memory: number }

/** No answer. `why`: `start` (no picture's fault), `crashed`, or `late` (it is ended then). */
export class DecoderLost extends Error {
  override readonly name = 'DecoderLost'
  constructor(
    readonly why: 'start' | 'crashed' | 'late',
    words: string,
  ) {
    super(words)
  }
}

/** In ms. Loading may be slow on a busy machine, which is not the picture's fault. */
const longestStart = 30_000
/** In ms, after which its 60 MB are given back. */
const idleAfter = 15_000
/**
 * Pictures that one process decodes. Its memory becomes fragmented, and in the end a picture finds
 * no room.
 */
const mostPictures = 200
/** Of 19: requests come first, and a busy machine still gives it a quarter of a core's share. */
const niceness = 5
/** Characters of its last words that are kept, for the log. */
const mostWords = 1_500

/** MB that Node 22 and later set aside at the start and never touch, which count as memory. */
export const setAside = Number.parseInt(process.versions.node, 10) >= 22 ? 464 : 0

/**
 * No core file, no file at all, and a limit of memory: these are limits of a shell, which every
 * Unix has.
 */
const limited = (memory: number) =>
  `{ ulimit -c 0; ulimit -f 0; ulimit -d ${(memory + setAside) * 1024}; } 2>/dev/null; exec "$0" "$@"`
const shell = '/bin/sh'

type Process = ChildProcessByStdio<Writable, Readable, Readable>
type Running = {
  process: Process
  answered: number
  /** Its next frame. Throws DecoderLost when it ends first, or after `ms` milliseconds. */
  heard: (ms: number) => Promise<Frame>
}

/**
 * A process for hostile pictures: what a crash of native code, or its memory, costs is that process
 * alone. Starts with its first picture, ends after an idle quarter of a minute, and never keeps
 * this process alive.
 */
export function decoder(options: DecoderOptions) {
  let running: Running | null = null
  let idle: NodeJS.Timeout | undefined

  function end(): void {
    clearTimeout(idle)
    running?.process.kill('SIGKILL')
    running = null
  }

  async function started(): Promise<Running> {
    if (running && running.process.exitCode === null && running.process.signalCode === null) return running
    try {
      running = begin(options)
      await running.heard(longestStart)
    } catch (error) {
      throw new DecoderLost('start', (error as Error).message)
    }
    return running
  }

  return {
    /** Answers one picture at a time. Throws DecoderLost; the next call starts another process. */
    async ask(bytes: Buffer): Promise<Frame> {
      clearTimeout(idle)
      try {
        const now = await started()
        holding(now.process, 'ref')
        const answer = now.heard(options.deadline)
        for (const part of framed({}, bytes)) now.process.stdin.write(part)
        const frame = await answer
        holding(now.process, 'unref')
        now.answered += 1
        if (now.answered >= mostPictures) end()
        else idle = setTimeout(end, idleAfter).unref()
        return frame
      } catch (error) {
        end()
        throw error
      }
    },
    end,
  }
}

function begin({ script, memory }: DecoderOptions): Running {
  const program = [process.execPath, '--max-old-space-size=64', script]
  const [command, ...args] = existsSync(shell) ? [shell, '-c', limited(memory), ...program] : program
  const started: Process = spawn(command!, args, {
    // No secret of ours. Fewer arenas: what one picture gave back, the next one gets.
    env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  try {
    if (started.pid) setPriority(started.pid, niceness)
  } catch {
    // A system that does not allow it decodes all the same.
  }
  return { process: started, answered: 0, heard: hearing(started) }
}

function hearing(process: Process): Running['heard'] {
  let words = ''
  type Act = { frame: Frame } | { lost: DecoderLost }
  // What no one asked for would be taken for the answer to the next picture: hostile bytes made it.
  const unasked = (act: Act) => void ('frame' in act && process.kill('SIGKILL'))
  let settle: (act: Act) => void = unasked
  const lose = (why: 'crashed' | 'late', message: string) => settle({ lost: new DecoderLost(why, message) })
  // First of all: where no process could be made there are no pipes, and an error no one hears
  // would end this one.
  process.on('error', ({ message }) => lose('crashed', message))
  const read = readFrames((frame) => settle({ frame }))
  process.stdout.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      lose('crashed', 'no frame')
    }
  })
  process.stderr.on('data', (chunk: Buffer) => {
    words = `${words}${chunk}`.slice(-mostWords)
  })
  process.stdin.on('error', () => undefined)
  // Not 'exit': what it wrote before comes first.
  process.on('close', (code, signal) => lose('crashed', `${signal ?? `code ${code}`} ${words}`.trim()))
  holding(process, 'unref')
  return (ms) =>
    new Promise((resolve, reject) => {
      // Delivers what came while this process was busy before the deadline counts.
      const timer = setTimeout(() => setImmediate(() => lose('late', `no answer in ${ms} ms`)), ms)
      settle = (act) => {
        clearTimeout(timer)
        settle = unasked
        if ('frame' in act) resolve(act.frame)
        else reject(act.lost)
      }
      if (process.exitCode !== null || process.signalCode !== null) lose('crashed', 'ended before')
    })
}

/** Whether this process waits for the other before it ends by itself. */
function holding(child: Process, how: 'ref' | 'unref'): void {
  child[how]()
  for (const pipe of [child.stdin, child.stdout, child.stderr])
    (pipe as unknown as { ref: () => void; unref: () => void })[how]()
}
