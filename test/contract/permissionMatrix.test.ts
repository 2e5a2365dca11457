import { describe, expect, it } from 'vitest'
import { decideAccess } from '../../src/vocabulary/people/permissions.js'
import { everyone, type Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { type Endpoint, endpoints } from '../support/routes/endpoints.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
const json = 'application/json'

it('every route has the permission that routes.txt says: read there who may do what', async () => {
  // A page and the JSON of the same name are one line.
  const lines = new Map<string, Set<string>>()
  for (const { method, path, permission } of endpoints) {
    const line = `${permission} ${method} ${path.replace(/^\/api\//, '/')}`
    lines.set(line, (lines.get(line) ?? new Set()).add(path.startsWith('/api/') ? 'json' : 'page'))
  }
  const text = [...lines]
    .map(([line, ways]) => `${line} (${[...ways].sort().join(', ')})`)
    .sort()
    .join('\n')
  await expect(`${text}\n`).toMatchFileSnapshot('routes.txt')
})

describe.each(everyone)('%s', (who) => {
  /**
   * In the usual run a part for each of them, so that every address is closed
   * to a guest or a resident.
   */
  const some = <T>(all: T[]) => {
    const [step, from] =
      who === 'guest' ? [2, 0] : who === 'resident' ? [2, 1] : [4, everyone.indexOf(who) % 4]
    return perRun({ quick: { every: step, from }, whole: all })
  }
  const denied = some(endpoints.filter(({ permission }) => decideAccess(who, permission) !== 'allowed'))
  // What everyone with an account may do ends sessions and accounts; of the office, an empty
  // request changes nothing.
  const office = some(
    endpoints.filter(
      ({ permission }) =>
        decideAccess('resident', permission) === 'forbidden' && decideAccess(who, permission) === 'allowed',
    ),
  )

  it('is refused wherever the policy says so, whether there is something or not, as JSON and as page', async () => {
    const asked = perRun({
      quick: [['1', json]],
      whole: [
        ['1', json],
        ['999999', 'text/html'],
      ],
    } as const)
    const wrong = await inTens(
      asked.flatMap(([id, accept]) => denied.map((endpoint) => [endpoint, id, accept] as const)),
      async ([endpoint, id, accept]) => {
        const { status, text } = await ask(who, endpoint, id, accept)
        const expected = decideAccess(who, endpoint.permission) as keyof typeof closed
        const right = status === closed[expected] && (accept !== json || JSON.parse(text).code === expected)
        return right ? [] : [`${endpoint.method} ${endpoint.path} ${id}: ${status}`]
      },
    )
    expect(wrong).toEqual([])
  })

  it('is let in wherever else the office is', async () => {
    const wrong = await inTens(office, async (endpoint) => {
      await forgetCounts()
      const { status, text } = await ask(who, endpoint, '999999', json)
      const right = !/"code":"(unauthenticated|forbidden)"/.test(text)
      return right ? [] : [`${endpoint.method} ${endpoint.path}: ${status} ${text}`]
    })
    expect(wrong).toEqual([])
    expect(office.length > 0).toBe(['board', 'manager', 'admin'].includes(who))
  })
})

const closed = { unauthenticated: 401, forbidden: 403 }

/**
 * The same request of everyone, to something that is there or not: nothing of it is
 * read before the permission.
 */
async function ask(who: Who, { method, path }: Endpoint, id: string, accept: string) {
  const answer = await house.ask(who, path.replaceAll(/:\w+|\{.*\}|\*\w+/g, id), {
    method,
    headers: { accept, 'sec-fetch-site': 'same-origin' },
    ...(['GET', 'DELETE'].includes(method) ? {} : { json: {} }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Does it for all, ten at a time; what it found. */
async function inTens<T>(all: readonly T[], act: (one: T) => Promise<string[]>): Promise<string[]> {
  const found: string[][] = []
  for (let at = 0; at < all.length; at += 10)
    found.push(...(await Promise.all(all.slice(at, at + 10).map(act))))
  return found.flat()
}
