import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { type Frame, framed, readFrames } from './protocol.js'

/** `script`: compiled, calls `answerPhotos`; `deadline` of a photo in ms; `memory` in MB. */
export type DecoderOptions = { script: string; deadline: number; memory: number }

/** No answer. `why`: `start` (no photo's fault), `crashed`, or `late` (it is ended then). */
export class DecoderLost extends Error {
  override readonly name = 'DecoderLost'
  constructor(
    readonly why: 'start' | 'crashed' | 'late',
    words: string,
  ) {
    super(words)
  }
}

/** In ms. Loading may be slow on a busy machine, which is not the photo's fault. */
const startTimeoutMs = 30_000
/** In ms, after which its 60 MB are given back. */
const idleMs = 15_000
/**
 * Photos that one process decodes. Its memory becomes fragmented, and in the end a photo finds no
 * room.
 */
const mostPhotos = 200
/** Of 19: requests come first, and a busy machine still gives it a quarter of a core's share. */
const niceness = 5
/** Characters of its last output of errors that are kept, for the log. */
const stderrTailLength = 1_500

/** MB that Node 22 and later set aside at the start and never touch, which count as memory. */
export const reservedByNodeMb = Number.parseInt(process.versions.node, 10) >= 22 ? 464 : 0

/**
 * No core file, no file at all, and a limit of memory: these are limits of a shell, which every
 * Unix has.
 */
const withLimits = (memory: number) =>
  `{ ulimit -c 0; ulimit -f 0; ulimit -d ${(memory + reservedByNodeMb) * 1024}; } 2>/dev/null; exec "$0" "$@"`
const shell = '/bin/sh'

type Process = ChildProcessByStdio<Writable, Readable, Readable>
type Running = {
  process: Process
  answered: number
  /** Its next frame. Throws DecoderLost when it ends first, or after `ms` milliseconds. */
  nextFrame: (ms: number) => Promise<Frame>
}

/**
 * A process for hostile photos: what a crash of native code, or its memory, costs is that process
 * alone. Starts with its first photo, ends after an idle quarter of a minute, and never keeps this
 * process alive.
 */
export function decoder(options: DecoderOptions) {
  let running: Running | null = null
  let idle: NodeJS.Timeout | undefined

  function end(): void {
    clearTimeout(idle)
    running?.process.kill('SIGKILL')
    running = null
  }

  async function ensureProcess(): Promise<Running> {
    if (running && running.process.exitCode === null && running.process.signalCode === null) return running
    try {
      running = spawnDecoder(options)
      await running.nextFrame(startTimeoutMs)
    } catch (error) {
      throw new DecoderLost('start', (error as Error).message)
    }
    return running
  }

  return {
    /** Answers one photo at a time. Throws DecoderLost; the next call starts another process. */
    async ask(bytes: Buffer): Promise<Frame> {
      clearTimeout(idle)
      try {
        const current = await ensureProcess()
        setRef(current.process, 'ref')
        const answer = current.nextFrame(options.deadline)
        for (const part of framed({}, bytes)) current.process.stdin.write(part)
        const frame = await answer
        setRef(current.process, 'unref')
        current.answered += 1
        if (current.answered >= mostPhotos) end()
        else idle = setTimeout(end, idleMs).unref()
        return frame
      } catch (error) {
        end()
        throw error
      }
    },
    end,
  }
}

function spawnDecoder({ script, memory }: DecoderOptions): Running {
  const program = [process.execPath, '--max-old-space-size=64', script]
  const [command, ...args] = existsSync(shell) ? [shell, '-c', withLimits(memory), ...program] : program
  const child: Process = spawn(command!, args, {
    // No secret of ours. Fewer arenas: what one photo gave back, the next one gets.
    env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  try {
    if (child.pid) setPriority(child.pid, niceness)
  } catch {
    // A system that does not allow it decodes all the same.
  }
  return { process: child, answered: 0, nextFrame: readAnswers(child) }
}

/** What a decoder's process does: it writes a frame, or ends. */
type DecoderEvent = { frame: Frame } | { lost: DecoderLost }

function readAnswers(child: Process): Running['nextFrame'] {
  let stderrTail = ''
  // A frame that no one asked for would be taken for the answer to the next photo: hostile bytes
  // made it.
  const killOnUnrequestedFrame = (event: DecoderEvent) => void ('frame' in event && child.kill('SIGKILL'))
  let handle: (event: DecoderEvent) => void = killOnUnrequestedFrame
  const fail = (why: 'crashed' | 'late', message: string) => handle({ lost: new DecoderLost(why, message) })
  // First of all: where no process could be made there are no pipes, and an error no one hears
  // would end this one.
  child.on('error', ({ message }) => fail('crashed', message))
  const read = readFrames((frame) => handle({ frame }))
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      fail('crashed', 'no frame')
    }
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderrTail = `${stderrTail}${chunk}`.slice(-stderrTailLength)
  })
  child.stdin.on('error', () => undefined)
  // Not 'exit': what it wrote before comes first.
  child.on('close', (code, signal) => fail('crashed', `${signal ?? `code ${code}`} ${stderrTail}`.trim()))
  setRef(child, 'unref')
  return (ms) =>
    new Promise((resolve, reject) => {
      // Delivers what came while this process was busy before the deadline counts.
      const timer = setTimeout(() => setImmediate(() => fail('late', `no answer in ${ms} ms`)), ms)
      handle = (event) => {
        clearTimeout(timer)
        handle = killOnUnrequestedFrame
        if ('frame' in event) resolve(event.frame)
        else reject(event.lost)
      }
      if (child.exitCode !== null || child.signalCode !== null) fail('crashed', 'ended before')
    })
}

/** Whether this process waits for the other before it ends by itself. */
function setRef(child: Process, how: 'ref' | 'unref'): void {
  child[how]()
  for (const pipe of [child.stdin, child.stdout, child.stderr])
    (pipe as unknown as { ref: () => void; unref: () => void })[how]()
}
