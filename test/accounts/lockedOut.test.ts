import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { startLinkTime } from '../../src/platform/links/emailLinks.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { checkout } from '../support/compiled.js'
import { emptyOutbox } from '../support/email/messages.js'
import { cookieOf, deviceIn, fromAddress } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts, setCount } from '../support/house/limits.js'
import { signedLinks } from '../support/links/signedLinks.js'
import { count } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'
import { repeat } from '../support/run/repeat.js'
import { forgetSecondFactors, secondFactorFor } from '../support/secondFactor.js'

/** Behind a proxy every test can come from wherever it likes. */
vi.hoisted(() => Object.assign(process.env, { TRUST_PROXY: 'true' }))

const house = useHouse()
const me = 'resident@example.com'
const [shared, elsewhere] = ['192.0.2.1', '203.0.113.9']
const wrong = { password: 'a wrong guess' }

beforeEach(() => Promise.all([emptyOutbox(), forgetCounts(), forgetSecondFactors()]))

let sites = 0
let known: Awaited<ReturnType<typeof knownBrowser>>
let rightCode: () => Promise<string>

describe.each(Object.entries(signInLimits()))('%s, once a stranger has used it up,', (name, limit) => {
  it('refuses the stranger and lets honest people through', async () => {
    known = await knownBrowser()
    await limit.prepare?.()
    await forgetCounts()
    await limit.stranger()
    await setCount(name, limit.most - 1)
    expect((await limit.stranger()).status).toBeLessThan(429)

    expect((await limit.stranger()).status).toBe(429)
    for (const [who, act] of Object.entries(limit.honest)) expect(await act(), `somebody ${who}`).toBe(true)
    expect((await limit.stranger()).status).toBe(429)
  })
})

it('the list has every counter of sign-ins and links, but those that no stranger can spend', () => {
  const files = ['src/platform/http/protection/signInLimits.ts', 'src/accounts/signIn/codeAttempts.ts']
  const code = files.map((file) => readFileSync(path.join(checkout, file), 'utf8')).join('\n')
  const names = [...code.matchAll(/limitOf\(\s*'([\w-]+)'/g)].map(([, name]) => name!)
  const ownOrUncounted = ['password-browser', 'password-site', 'link-browser', 'email-code-browser']
  expect(names.filter((name) => !ownOrUncounted.includes(name)).sort()).toEqual(
    Object.keys(signInLimits()).sort(),
  )
})

it('a browser that the account knows has ten tries, and those of no one else', async () => {
  const { device } = await knownBrowser()
  expect((await attemptFrom(shared, wrong, device)).status).toBe(401)
  await setCount('password-browser', 9)
  expect((await attemptFrom(shared, wrong, device)).status).toBe(401)
  for (const given of [wrong, {}]) expect((await attemptFrom(shared, given, device)).status).toBe(429)
  expect((await attemptFrom(shared)).status).toBe(200)
  // Known to one account, it is a stranger to another.
  const email = 'board@example.com'
  await attemptFrom(elsewhere, { ...wrong, email })
  await setCount('password-pair', 10)
  expect((await attemptFrom(elsewhere, { email }, device)).status).toBe(429)
})

it('a known browser asks for ten links an hour', async () => {
  const { device } = await knownBrowser()
  expect(await getsLink(shared, me, device)).toBe(true)
  await setCount('link-browser', 9)
  expect(await getsLink(shared, me, device)).toBe(true)
  expect((await askForLink(shared, me, device)).status).toBe(429)
})

it('whoever has the password locks no one out of the codes of a browser that the account knows', async () => {
  const { session, device } = await knownBrowser()
  const { code } = await secondFactorFor(house, session)
  const withCode = async (address: string, code: string, cookie = '') =>
    (await attemptFrom(address, { code }, cookie)).status
  await repeat(6, () => withCode(shared, '000000'))
  expect(await withCode(shared, await code())).toBe(429)
  expect(await withCode(shared, await code(), device)).toBe(200)
})

describe.each(Object.entries(signedLinks))('a %s', (_name, { make, routes }) => {
  const tries = perRun({ quick: 15, whole: 150 })
  it(`opens after ${tries} wrong tokens from the same network`, async () => {
    const { path: good, browser } = await make(house)
    const headers = { 'x-forwarded-for': shared }
    const wrongs = new Set<number>()
    await repeat(tries, async (i) =>
      wrongs.add(
        (await house.ask('guest', routes[0]!.replace(':token', `x${i}`), fromAddress(shared))).status,
      ),
    )
    expect([...wrongs]).toEqual([404])
    expect((await browser.ask(good, { headers })).status).toBe(200)
  })
})

/** Asks to sign in from this address, in the browser that has this cookie. */
function attemptFrom(address: string, more: object = {}, cookie = '') {
  return house.attemptSignIn({ email: me, ...more }, fromAddress(address, { headers: { cookie } }))
}

function askForLink(address: string, email = me, cookie = '') {
  const asked = fromAddress(address, { json: { email }, headers: { cookie } })
  return house.ask('guest', '/api/auth/forgot-password', asked)
}

/** How many links for a new password are queued for this address. */
function linksQueued(email: string): Promise<number> {
  return count(
    `outbox join users on users.id = recipient_id where users.email = $1 and event = 'account.reset'`,
    [email],
  )
}

/** A browser this account was used in, and its live session. */
async function knownBrowser(more: object = {}) {
  const session = cookieOf(await attemptFrom('198.51.100.200', more))
  return { session, device: deviceIn(session) }
}

/** The known browser turns on a second factor; `rightCode` is what its app shows. */
async function setUpSecondFactor() {
  const { code } = await secondFactorFor(house, known.session)
  rightCode = code
}

/** Asks for a link, and whether an email with it was queued. */
async function getsLink(address: string, email = me, cookie = ''): Promise<boolean> {
  const before = await linksQueued(email)
  const { status } = await askForLink(address, email, cookie)
  return status === 200 && (await linksQueued(email)) === before + 1
}

/** The cookies of a stranger's browser that has asked for an email to this account. */
let stranger: string
async function askAsStranger() {
  stranger = (await codeFrom('198.51.100.77')).cookie
}

/** No code of six digits. */
const wrongCode = '000000'

/** Asks for a sign-in email in the browser with this cookie, and reads its code and its link. */
async function codeFrom(address: string, cookie = '', email = me) {
  const answer = await press(address, '/sign-in/link', { email }, cookie)
  const [queued] = await query<{ name: string }>(
    `select payload ->> 'link' as name from outbox where event = 'account.sign_in' order by id desc limit 1`,
  )
  const link = await startLinkTime('sign_in', queued!.name)
  return {
    code: link!.code!,
    token: link!.token,
    cookie: [cookie, cookieOf(answer)].filter(Boolean).join('; '),
  }
}

function typeCode(address: string, code: string, cookie: string) {
  return press(address, '/sign-in/link-sent', { code }, cookie)
}

/** Sends a form of ours in the browser with this cookie. */
function press(address: string, path: string, form: Record<string, string>, cookie: string) {
  const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin', cookie }
  return house.ask('guest', path, fromAddress(address, { form, headers }))
}

async function opensLink(address: string): Promise<boolean> {
  const { token, cookie } = await codeFrom(address)
  return isSignedIn(press(address, `/sign-in/link/${token}`, {}, cookie))
}

async function isSignedIn(answer: Promise<Response>): Promise<boolean> {
  return (await answer).status === 303
}

async function isIn(answer: Promise<Response>) {
  return (await answer).status === 200
}

type Limit = {
  /** How often a stranger may try. */
  most: number
  /** What the account needs before, such as a second factor. */
  prepare?: () => Promise<void>
  /** A stranger tries. */
  stranger: () => Promise<Response>
  /** What honest people still do. */
  honest: Record<string, () => Promise<boolean>>
}

/** Limits that strangers can use up, by the names of their counters. */
function signInLimits(): Record<string, Limit> {
  return {
    'password-pair': {
      most: 10,
      stranger: () => attemptFrom(shared, wrong),
      honest: {
        'in a browser of the same network that the account knows': () =>
          isIn(attemptFrom(shared, {}, known.device)),
        'in another network': () => isIn(attemptFrom(elsewhere)),
        'who asks for a link instead': () => getsLink(shared),
        'who changes their own password': async () => {
          const json = { currentPassword: demoPassword, password: demoPassword }
          const headers = { cookie: known.session.replace(known.device, '') }
          const { status } = await house.ask(
            'guest',
            '/api/account/password',
            fromAddress(shared, { json, headers }),
          )
          // Refused for being the demo's, after the present one was found right.
          return status === 422
        },
      },
    },
    'password-network': {
      most: 100,
      stranger: () => attemptFrom(shared, { ...wrong, email: 'sprayed@example.com' }),
      honest: {
        'of the same network, in a new browser': () => isIn(attemptFrom(shared)),
        'of the same network, in a browser that the account knows': () =>
          isIn(attemptFrom(shared, {}, known.device)),
      },
    },
    'password-account': {
      most: 100,
      stranger: () => attemptFrom('198.51.100.3', wrong),
      honest: {
        'in a new browser': () => isIn(attemptFrom(elsewhere)),
        'in a browser that the account knows': () => isIn(attemptFrom('198.51.100.3', {}, known.device)),
      },
    },
    code: {
      most: 5,
      prepare: setUpSecondFactor,
      // The stranger has the password.
      stranger: () => attemptFrom('198.51.100.6', { code: '000000' }),
      honest: {
        'in a browser that the account knows': async () =>
          isIn(attemptFrom(shared, { code: await rightCode() }, known.device)),
      },
    },
    'password-without-code': {
      most: 30,
      prepare: setUpSecondFactor,
      stranger: () => attemptFrom('198.51.100.6'),
      honest: {
        'in a browser that the account knows': async () =>
          (await attemptFrom(shared, {}, known.device)).status === 401 &&
          (await isIn(attemptFrom(shared, { code: await rightCode() }, known.device))),
        'in a new browser, who sends the code along': async () =>
          isIn(attemptFrom(elsewhere, { code: await rightCode() })),
      },
    },
    'email-code-pair': {
      most: 5,
      prepare: askAsStranger,
      stranger: () => typeCode(shared, wrongCode, stranger),
      honest: {
        'in a browser of the same network that the account knows': async () => {
          const { code, cookie } = await codeFrom(shared, known.device)
          return isSignedIn(typeCode(shared, code, cookie))
        },
        'in another network': async () => {
          const { code, cookie } = await codeFrom(elsewhere)
          return isSignedIn(typeCode(elsewhere, code, cookie))
        },
        'who is a neighbour in the same network': async () => {
          const { code, cookie } = await codeFrom(shared, '', 'board@example.com')
          return isSignedIn(typeCode(shared, code, cookie))
        },
        'in the same network, who opens the link of the email': () => opensLink(shared),
      },
    },
    'email-code-account-busy': {
      most: 5,
      prepare: askAsStranger,
      // A third time at each site.
      stranger: async () => {
        sites += 1
        const address = `2001:db8:${sites}::1`
        await typeCode(address, wrongCode, stranger)
        await typeCode(address, wrongCode, stranger)
        return typeCode(address, wrongCode, stranger)
      },
      honest: {
        'in another network': async () => {
          const { code, cookie } = await codeFrom(elsewhere)
          return isSignedIn(typeCode(elsewhere, code, cookie))
        },
      },
    },
    'email-code-account': {
      most: 10,
      prepare: askAsStranger,
      stranger: () => {
        sites += 1
        return typeCode(`2001:db8:${sites}::1`, wrongCode, stranger)
      },
      honest: {
        'in a browser that the account knows': async () => {
          const { code, cookie } = await codeFrom(elsewhere, known.device)
          return isSignedIn(typeCode(elsewhere, code, cookie))
        },
        'in a new browser, who opens the link of the email': () => opensLink(elsewhere),
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
}
