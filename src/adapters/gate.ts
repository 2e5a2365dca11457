/** Too many are waiting already; the caller should be told to come back. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

type Limits = { atOnce: number; waiting: number; refusal?: () => Error }

/** Lets `atOnce` tasks run together and `waiting` more queue in order; any further one is refused at once. */
export function gate({ atOnce, waiting, refusal = () => new Overloaded() }: Limits) {
  const queue: (() => void)[] = []
  let running = 0
  const leave = () => {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }
  const enter = async () => {
    if (running < atOnce) {
      running += 1
      return
    }
    if (queue.length >= waiting) throw refusal()
    await new Promise<void>((resolve) => queue.push(resolve))
  }
  return async <T>(task: () => Promise<T>): Promise<T> => {
    await enter()
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
