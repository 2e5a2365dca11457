import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { cookieOf, fromAddress } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts, setCount } from '../support/house/limits.js'
import { scalar } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'
import { repeat } from '../support/run/repeat.js'

/**
 * Behind a proxy every test can come from wherever it likes; few writes, so
 * that they are quickly spent.
 */
vi.hoisted(() => Object.assign(process.env, { TRUST_PROXY: 'true', THROTTLE_WRITES: '5' }))

const hashed = vi.hoisted(() => ({ times: 0, fails: false }))
const house = useHouse()
const them = 'resident@example.com'

beforeEach(async () => {
  await forgetCounts()
  Object.assign(hashed, { times: 0, fails: false })
})

/** Known to the building and not: what is done to one is done to the other, and answered alike. */
const guessed = perRun({ quick: [them], whole: [them, 'nobody.at.all@example.com'] })

describe.each(guessed)('guesses at %s', (email) => {
  it('sent twenty at once are ten, hashed ten times', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => guess('192.0.2.1', email)))
    expect(counted(statuses)).toEqual({ 401: 10, 429: 10 })
    expect(hashed.times).toBe(10)
  })

  it('from all over one IPv6 network are of one sender', async () => {
    expect(await guess('2001:db8:1:2:1::1', email)).toBe(401)
    await setCount('password-pair', 10)
    expect(await guess('2001:db8:1:2:2::2', email)).toBe(429)
    expect(await guess('2001:db8:1:3::1', email)).toBe(401)
  })

  it('by any spelling of its address are guesses at one account', async () => {
    expect(await guess('192.0.2.1', email)).toBe(401)
    await setCount('password-pair', 10)
    for (const spelling of [email, email.toUpperCase(), email.replaceAll('i', 'İ'), ` ${email} `])
      expect(await guess('192.0.2.1', spelling), spelling).toBe(429)
  })

  it('from many networks are a hundred in an hour, of which strangers know no more than that', async () => {
    await repeat(3, () => guess('198.51.100.1', email))
    await setCount('password-account', 99)
    expect(await guess('198.51.100.2', email)).toBe(401)
    expect(await guess('198.51.100.1', email)).toBe(429)
    expect(hashed.times).toBe(4)
    // Someone else still has two tries, of which a wrong one is answered like one too many.
    expect(await repeat(3, () => guess('203.0.113.9', email))).toEqual([429, 429, 429])
    expect(hashed.times).toBe(6)
    const [{ seconds }] = (await query(
      `select max(expire / 1000 - extract(epoch from now()))::integer as seconds from throttles
       where key like '%account%'`,
    )) as [{ seconds: number }]
    expect(seconds).toBeGreaterThan(3000)
    expect(seconds).toBeLessThanOrEqual(3600)
  })
})

describe('somebody with the right password', () => {
  /**
   * Strangers in one network have tried the account, and others so often that its limit is spent.
   */
  const closeAccount = async () => {
    await repeat(3, () => guess('198.51.100.3', them))
    await setCount('password-account', 100)
  }

  it('is not heard from a network that has guessed itself, nor hashed', async () => {
    await closeAccount()
    const before = hashed.times
    expect(await right('198.51.100.3', them)).toBe(429)
    await repeat(2, () => guess('203.0.113.9', them))
    expect(await right('203.0.113.9', them)).toBe(429)
    expect(hashed.times).toBe(before + 2)
    expect(await right('203.0.113.10', them)).toBe(200)
  })

  it('is not guessed for by whoever rents 65,536 networks: a site has two tries, whichever of its networks asks', async () => {
    await closeAccount()
    const before = hashed.times
    await repeat(6, (i) => guess(`2001:db8:7:${i}::1`, them))
    expect(hashed.times).toBe(before + 2)
    expect(await right('2001:db8:7:99::1', them)).toBe(429)
    expect(await right('2001:db8:8:1::1', them)).toBe(200)
  })

  it('frees their own network of what they mistyped, and the account of nothing strangers did', async () => {
    await guess('192.0.2.1', them)
    await setCount('password-pair', 9)
    expect(await right('192.0.2.1', them)).toBe(200)
    expect(await guess('192.0.2.1', them)).toBe(401)
    expect([await pointsOf('password-pair'), await pointsOf('password-account')]).toEqual([1, 2])
  })

  it('is not charged for our being overloaded', async () => {
    hashed.fails = true
    expect(await guess('192.0.2.1', them)).toBe(503)
    expect([await pointsOf('password-pair'), await pointsOf('password-account')]).toEqual([0, 0])
  })

  it('is not locked out by a clock that went back', async () => {
    await guess('192.0.2.1', them)
    await setCount('password-pair', 10)
    expect(await right('192.0.2.1', them)).toBe(429)
    await query('update throttles set expire = expire + 86400000')
    expect(await right('192.0.2.1', them)).toBe(200)
  })
})

describe('a network', () => {
  it('that tries many accounts has a hundred guesses, and then only right ones open', async () => {
    await guess('192.0.2.1', 'sprayed@example.com')
    await setCount('password-network', 99)
    expect(await repeat(3, (i) => guess('192.0.2.1', `sprayed-${i}@example.com`))).toEqual([401, 429, 429])
    expect(await right('192.0.2.1', them)).toBe(200)
    await repeat(2, () => guess('192.0.2.1', them))
    expect(await right('192.0.2.1', them)).toBe(429)
    expect(await right('192.0.2.2', them)).toBe(200)
  })

  it('does not use up its share by what is refused already', async () => {
    expect(counted(await repeat(12, () => guess('192.0.2.1', them)))).toEqual({ 401: 10, 429: 2 })
    expect(await pointsOf('password-network')).toBe(10)
  })

  it.each([
    ['an IPv4 address in IPv6', '::ffff:192.0.2.7', '192.0.2.7'],
    ['an address with a port', '192.0.2.7:5000', '192.0.2.7'],
    ['the last of several', '203.0.113.1, 192.0.2.7', '192.0.2.7'],
    ['nothing that is an address', '<script>', 'unknown'],
    ['far too much', 'x'.repeat(5000), '999.1.2.3'],
  ])('is known by %s', async (_what, one, other) => {
    await guess(one, them)
    await setCount('password-pair', 10)
    expect([await guess(other, them), await guess('192.0.2.8', them)]).toEqual([429, 401])
  })

  it('writes with the mobile key as one phone does', async () => {
    const [{ id }] = await house.json('guest', '/api/incidents')
    const follow = (address: string) =>
      house.ask('mobile', `/api/incidents/${id}/follow`, fromAddress(address, { method: 'POST' }))
    const statuses = await repeat(7, async (i) => (await follow(`2001:db8::${i + 1}`)).status)
    expect(counted(statuses)).toEqual({ 200: 5, 429: 2 })
    expect((await follow('2001:db8:0:1::1')).status).toBe(200)
  })
})

describe('the other doors', () => {
  it('count guesses of one’s password with those at the sign-in in that browser', async () => {
    const address = '192.0.2.50'
    const cookie = cookieOf(await attemptFrom(address, them, demoPassword))
    const change = async (i: number) => {
      const json = { currentPassword: `guess ${i}`, password: 'a quiet rainy afternoon' }
      return (
        await house.ask('guest', '/api/account/password', fromAddress(address, { json, headers: { cookie } }))
      ).status
    }
    const statuses = await Promise.all(Array.from({ length: 5 }, (_, i) => change(i)))
    expect(counted(statuses)).toEqual({ 422: 5 })
    const wrong = { email: them, password: 'a wrong guess' }
    const here = async () =>
      (await house.attemptSignIn(wrong, fromAddress(address, { headers: { cookie } }))).status
    expect(counted(await repeat(6, here))).toEqual({ 401: 5, 429: 1 })
    expect(await change(9)).toBe(429)
    expect(await guess(address, them)).toBe(401)
  })

  it('send five links an hour for any spelling of an address, to any of a network', async () => {
    const spellings = [them, them.toUpperCase(), them.replaceAll('i', 'İ')]
    const ask = async (i: number) => {
      const json = { email: spellings[i % 3]! }
      return (
        await house.ask('guest', '/api/auth/forgot-password', fromAddress(`2001:db8::${i + 1}`, { json }))
      ).status
    }
    expect(counted(await repeat(7, ask))).toEqual({ 200: 5, 429: 2 })
  })

  it('are all open when nothing is to be counted', async () => {
    const { signIn: before } = config.throttles
    Object.assign(config.throttles, { signIn: 0 })
    try {
      expect(counted(await repeat(12, () => guess('192.0.2.1', them)))).toEqual({ 401: 12 })
    } finally {
      Object.assign(config.throttles, { signIn: before })
    }
  })
})

/** Asks to sign in from this address. */
function attemptFrom(address: string, email: string, password: string) {
  return house.attemptSignIn({ email, password }, fromAddress(address))
}

async function guess(address: string, email: string) {
  return (await attemptFrom(address, email, 'a wrong guess')).status
}

async function right(address: string, email: string) {
  return (await attemptFrom(address, email, demoPassword)).status
}

/** How often each status came. */
function counted(statuses: number[]) {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** What a limit has counted of the one it has counted. */
function pointsOf(counter: string) {
  return scalar<number>('select points from throttles where key like $1', [`${counter}:%`])
}

// Counts what is hashed, and fails as a busy machine does.
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  const { Overloaded } = await import('../../src/platform/process/limitConcurrency.js')
  return {
    ...real,
    verify: (...given: Parameters<typeof real.verify>) => {
      hashed.times += 1
      if (hashed.fails) throw new Overloaded()
      return real.verify(...given)
    },
  }
})
