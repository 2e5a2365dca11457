import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { filterFaults, filters } from '../support/routes/assertions/filters.js'
import { behindProxy, fromForeignHost } from '../support/routes/assertions/foreignHost.js'
import { askForNothing } from '../support/routes/assertions/notFound.js'
import { otherMethodFaults } from '../support/routes/assertions/otherMethods.js'
import { otherSitesFaults } from '../support/routes/assertions/otherSites.js'
import { isInTwoKinds, readFaults } from '../support/routes/assertions/reads.js'
import { sendStrange, strangeRequests } from '../support/routes/assertions/strangeReads.js'
import { type Read, readsOf } from '../support/routes/reads.js'
import { perRun } from '../support/run/extent.js'

behindProxy()
Object.assign(config, { securityContact: 'mailto:security@building.example' })
const house = useHouse()

const callers = perRun<Who[]>({
  quick: ['guest', 'admin'],
  whole: ['guest', 'resident', 'board', 'manager', 'admin', 'mobile', 'cron', 'inbound'],
})

describe('every read', () => {
  const statuses = new Map<string, Set<number>>()
  let reads: Read[]
  beforeAll(async () => {
    const nowhere = ['/nowhere', '//nowhere'].map((address) => ({ route: 'none', address }))
    reads = [...(await readsOf(house)), ...nowhere]
  })

  // Each caller in a test of their own: all of them take longer than one
  // test may on a busy machine.
  it.each(callers)('answers %s as it must', async (who) => {
    await forgetCounts()
    const names = await allNames()
    const faults: string[] = []
    for (const [turn, read] of reads.entries())
      for (const accept of acceptsFor(read, who, turn)) {
        const headers = { ...fromForeignHost(), accept }
        const answer = await house.ask(who, read.address, { headers })
        const text = await answer.text()
        statuses.set(read.route, (statuses.get(read.route) ?? new Set()).add(answer.status))
        faults.push(...readFaults({ ...read, who, accept, answer, text, names }))
      }
    expect(faults).toEqual([])
  })

  it('is open to one of them, so that the assertions saw more than refusals', () => {
    expect(statuses.size).toBeGreaterThan(60)
    const refused = [...statuses]
      .filter(([route]) => route !== 'none' && !closed.some((start) => route.startsWith(start)))
      .filter(([, seen]) => ![...seen].some((status) => status < 400))
    expect(refused.map(([route]) => route)).toEqual([])
  })

  it('that is public may be read by pages of other sites, without credentials, and no other', async () => {
    expect(await otherSitesFaults(house)).toEqual([])
  })

  it('of nothing has a name for programs, at every address with an id, and is no page', async () => {
    const { titles, faults } = await askForNothing(house)
    expect(faults).toEqual([])
    expect([...titles]).toEqual(
      expect.arrayContaining(['Report not found', 'Asset not found', 'User not found']),
    )
    expect(titles.size).toBeGreaterThan(10)
  })

  it('is of an address that refuses a method it does not have, and says which it has', async () => {
    expect(await otherMethodFaults(house)).toEqual([])
  })

  it('names a filter that is unknown, repeated or in brackets, with what it may be', async () => {
    expect(await filterFaults(house)).toEqual([])
    expect(filters.length).toBeGreaterThan(100)
  })
})

const strangers: Who[] = ['guest', 'resident', 'admin']

describe.each(perRun({ quick: ['admin'], whole: strangers }))('a word every object knows, from %s', (who) => {
  it.each(Object.entries(strangeRequests))('is nothing special in %s', async (_where, requests) => {
    const statuses = await sendStrange(house, who, requests())
    expect(statuses.length).toBeGreaterThan(5)
  })
})

async function allNames(): Promise<string[]> {
  const rows = await query<{ name: string }>('select name from users where not is_mobile_reporter')
  return rows.map(({ name }) => name)
}

/**
 * Pages as a browser asks, the rest as a client; the other way round what answers both,
 * the whole run everything.
 */
function acceptsFor(read: Read, who: Who, turn: number): string[] {
  const isApi = read.route.startsWith('/api')
  const [usual, other] = isApi ? ['application/json', 'text/html'] : ['text/html', 'application/json']
  const both = perRun({ quick: who === 'admin' && turn % 3 === 0 && isInTwoKinds(read), whole: true })
  return both ? [usual!, other!] : [usual!]
}

/**
 * Closed without settings that the demo building does not have, or outside the browser that asked
 * for a link; tests of these settings and links open them.
 */
const closed = [
  '/api/auth/sign-up/',
  '/embed',
  '/metrics',
  '/sign-in/oidc',
  '/account/identities',
  ...perRun({ quick: ['/sign-in/link/', '/sign-up/'], whole: [] }),
]
