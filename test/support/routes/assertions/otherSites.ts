import type { House } from '../../house/house.js'
import { perRun } from '../../run/extent.js'
import { readEndpoints, writeEndpoints } from '../endpoints.js'

/** What pages of other sites may read, as it was decided, address by address. */
const open = [
  '/api/status',
  '/api/assets/:id',
  '/api/incidents',
  '/api/incidents/:id',
  '/api/towers',
  '/api/units',
  '/api/photos/{*path}',
  '/api/openapi.json',
  '/feed.atom',
  '/assets/:id/feed.atom',
  '/calendar.ics',
  '/assets/:id/calendar.ics',
  '/badge.svg',
  '/assets/:id/badge.svg',
  '/api/v2/summary.json',
]

/** In the quick run some of those that are not open. */
const tried = perRun({ quick: { every: 6 }, whole: readEndpoints }).map(({ path }) => path)
const addressOf = (path: string) => path.replace('{*path}', 'no/photo.jpg').replace(/:\w+/g, '1')

/**
 * Where pages of other sites may read more than what is public and asked for without credentials,
 * or less.
 */
export async function otherSitesFaults(house: House): Promise<string[]> {
  const cookie = await house.signIn('resident@example.com')
  const allowed = async (path: string, headers: Record<string, string>, method = 'GET') =>
    (await house.ask('guest', path, { method, headers })).headers.get('access-control-allow-origin')
  const faults: string[] = []
  const isTried = (path: string) => open.includes(path) || tried.includes(path)
  for (const { path } of readEndpoints.filter(({ path }) => isTried(path))) {
    const expected = open.includes(path) ? '*' : null
    for (const method of ['GET', 'HEAD']) {
      const found = await allowed(addressOf(path), {}, method)
      if (found !== expected) faults.push(`${method} ${path}: ${found}`)
    }
    for (const credentials of [{ cookie }, { authorization: 'Bearer wrong' }])
      if ((await allowed(addressOf(path), credentials)) !== null) faults.push(`${path} with credentials`)
  }
  for (const { method, path } of perRun({ quick: { every: 6 }, whole: writeEndpoints }))
    if ((await allowed(addressOf(path), {}, method)) !== null) faults.push(`${method} ${path}`)
  const gone = open.filter((path) => !readEndpoints.some((endpoint) => endpoint.path === path))
  return [...faults, ...gone.map((path) => `${path}: no route`)]
}
