/** The page and the API address of one route: `both('/incidents')` is `/incidents` and `/api/incidents` (decision 4.4). */
export function both<const P extends string>(path: P): [P, `/api${P}`] {
  return [path, `/api${path}`]
}

/** Whether the request came by the API address of its route. */
export function isApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/')
}

/** A page address as this caller should use it: under /api for callers of /api (decision 2.6). */
export function addressFor(ctx: { path: string }, page: string): string {
  return isApi(ctx.path) ? `/api${page}` : page
}
