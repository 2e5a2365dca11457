import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { rootDir } from './config.js'
import { limitConcurrency } from './limitConcurrency.js'
import { log } from './log.js'

/** `code`: a file under src without its extension. Times in ms, memory in MB. */
type Options = { code: string; memory: number; deadline: number; waiting: number }

/** Messages of a thread: ready once, then one answer per task. */
export type FromThread<Result> = { ready: true } | { result: Result } | { failed: string }

/** In ms. Loading may be slow on a busy machine, which is not the input's fault. */
const longestStart = 15_000
const idleAfter = 60_000
const stack = 2

/** Threads always run compiled code: Node 20 cannot load TypeScript. */
const compiled = path.join(rootDir, 'dist', 'src')

/**
 * A thread for hostile input: time and memory spent there cost neither the event loop nor the
 * process. Starts with its first task, ends after an idle minute, never keeps the process alive.
 */
export function thread<Task, Result>({ code, memory, deadline, waiting }: Options) {
  const inTurn = limitConcurrency({ atOnce: 1, waiting })
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = worker
    worker = null
    await ended?.terminate()
  }

  async function started(): Promise<Worker> {
    if (worker) return worker
    worker = new Worker(path.join(compiled, `${code}.js`), {
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 16, stackSizeMb: stack },
      env: {},
      execArgv: [],
    })
    // Between tasks no other listener is attached, and an unhandled 'error' would end the process.
    worker.on('error', () => {})
    await heard<Result>(worker, longestStart)
    return worker
  }

  async function once(task: Task, buffers: ArrayBuffer[]): Promise<Result> {
    clearTimeout(idle)
    const running = await started()
    running.ref()
    running.postMessage(task, buffers)
    const answer = await heard<Result>(running, deadline)
    if (!('result' in answer)) throw new Error('failed' in answer ? answer.failed : 'no answer')
    running.unref()
    idle = setTimeout(() => void end(), idleAfter).unref()
    return answer.result
  }

  return {
    /**
     * The thread's answer; null past the deadline, memory or queue limit, or after a crash. Never
     * throws. `buffers`: those of the task whose ownership moves to the thread.
     */
    async ask(task: Task, buffers: ArrayBuffer[] = []): Promise<Result | null> {
      return inTurn(() =>
        once(task, buffers).catch(async (error: Error) => {
          await end()
          throw error
        }),
      ).catch((error: Error) => {
        log.warn(
          { code, reason: (error as NodeJS.ErrnoException).code ?? error.message },
          'given up in a thread',
        )
        return null
      })
    },
    end,
  }
}

/** The thread's next message; rejects when the thread ends first, or after `limit` ms. */
function heard<Result>(worker: Worker, limit: number): Promise<FromThread<Result>> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      act()
    }
    const onMessage = (message: FromThread<Result>) => settle(() => resolve(message))
    const onError = (error: Error) => settle(() => reject(error))
    const onExit = () => settle(() => reject(new Error('ended')))
    const late = () => settle(() => reject(new Error('too late')))
    // Delivers messages that arrived while this thread was busy before the deadline counts.
    const timer = setTimeout(() => setImmediate(late), limit)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
}
