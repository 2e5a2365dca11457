/** The page and API address of a route: `both('/x')` is `/x` and `/api/x` (decision 4.4). */
export function both<const P extends string>(path: P): [P, `/api${P}`] {
  return [path, `/api${path}`]
}

/** Whether the request came by the API address of its route. */
export function isApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/')
}

/** A page address for this caller: under /api for callers of /api (decision 2.6). */
export function addressFor(ctx: { path: string }, page: string): string {
  return isApi(ctx.path) ? `/api${page}` : page
}
