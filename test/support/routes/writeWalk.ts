import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import { auditActions } from '../../../src/vocabulary/auditActions.js'
import { asOwner } from '../database.js'
import { people } from '../house/asking.js'
import type { House } from '../house/house.js'
import { perRun } from '../run/extent.js'
import { emptyBodyFaults } from './assertions/emptyBodies.js'
import { foreignHost, leftBehind } from './assertions/foreignHost.js'
import { mayRepeat, storedTwice } from './assertions/sentTwice.js'
import { writeAssertions } from './assertions/writes.js'
import { type Endpoint, writeEndpoints } from './endpoints.js'
import type { Examples } from './examples/use.js'
import { keyOf, writeOf } from './writes.js'

/**
 * Defines one test for each permission: every write it guards is set up once, and every assertion
 * is made on it, in the quick run some of them. What fails names the route and the assertion.
 */
export function walkWrites(house: House, examples: Examples): void {
  const own = writeEndpoints.filter((endpoint) => examples[keyOf(endpoint)])
  const permissions = [...new Set(own.map(({ permission }) => permission))]

  // A first sign-in is an entry of the audit log.
  beforeAll(async () => {
    for (const role of [...people, 'mobile'] as const) await house.ask(role, '/healthz')
    await query('update webhook_subscriptions set active = false')
    await endWebhookTests(house.url())
  })

  it.each(permissions)('as %s allows', async (allowed) => {
    const faults: string[] = []
    for (const endpoint of own.filter(({ permission }) => permission === allowed))
      faults.push(...(await faultsOf(endpoint)))
    expect(faults).toEqual([])
  })

  async function faultsOf(endpoint: Endpoint): Promise<string[]> {
    const name = `${endpoint.method} ${endpoint.path}`
    await query('delete from throttles')
    try {
      const write = writeOf(house, endpoint, await examples[keyOf(endpoint)]!())
      const faults: string[] = []
      for (const [assertion, holds] of assertionsFor(writeEndpoints.indexOf(endpoint))) {
        const found = await holds(write).catch((error: unknown) => [String(error)])
        const all = found.concat(write.faults.splice(0))
        faults.push(...all.map((fault) => `${assertion}: ${fault}`))
      }
      return faults.map((fault) => `${name}: ${fault}`)
    } catch (error) {
      return [`${name}: its example cannot be set up: ${error}`]
    }
  }

  const forms = own.filter(({ method, path }) => method === 'POST' && !path.startsWith('/api/'))

  it('are stored once by every form when the same words are sent again from a page fetched anew', async () => {
    const tried = perRun({ quick: forms.filter(creates), whole: forms })
    const twice: Record<string, string[]> = {}
    for (const form of tried) {
      await query('delete from throttles')
      const found = await examples[keyOf(form)]!()
      const stored = await storedTwice(writeOf(house, form, found)).catch((error: unknown) => [String(error)])
      if (stored.length > 0) twice[keyOf(form)] = stored
    }
    const expected = tried.map(keyOf).filter((key) => Object.hasOwn(mayRepeat, key))
    expect(Object.keys(twice).sort(), JSON.stringify(twice)).toEqual(expected.sort())
  })

  describe('afterwards', () => {
    it('leave only entries of the audit log that have a name', async () => {
      const rows = await query<{ action: string }>('select distinct action from audit_entries')
      const known: readonly string[] = auditActions
      expect(rows.map(({ action }) => action).filter((action) => !known.includes(action))).toEqual([])
    })

    it('leave no host they came from in a row, an email, a push or a file', async () => {
      const everything = await leftBehind()
      expect(everything).toContain(`http://localhost:${config.port}/`)
      expect(everything).not.toContain(foreignHost)
    })
  })

  // The last, since it ends sessions.
  it('answer a request without a body the same whatever type it says the body has', async () => {
    const addresses = own.filter(({ path }) => path.startsWith('/api/'))
    expect(await emptyBodyFaults(house, addresses)).toEqual([])
    expect(addresses.length).toBeGreaterThan(10)
  })
}

/** Whether a form creates something, or answers the same request only once. */
export const creates = ({ route }: Endpoint): boolean => route!.idempotent || route!.answers.has(201)

/** What the tests of features leave to this walk. */
const always = ['audit log', 'unknown id', 'another type']

/** All in the whole run; else those that are always made, and a third of the others in turn. */
function assertionsFor(turn: number) {
  const all = Object.entries(writeAssertions)
  const quick = all.filter(([name], i) => always.includes(name) || i % 3 === turn % 3)
  return perRun({ quick, whole: all })
}

/**
 * Nothing is sent here: the test of a subscription would wait for its
 * outcome as long as it may take.
 */
async function endWebhookTests(url: string): Promise<void> {
  await asOwner(
    `create function ended() returns trigger language plpgsql as
       'begin new.claimed_at := now(); new.finished_at := now(); return new; end';
     create trigger ended before insert on webhook_deliveries
     for each row when (new.event = 'webhook.test') execute function ended()`,
    url,
  )
}
