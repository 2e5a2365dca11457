import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { built } from './compiled.js'
import type { HeldSocket } from './host/heldSocket.js'

const run = promisify(execFile)

/**
 * Only what a test says reaches the process, so that the machine's own settings
 * cannot decide its outcome.
 */
const bare = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  LANG: 'C.UTF-8',
  // Node 22 and newer keep compiled code there: to compile is half of a start.
  NODE_COMPILE_CACHE: path.join(tmpdir(), 'compiled'),
}

export type Caretaker = {
  origin: string
  child: ChildProcess
  /** Everything it has printed so far. */
  output: () => string
  /**
   * Sends a signal and waits for the end; resolves to the exit code, null when a signal ended it.
   */
  end: (signal?: NodeJS.Signals) => Promise<number | null>
}

/**
 * Starts the compiled server as `npm start` does, on a free port, and waits until it listens.
 * `script`: what starts it, in dist, or its path in another build. `socket`: what it listens on,
 * as systemd hands it over.
 */
export async function startCaretaker(
  env: Record<string, string>,
  script = 'src/server.js',
  socket?: HeldSocket,
): Promise<Caretaker> {
  const given = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', ...env }
  const { printed, ...server } = watched(await spawnCaretaker(given, script, socket))
  const [, port] = await printed(/"port":(\d+),"msg":"listening"/)
  return { origin: `http://127.0.0.1:${port}`, ...server }
}

/**
 * Runs it to its end, for starts that must fail or are stopped by `meanwhile`; resolves to its
 * code and what it printed.
 */
export async function endOfCaretaker(
  env: Record<string, string>,
  meanwhile: (child: ChildProcess) => Promise<void> = async () => {},
): Promise<{ code: number | null; output: string }> {
  const { child, output, ended } = watched(await spawnCaretaker(env))
  await meanwhile(child)
  return { code: await ended, output: output() }
}

/** Starts the compiled worker process and waits until it says that it works. */
export async function startWorker(
  env: Record<string, string>,
): Promise<Pick<Caretaker, 'child' | 'end' | 'output'>> {
  const { printed, ...worker } = watched(
    await spawnCaretaker({ ...env, LOG_LEVEL: 'info' }, 'jobs/worker.js'),
  )
  await printed('"msg":"working"')
  return worker
}

/**
 * What a process prints, and its end. `printed` resolves to the first that is like this, and
 * rejects when the process ends before; `ended` resolves to its code once all that it printed is
 * read: the news of its end may come before its last line.
 */
export function watched(child: ChildProcess) {
  let text = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (text += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    child,
    output: () => text,
    ended,
    end: (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
    printed: (like: RegExp | string) =>
      new Promise<RegExpMatchArray>((resolve, reject) => {
        const look = () => {
          const found = text.match(like)
          if (found) resolve(found)
        }
        for (const stream of [child.stdout!, child.stderr!]) stream.on('data', look)
        void ended.then((code) => reject(new Error(`ended with ${code}: ${text}`)))
      }),
  }
}

async function spawnCaretaker(
  env: Record<string, string>,
  script = 'src/server.js',
  socket?: HeldSocket,
): Promise<ChildProcess> {
  const file = path.resolve(await built(), script)
  if (!socket)
    return spawn(process.execPath, [file], { env: { ...bare, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  // The process must be told its own id, which the shell has before it becomes that process.
  return spawn('sh', ['-c', 'LISTEN_PID=$$ exec "$0" "$1"', process.execPath, file], {
    env: { ...bare, ...env, LISTEN_FDS: '1' },
    stdio: ['ignore', 'pipe', 'pipe', socket.fd],
  })
}

/**
 * Runs a job from the command line; resolves to the object it prints last. Throws when it ends with
 * another code than 0. `name`: of the job, or its path in another build.
 */
export async function runJobProcess(
  name: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { stdout } = await run(
    process.execPath,
    [path.resolve(await built(), 'jobs', `${name}.js`), ...args],
    {
      env: { ...bare, ...env },
    },
  )
  return JSON.parse(stdout.trim().split('\n').at(-1)!)
}

/** What a process logged, line by line. Of its last line a part may have come so far: it waits. */
export function logLines<Line>({ output }: Pick<Caretaker, 'output'>): Line[] {
  const printed = output()
  return printed
    .slice(0, printed.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
}
