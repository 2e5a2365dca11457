import type { House } from '../../house/house.js'
import { endpoints } from '../endpoints.js'

const methodsOf = (path: string) => endpoints.filter((each) => each.path === path).map(({ method }) => method)

/**
 * Where a method that an address does not have is not refused by 405, with those it has. No route
 * of the product is a PUT.
 */
export async function otherMethodFaults(house: House): Promise<string[]> {
  const faults: string[] = []
  for (const path of new Set(endpoints.map((each) => each.path))) {
    const address = path.replace(/\{.*\}/, 'no/photo.jpg').replaceAll(/:\w+/g, '1')
    const answer = await house.ask('admin', address, { method: 'PUT', json: {} })
    const allowed = (answer.headers.get('allow') ?? '').split(', ')
    const isComplete = methodsOf(path).every((method) => allowed.includes(method))
    if (answer.status !== 405 || !isComplete) faults.push(`${address}: ${answer.status} ${allowed.join()}`)
  }
  return faults
}
