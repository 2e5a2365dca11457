import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { rootDir } from '../../config.js'
import { log } from '../../log.js'
import { limitConcurrency } from '../system/limitConcurrency.js'

/** `code`: a file of this folder without its ending. Times in ms, memory in MB. */
type Options = { code: string; memory: number; deadline: number; waiting: number }

/** What the code of a thread posts: that it can begin, then one answer to each task. */
export type FromThread<Result> = { ready: true } | { result: Result } | { failed: string }

/** Loading the code may take long on a busy machine; that is nobody's hostile input. */
const longestStart = 15_000
const idleAfter = 60_000
const stack = 2

/** Threads run compiled code, also where the sources run: Node 20 reads no TypeScript. */
const compiled = path.join(rootDir, 'dist', 'src', 'adapters', 'mail')

/**
 * A thread for what strangers wrote: it may take its time and memory there, and neither the event loop nor the process
 * is lost with it. Started at the first task, ended after a minute without one, never what keeps the process alive.
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
    // Between two tasks nobody else listens, and an error that nobody hears ends the process.
    worker.on('error', () => {})
    await heard<Result>(worker, longestStart)
    return worker
  }

  async function once(task: Task, given: ArrayBuffer[]): Promise<Result> {
    clearTimeout(idle)
    const running = await started()
    running.ref()
    running.postMessage(task, given)
    const answer = await heard<Result>(running, deadline)
    if (!('result' in answer)) throw new Error('failed' in answer ? answer.failed : 'no answer')
    running.unref()
    idle = setTimeout(() => void end(), idleAfter).unref()
    return answer.result
  }

  return {
    /**
     * The thread's answer; null when it took too long or too much, broke, or too many were waiting. Never throws. `given`
     * is memory of the task that is the thread's from then on.
     */
    async ask(task: Task, given: ArrayBuffer[] = []): Promise<Result | null> {
      return inTurn(() =>
        once(task, given).catch(async (error: Error) => {
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

/** The next thing a thread says; rejects when it ends first, or says nothing for so many ms. */
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
    // What was said while this thread was busy itself is heard before anything counts as late.
    const timer = setTimeout(() => setImmediate(late), limit)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
}
