/** The queue is full: the caller should retry later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

type Limits = { atOnce: number; waiting: number; refusal?: () => Error }
type Waiter = { enter: () => void; refuse: (error: Error) => void }

/**
 * Runs `atOnce` tasks, queues `waiting` more, and serves senders in turn. In a full queue a sender
 * with fewer waiting tasks displaces the last of the sender with most; otherwise it gets `refusal`.
 */
export function limitConcurrency({ atOnce, waiting, refusal = () => new Overloaded() }: Limits) {
  /** Queues by sender; the next sender to be served comes first. */
  const queues = new Map<string, Waiter[]>()
  let [running, queued] = [0, 0]

  const leave = () => {
    const next = queues.entries().next().value
    if (!next) {
      running -= 1
      return
    }
    const [sender, queue] = next
    const waiter = queue.shift()!
    queued -= 1
    queues.delete(sender)
    if (queue.length > 0) queues.set(sender, queue)
    waiter.enter()
  }

  const makeRoom = (sender: string) => {
    const own = queues.get(sender)?.length ?? 0
    const longest = [...queues.values()].reduce((most, each) => (each.length > most.length ? each : most), [])
    if (longest.length <= own + 1) throw refusal()
    queued -= 1
    longest.pop()!.refuse(refusal())
  }

  const enter = async (sender: string) => {
    if (running < atOnce) {
      running += 1
      return
    }
    if (queued >= waiting) makeRoom(sender)
    queued += 1
    await new Promise<void>((resolve, reject) => {
      const queue = queues.get(sender) ?? []
      queue.push({ enter: resolve, refuse: reject })
      queues.set(sender, queue)
    })
  }

  const run = async <T>(task: () => Promise<T>, sender = ''): Promise<T> => {
    await enter(sender)
    try {
      return await task()
    } finally {
      leave()
    }
  }
  /** How many tasks run and wait now. */
  const load = () => ({ running, waiting: queued })
  return Object.assign(run, { load })
}
