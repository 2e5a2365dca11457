import type { Who } from '../../support/house/asking.js'
import { readEndpoints } from '../../support/routes/endpoints.js'

/** Those who are not of the office. */
export const outsiders = ['guest', 'resident', 'mobile'] as const satisfies Who[]

/**
 * Everything there is to read about these incidents of an asset: each address, with
 * what is asked for there.
 */
export function surfaces(incidents: readonly number[], assetId: number): [path: string, accept: string][] {
  const ids = (path: string) => (/incidents\/:/.test(path) ? incidents : [assetId])
  const paths = readEndpoints.flatMap(({ path }) => {
    if (path.includes('{')) return []
    return path.includes(':') ? ids(path).map((id) => path.replace(/:\w+/, `${id}`)) : [path]
  })
  const asked = [
    `/incidents?includeMerged=true&assetId=${assetId}`,
    `/api/incidents?includeMerged=true&assetId=${assetId}`,
    `/history?month=${new Date().toISOString().slice(0, 7)}`,
    `/report?assetId=${assetId}`,
    ...incidents.map((id) => `/report?again=${id}`),
  ]
  return [...paths, ...asked].flatMap((path) =>
    (path.startsWith('/api') ? ['*/*'] : ['text/html', 'application/json']).map(
      (accept): [string, string] => [path, accept],
    ),
  )
}
