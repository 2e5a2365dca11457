/** Too many are waiting already; the caller should be told to come back. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

type Limits = { atOnce: number; waiting: number; refusal?: () => Error }
type Waiter = { enter: () => void; refuse: (error: Error) => void }

/**
 * Lets `atOnce` tasks run together and `waiting` more queue. Those that wait are served sender by sender in turn, each
 * sender's own in order. When no place is left, somebody who holds fewer than the sender of most takes the last place of
 * that one; else the newcomer is refused at once. So one sender alone may fill the queue, and keeps nobody out of it.
 */
export function limitConcurrency({ atOnce, waiting, refusal = () => new Overloaded() }: Limits) {
  /** By sender, the one whose turn it is first. */
  const lanes = new Map<string, Waiter[]>()
  let [running, queued] = [0, 0]

  const leave = () => {
    const next = lanes.entries().next().value
    if (!next) {
      running -= 1
      return
    }
    const [sender, lane] = next
    const waiter = lane.shift()!
    queued -= 1
    lanes.delete(sender)
    if (lane.length > 0) lanes.set(sender, lane)
    waiter.enter()
  }

  const makeRoom = (sender: string) => {
    const own = lanes.get(sender)?.length ?? 0
    const longest = [...lanes.values()].reduce((most, lane) => (lane.length > most.length ? lane : most), [])
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
      const lane = lanes.get(sender) ?? []
      lane.push({ enter: resolve, refuse: reject })
      lanes.set(sender, lane)
    })
  }

  return async <T>(task: () => Promise<T>, sender = ''): Promise<T> => {
    await enter(sender)
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
