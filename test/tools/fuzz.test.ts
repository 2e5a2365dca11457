import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createListener } from '../../src/app/app.js'
import { query } from '../../src/platform/db/database.js'
import type { Description } from '../../src/platform/http/description/document.js'
import { boundedServer } from '../../src/platform/http/server/boundedServer.js'
import { fuzz } from '../../tools/fuzz/campaign.js'
import { useHouse } from '../support/house/house.js'
import { perRun } from '../support/run/extent.js'
import { listenOnFreePort } from '../support/run/ports.js'
import { drawing } from '../support/run/random.js'

const house = useHouse()
let server: Awaited<ReturnType<typeof listenOnFreePort>>

beforeAll(async () => {
  server = await listenOnFreePort(boundedServer(createListener()))
})
afterAll(() => server.stop())

describe('requests that nobody means', () => {
  const requests = Number(process.env.FUZZ_REQUESTS ?? perRun({ quick: 60, whole: 5_000 }))

  it(
    `are answered, ${requests} of them, without a fault inside, a leak or a trace where they are refused`,
    async () => {
      // A change is held to the same draws as the one before it; `npm run
      // fuzz` draws anew each time.
      const { seed } = drawing()
      const document = (await house.json('guest', '/api/openapi.json')) as Description
      const began = performance.now()
      const outcome = await fuzz({
        origin: server.origin,
        seed,
        requests,
        document,
        canaries: await canaries(),
        signIn: (who) => house.signIn(`${who}@example.com`),
      })
      const seconds = Math.round((performance.now() - began) / 1_000)
      const { faults, statuses, raw } = outcome
      const answers = Object.entries(statuses).map(([status, n]) => `${status}: ${n}`)
      if (process.env.FUZZ_REQUESTS)
        process.stdout.write(
          `fuzz: ${outcome.requests} requests (${raw} raw) in ${seconds} s, seed ${seed}; ${answers.join(', ')}; ${outcome.unanswered} sent again, ${faults.length} faults\n`,
        )
      expect(faults, faults.join('\n')).toEqual([])
      expect(outcome.requests).toBeGreaterThanOrEqual(requests)
      // A server that refuses a body while it is still being sent may close
      // before its answer is read.
      expect(outcome.unanswered).toBeLessThanOrEqual(1 + requests / 1_000)
      expect((await house.ask('guest', '/healthz')).status).toBe(200)
    },
    60_000 + requests * 100,
  )
})

/**
 * Somebody who reports under no name, and somebody who writes by email: staff
 * alone may know who they are.
 */
const hidden = {
  name: 'Zuleika Quarrington',
  email: 'zuleika.quarrington@outside.test',
  from: 'odile.vantongeren@outside.test',
}

async function canaries() {
  await house.json('admin', '/api/admin/users', {
    json: { name: hidden.name, email: hidden.email, role: 'resident' },
  })
  const cookie = await house.signIn(hidden.email)
  const report = { assetId: 2, title: 'It smells of smoke', severity: 'high', isAnonymous: true }
  const { id } = await house.json('guest', '/api/incidents', { headers: { cookie }, json: report })
  await house.json('guest', `/api/incidents/${id}/updates`, {
    headers: { cookie },
    json: { body: 'It still does' },
  })
  const email = { from: `Odile <${hidden.from}>`, subject: 'Water', text: 'In the cellar' }
  await house.json('inbound', '/api/inbound-email', { json: email })
  const { secret } = await house.json('admin', '/api/admin/webhooks', {
    json: { url: 'https://receiver.example/canary', events: ['incident.created'] },
  })
  const hashes = await query<{ hash: string }>(
    'select password_hash as hash from users where password_hash is not null',
  )
  return { secrets: [secret as string, ...hashes.map(({ hash }) => hash)], forStaff: Object.values(hidden) }
}
