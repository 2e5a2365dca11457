/** How a delivery ended: `sent`, `failed`, `retry`, `dropped`, `heldBack` or `unsent`. */
const deliveries = new Map<string, { kind: string; result: string; count: number }>()

/** Counts the end of one attempt to deliver. */
export function countDelivery(kind: string, result: string, count = 1): void {
  const key = `${kind} ${result}`
  const known = deliveries.get(key)
  if (known) known.count += count
  else deliveries.set(key, { kind, result, count })
}

/** All that were counted so far. */
export function countedDeliveries(): readonly { kind: string; result: string; count: number }[] {
  return [...deliveries.values()]
}

/** A request that ended. `route`: its pattern, never its path; `none` where no route took it. */
export type EndedRequest = { method: string; route: string; status: number; seconds: number }

let watcher: ((request: EndedRequest) => void) | null = null

/** Calls `watch` for each request that ends from now on, in place of what was called before. */
export function watchRequests(watch: (request: EndedRequest) => void): void {
  watcher = watch
}

/** Tells whoever watches that a request has ended. */
export function countRequest(request: EndedRequest): void {
  watcher?.(request)
}
