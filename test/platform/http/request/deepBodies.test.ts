import { describe, expect, it } from 'vitest'
import { useHouse } from '../../../support/house/house.js'
import { expectOrdinary } from '../../../support/routes/assertions/answers.js'

const house = useHouse()

describe('a body of boxes within boxes', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  it.each([{}, { 'idempotency-key': 'deep-1' }])(
    'is refused before anything looks into it, with %o',
    async (headers) => {
      for (const [who, path] of [
        ['resident', '/api/incidents'],
        ['admin', '/api/admin/import/units'],
        ['inbound', '/api/inbound-email'],
      ] as const)
        for (const body of [deep(60), deep(90_000), '['.repeat(100_000) + ']'.repeat(100_000)]) {
          const answer = await house.ask(who, path, {
            body,
            headers: { ...headers, 'content-type': 'application/json' },
          })
          expect(answer.status).toBe(400)
          await expectOrdinary(answer, path)
        }
    },
  )

  it('is none at the depth our own requests have', async () => {
    const answer = await house.ask('resident', '/api/incidents', {
      json: { assetId: 1, title: 'Flat', severity: 'low', extra: JSON.parse(deep(40)) },
    })
    expect(answer.status).toBe(201)
  })
})
