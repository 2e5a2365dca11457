import { query } from '../../../src/platform/db/database.js'
import type { Permission } from '../../../src/vocabulary/people/permissions.js'
import type { House } from '../house/house.js'
import { examplesOf } from '../pages.js'
import { readEndpoints } from './endpoints.js'

/**
 * An address that can be read. `route`: the pattern of the router it belongs to; `isMissing`: it
 * names something that does not exist.
 */
export type Read = { route: string; address: string; permission?: Permission; isMissing?: boolean }

/**
 * Every read in the demo building: real addresses of each route, and one of
 * something that does not exist.
 */
export async function readsOf(house: House): Promise<Read[]> {
  const examples = await examplesOf(house)
  const [wholeEmail] = examples['/admin/incidents/:id/emails/:emailId']!
  const [photo] = await query<{ path: string }>('select path from photos limit 1')
  const more: Record<string, string[]> = {
    '/live': ['/live'],
    '/r/:assetId': ['/r/1', '/r/999999'],
    '/language': ['/language?locale=en&next=/incidents'],
    '/healthz': ['/healthz'],
    '/readyz': ['/readyz'],
    '/api/photos/{*path}': [`/api/photos/${photo!.path}`, `/api/photos/${photo!.path}.thumb.jpg`],
    '/api/status': ['/api/status'],
    '/api/incidents/:id/emails/:emailId': [wholeEmail!.replace('/admin', '/api')],
    '/api/auth/get-session': ['/api/auth/get-session'],
    '/api/export/incidents.csv': ['/api/export/incidents.csv'],
    '/api/export/audit.csv': ['/api/export/audit.csv'],
    '/api/units': ['/api/units'],
    '/api/towers': ['/api/towers'],
  }
  return readEndpoints.flatMap(({ path: route, permission }): Read[] => {
    const [, prefix = '', page = route] = /^(\/api(?:\/auth)?)?(\/.*)$/.exec(route)!
    const addresses = more[route] ??
      examples[page]?.map((each) => prefix + each) ?? [route.replaceAll(/:\w+/g, '1')]
    const missing = route.includes(':') ? [route.replaceAll(/:\w+/g, '999999')] : []
    return [
      ...addresses.map((address) => ({ route, address, permission })),
      ...missing.map((address) => ({ route, address, permission, isMissing: true })),
    ]
  })
}
