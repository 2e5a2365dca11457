import { afterEach, describe, expect, it, vi } from 'vitest'
import { hashPassword, passwordMatches } from '../../src/adapters/accounts/passwords.js'
import { config } from '../../src/config.js'
import { demoPassword } from '../../src/domain/accounts/demo.js'

vi.hoisted(() => Object.assign(process.env, { TEST_ARGON2: 'real' }))

const production = () => Object.assign(config, { refusedPassword: demoPassword })
afterEach(() => Object.assign(config, { refusedPassword: null }))

/** Milliseconds of the quickest of some tries: the others waited for something else. */
async function quickest(act: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 7; i++) {
    const began = performance.now()
    await act()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

describe('a password', () => {
  it('matches what was stored of it, and nothing else', async () => {
    const stored = await hashPassword('a quiet rainy day')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwordMatches('a quiet rainy day', stored)).toBe(true)
    expect(await passwordMatches('A quiet rainy day', stored)).toBe(false)
    expect(await passwordMatches('no such account', null)).toBe(false)
  })

  it('that is the demo’s matches outside production only, and takes as long to refuse as a wrong one', async () => {
    const stored = await hashPassword(demoPassword)
    expect(await passwordMatches(demoPassword, stored)).toBe(true)
    production()
    expect(await passwordMatches(demoPassword, stored)).toBe(false)
    const refused = await quickest(() => passwordMatches(demoPassword, stored))
    const wrong = await quickest(() => passwordMatches('caretaker-demo-', stored))
    expect(refused).toBeGreaterThan(wrong / 2)
    expect(refused).toBeLessThan(wrong * 2)
  })
})
