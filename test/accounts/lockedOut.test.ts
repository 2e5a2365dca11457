import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { checkout } from '../support/compiled.js'
import { emptyOutbox } from '../support/email/messages.js'
import { type Asked, cookieOf, deviceIn } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { signedLinks } from '../support/links/signedLinks.js'
import { perRun } from '../support/run/extent.js'
import { codeNow, secondFactorFor } from '../support/secondFactor.js'

/** Behind a proxy every test can come from wherever it likes. */
vi.hoisted(() => Object.assign(process.env, { TRUST_PROXY: 'true' }))

const house = useHouse()
const me = 'resident@example.com'
const [shared, elsewhere] = ['192.0.2.1', '203.0.113.9']

const from = (address: string, to: string, asked: Asked = {}) =>
  house.ask('guest', to, { ...asked, headers: { 'x-forwarded-for': address, ...asked.headers } })
const signIn = (address: string, more: object = {}, cookie = '') =>
  from(address, '/api/auth/sign-in/email', {
    json: { email: me, password: demoPassword, ...more },
    headers: { cookie },
  })
const askForLink = (address: string, email = me, cookie = '') =>
  from(address, '/api/auth/forgot-password', { json: { email }, headers: { cookie } })
const times = async (n: number, act: (i: number) => Promise<unknown>) => {
  for (let i = 0; i < n; i++) await act(i)
}
const wrong = { password: 'a wrong guess' }
const mailed = async (email: string) =>
  (
    await query(
      `select from outbox o join users u on u.id = o.recipient_id where u.email = $1 and o.event = 'account.reset'`,
      [email],
    )
  ).length

/** A browser this account was used in, and its live session. */
async function home(more: object = {}) {
  const session = cookieOf(await signIn('198.51.100.200', more))
  return { session, device: deviceIn(session) }
}

/** Asks for a link, and whether an email with it was queued. */
async function getsLink(address: string, email = me, cookie = ''): Promise<boolean> {
  const before = await mailed(email)
  const { status } = await askForLink(address, email, cookie)
  return status === 200 && (await mailed(email)) === before + 1
}

const isIn = async (answer: Promise<Response>) => (await answer).status === 200

beforeEach(async () => {
  await emptyOutbox()
  await query('delete from throttles')
  await query('delete from second_factors')
})

type Limit = {
  /** How often a stranger may try. */
  most: number
  /** A stranger tries. */
  stranger: () => Promise<Response>
  /** What honest people still do. */
  honest: Record<string, () => Promise<boolean>>
}

let sites = 0
let known: Awaited<ReturnType<typeof home>>

/** Limits that strangers can use up, by the names of their counters. */
const limits: Record<string, Limit> = {
  'password-pair': {
    most: 10,
    stranger: () => signIn(shared, wrong),
    honest: {
      'in a browser of the same network that the account knows': () => isIn(signIn(shared, {}, known.device)),
      'in another network': () => isIn(signIn(elsewhere)),
      'who asks for a link instead': () => getsLink(shared),
      'who changes their own password': async () => {
        const json = { currentPassword: demoPassword, password: demoPassword }
        const headers = { cookie: known.session.replace(known.device, '') }
        const { status } = await from(shared, '/api/account/password', { json, headers })
        // Refused for being the demo's, after the present one was found right.
        return status === 422
      },
    },
  },
  'password-network': {
    most: 100,
    stranger: () => signIn(shared, { ...wrong, email: 'sprayed@example.com' }),
    honest: {
      'of the same network, in a new browser': () => isIn(signIn(shared)),
      'of the same network, in a browser that the account knows': () =>
        isIn(signIn(shared, {}, known.device)),
    },
  },
  'password-account': {
    most: 100,
    stranger: () => signIn('198.51.100.3', wrong),
    honest: {
      'in a new browser': () => isIn(signIn(elsewhere)),
      'in a browser that the account knows': () => isIn(signIn('198.51.100.3', {}, known.device)),
    },
  },
  'link-pair': {
    most: 5,
    stranger: () => askForLink(shared),
    honest: {
      'in a browser of the same network that the account knows': () => getsLink(shared, me, known.device),
      'in another network': () => getsLink(elsewhere),
      'who is a neighbour in the same network': () => getsLink(shared, 'board@example.com'),
    },
  },
  'link-account-busy': {
    most: 10,
    // A third time at each site.
    stranger: async () => {
      sites += 1
      const address = `2001:db8:${sites}::1`
      await askForLink(address)
      await askForLink(address)
      return askForLink(address)
    },
    honest: {
      'in another network': () => getsLink(elsewhere),
      'in a browser that the account knows': () => getsLink(elsewhere, me, known.device),
    },
  },
  'link-account': {
    most: 20,
    stranger: () => askForLink('198.51.100.5'),
    honest: { 'in a browser that the account knows': () => getsLink(elsewhere, me, known.device) },
  },
  'link-network': {
    most: 100,
    stranger: () => askForLink(shared, 'sprayed@example.com'),
    honest: {
      'of the same network, in a new browser': () => getsLink(shared),
      'of the same network, in a browser that the account knows': () => getsLink(shared, me, known.device),
    },
  },
}

/** As if so many had been counted already. */
const counts = (counter: string, points: number) =>
  query('update throttles set points = $2 where key like $1', [`${counter}:%`, points])

describe.each(Object.entries(limits))('%s, once a stranger has used it up,', (name, limit) => {
  it('refuses the stranger and lets honest people through', async () => {
    known = await home()
    await query('delete from throttles')
    await limit.stranger()
    await counts(name, limit.most - 1)
    expect((await limit.stranger()).status).toBeLessThan(429)

    expect((await limit.stranger()).status).toBe(429)
    for (const [who, act] of Object.entries(limit.honest)) expect(await act(), `somebody ${who}`).toBe(true)
    expect((await limit.stranger()).status).toBe(429)
  })
})

it('the list has every counter of sign-ins and links, but those that no stranger can spend', () => {
  const code = readFileSync(path.join(checkout, 'src/platform/http/protection/signInLimits.ts'), 'utf8')
  const names = [...code.matchAll(/limitOf\(\s*'([\w-]+)'/g)].map(([, name]) => name!)
  const ownOrUncounted = ['password-browser', 'password-site', 'link-browser']
  expect(names.filter((name) => !ownOrUncounted.includes(name)).sort()).toEqual(Object.keys(limits).sort())
})

it('a browser that the account knows has ten tries, and those of nobody else', async () => {
  const { device } = await home()
  expect((await signIn(shared, wrong, device)).status).toBe(401)
  await counts('password-browser', 9)
  expect((await signIn(shared, wrong, device)).status).toBe(401)
  for (const given of [wrong, {}]) expect((await signIn(shared, given, device)).status).toBe(429)
  expect((await signIn(shared)).status).toBe(200)
  // Known to one account, it is a stranger to another.
  const email = 'board@example.com'
  await signIn(elsewhere, { ...wrong, email })
  await counts('password-pair', 10)
  expect((await signIn(elsewhere, { email }, device)).status).toBe(429)
})

it('a known browser asks for ten links an hour', async () => {
  const { device } = await home()
  expect(await getsLink(shared, me, device)).toBe(true)
  await counts('link-browser', 9)
  expect(await getsLink(shared, me, device)).toBe(true)
  expect((await askForLink(shared, me, device)).status).toBe(429)
})

it('whoever has the password locks nobody out of the codes of a browser that the account knows', async () => {
  const { session, device } = await home()
  const { secret } = await secondFactorFor(house, session)
  const withCode = async (address: string, code: string, cookie = '') =>
    (await signIn(address, { code }, cookie)).status
  await times(6, () => withCode(shared, '000000'))
  await query('update second_factors set last_step = 0')
  expect(await withCode(shared, codeNow(secret))).toBe(429)
  expect(await withCode(shared, codeNow(secret), device)).toBe(200)
})

describe.each(Object.entries(signedLinks))('a %s', (_name, { make, routes }) => {
  const tries = perRun({ quick: 15, whole: 150 })
  it(`opens after ${tries} wrong tokens from the same network`, async () => {
    const { path: good, browser } = await make(house)
    const headers = { 'x-forwarded-for': shared }
    const wrongs = new Set<number>()
    await times(tries, async (i) =>
      wrongs.add((await from(shared, routes[0]!.replace(':token', `x${i}`))).status),
    )
    expect([...wrongs]).toEqual([404])
    expect((await browser.ask(good, { headers })).status).toBe(200)
  })
})
