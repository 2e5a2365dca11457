import { afterEach, describe, expect, it, vi } from 'vitest'
import { hashPassword, passwordMatches } from '../../src/accounts/users/passwords.js'
import { config } from '../../src/platform/process/config.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { itInWholeRun } from '../support/run/extent.js'

vi.hoisted(() => Object.assign(process.env, { TEST_ARGON2: 'real' }))
afterEach(() => Object.assign(config, { refusedPassword: null }))

describe('a password', () => {
  it('matches what was stored of it, and nothing else', async () => {
    const stored = await hashPassword('a quiet rainy day')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwordMatches('a quiet rainy day', stored)).toBe(true)
    expect(await passwordMatches('A quiet rainy day', stored)).toBe(false)
    expect(await passwordMatches('no such account', null)).toBe(false)
  })

  itInWholeRun(
    'that is the demo’s matches outside production only, and takes as long to refuse as a wrong one',
    async () => {
      const stored = await hashPassword(demoPassword)
      expect(await passwordMatches(demoPassword, stored)).toBe(true)
      production()
      expect(await passwordMatches(demoPassword, stored)).toBe(false)
      const [refused, wrong] = await leastOf(
        () => passwordMatches(demoPassword, stored),
        () => passwordMatches('caretaker-demo-', stored),
      )
      expect(refused).toBeGreaterThan(wrong! / 2)
      expect(refused).toBeLessThan(wrong! * 2)
    },
  )
})

function production() {
  return Object.assign(config, { refusedPassword: demoPassword })
}

/**
 * Milliseconds that the cheapest of some tries of each computed: what others take of a
 * busy machine is not in it.
 */
async function leastOf(...acts: (() => Promise<unknown>)[]): Promise<number[]> {
  const least = acts.map(() => Number.POSITIVE_INFINITY)
  for (let i = 0; i < 7; i++)
    for (const [n, act] of acts.entries()) {
      const before = process.cpuUsage()
      await act()
      const { user, system } = process.cpuUsage(before)
      least[n] = Math.min(least[n]!, (user + system) / 1000)
    }
  return least
}
