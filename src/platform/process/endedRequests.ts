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
