import { Worker } from 'node:worker_threads'
import { compiledFile } from './config.js'
import { limitConcurrency } from './limitConcurrency.js'
import { log } from './log.js'

/** `code`: a file under src without its extension. Times in ms, memory in MB. */
type Options = { code: string; memory: number; deadline: number; waiting: number }

/** Messages of a thread: ready once, then one answer per task. */
export type FromThread<Result> = { ready: true } | { result: Result } | { failed: string }

/** Loading may be slow on a busy machine, which is not the input's fault. */
const startTimeoutMs = 15_000
const idleMs = 60_000
const stackMb = 2

/**
 * A thread for hostile input: time and memory spent there cost neither the event loop nor the
 * process. Starts with its first task, ends after an idle minute, never keeps the process alive.
 */
export function workerThread<Task, Result>({ code, memory, deadline, waiting }: Options) {
  const inTurn = limitConcurrency({ atOnce: 1, waiting })
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = worker
    worker = null
    await ended?.terminate()
  }

  async function ensureWorker(): Promise<Worker> {
    if (worker) return worker
    // Compiled code, as Node 20 cannot load TypeScript.
    const started = new Worker(compiledFile(code), {
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 16, stackSizeMb: stackMb },
      env: {},
      execArgv: [],
    })
    // Between tasks no other listener is attached, and an unhandled 'error' would end the process.
    started.on('error', () => {})
    // One that ended while idle would never answer: the next task starts another.
    started.once('exit', () => {
      if (worker === started) worker = null
    })
    worker = started
    await nextMessage<Result>(started, startTimeoutMs)
    return started
  }

  async function runTask(task: Task, buffers: ArrayBuffer[]): Promise<Result> {
    clearTimeout(idle)
    const running = await ensureWorker()
    running.ref()
    running.postMessage(task, buffers)
    const answer = await nextMessage<Result>(running, deadline)
    if (!('result' in answer)) throw new Error('failed' in answer ? answer.failed : 'no answer')
    running.unref()
    idle = setTimeout(() => void end(), idleMs).unref()
    return answer.result
  }

  return {
    /**
     * The thread's answer; null past the deadline, memory or queue limit, or after a crash. Never
     * throws. `buffers`: those of the task whose ownership moves to the thread.
     */
    async ask(task: Task, buffers: ArrayBuffer[] = []): Promise<Result | null> {
      return inTurn(() =>
        runTask(task, buffers).catch(async (error: Error) => {
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
function nextMessage<Result>(worker: Worker, limit: number): Promise<FromThread<Result>> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      act()
    }
    const onMessage = (message: FromThread<Result>) => finish(() => resolve(message))
    const onError = (error: Error) => finish(() => reject(error))
    const onExit = () => finish(() => reject(new Error('ended')))
    const late = () => finish(() => reject(new Error('too late')))
    // Delivers messages that arrived while this thread was busy before the deadline counts.
    const timer = setTimeout(() => setImmediate(late), limit)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
}
