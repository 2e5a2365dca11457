import { expect, it, vi } from 'vitest'
import { failingMessages } from '../../src/platform/outbox/failingMessages.js'
import { sendingPaused } from '../../src/platform/outbox/sendingPaused.js'
import { useHouse } from '../support/house/house.js'

const { database } = vi.hoisted(() => ({ database: { isAway: false } }))

vi.mock('../../src/platform/db/database.js', async (original) => {
  const real = await original<typeof import('../../src/platform/db/database.js')>()
  const query: typeof real.query = (sql, values) =>
    database.isAway && sql === 'select 1' ? Promise.reject(new Error('away')) : real.query(sql, values)
  return { ...real, query }
})
vi.mock('../../src/platform/outbox/failingMessages.js', { spy: true })
vi.mock('../../src/platform/outbox/sendingPaused.js', { spy: true })

const house = useHouse()

it('asks nothing more of a database that does not answer, and tells the rest', async () => {
  database.isAway = true
  const away = await house.ask('monitor', '/readyz')
  const { checks, ...summary } = await away.json()
  expect([away.status, checks.database]).toEqual([503, 'failed'])
  // A checkout without a repository knows no commit.
  expect(
    Object.keys(summary)
      .filter((name) => name !== 'commit')
      .sort(),
  ).toEqual(['status', 'version'])
  expect(failingMessages).not.toHaveBeenCalled()
  expect(sendingPaused).not.toHaveBeenCalled()
  database.isAway = false
  await expect.poll(async () => (await house.ask('monitor', '/readyz')).status).toBe(200)
  expect(await house.json('monitor', '/readyz')).toHaveProperty('delivery')
})
