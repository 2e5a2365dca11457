type Poked = (assetIds: ReadonlySet<number>) => void

let poked: Poked = () => {}

/** Who is woken by a commit of this process; the server and the jobs set it, tests may. */
export function onPoke(handler: Poked): void {
  poked = handler
}

/** A change was committed: what it left in the outbox can go, and these assets may look different. Returns at once. */
export function poke(assetIds: ReadonlySet<number>): void {
  setImmediate(poked, assetIds)
}
