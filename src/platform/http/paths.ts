const ours = 'http://ours.invalid'
const longest = 2_000

/**
 * An address on this site as path, query and fragment, or null (decision 7.9). The URL parser must
 * leave the path unchanged, twice: nothing later may resolve a dot segment or control character to
 * another origin.
 */
export function localPath(target: unknown): string | null {
  if (typeof target !== 'string' || target.length > longest || !/^\/[\x21-\x7e]*$/.test(target)) return null
  const [path = ''] = target.split(/[?#]/)
  if (/\/\/|\\|%2f|%5c/i.test(path) || !URL.canParse(target, ours)) return null
  const url = new URL(target, ours)
  if (url.origin !== ours || url.pathname !== path) return null
  const local = url.pathname + url.search + url.hash
  return new URL(local, ours).href === url.href ? local : null
}

/** The parameters of an address that are about the notice its page shows, not about the page. */
export const noticeParameters: readonly string[] = ['notice', 'of', 'now']

/** The page a form was on, without the notice shown there; `otherwise` if it names none. */
export function returnPath(target: unknown, otherwise: string): string {
  const path = localPath(target)
  if (path === null) return otherwise
  const url = new URL(path, ours)
  for (const name of noticeParameters) url.searchParams.delete(name)
  return url.pathname + url.search + url.hash
}

/** Adds parameters to the query of an address of ours. */
export function withQuery(path: string, more: Record<string, string | number>): string {
  const url = new URL(path, ours)
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, String(value))
  return url.pathname + url.search + url.hash
}

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
