import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { signInByIdentity } from '../../../src/accounts/singleSignOn/identities.js'
import { query } from '../../../src/platform/db/database.js'
import { texts } from '../../../src/text/index.js'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import { useHouse } from '../../support/house/house.js'
import { json, newKey } from '../../support/oidc/provider.js'
import {
  forgetIdentities,
  signInLink,
  subject,
  subjectWith,
  useProvider,
} from '../../support/oidc/useProvider.js'
import { perRun } from '../../support/run/extent.js'

/** Happens between the look at who it is and the change that signs them in. */
const { meanwhile } = vi.hoisted(() => ({ meanwhile: { act: async () => {} } }))

const house = useHouse()
const sso = useProvider(house)

const resident = subject('resident')

describe('an ID token', () => {
  type Forged = [string, (usual: Record<string, unknown>) => Record<string, unknown>, 'in' | 'refused']
  it.each<Forged>([
    [
      'with our own address and others',
      (usual) => ({ ...usual, aud: ['caretaker', 'other'], azp: 'caretaker' }),
      'in',
    ],
    ['from a clock half a minute behind', (usual) => ({ ...usual, exp: now() - 30 }), 'in'],
    ['from a clock half a minute ahead', (usual) => ({ ...usual, iat: now() + 30, nbf: now() + 30 }), 'in'],
    ['that has expired', (usual) => ({ ...usual, exp: now() - 120 }), 'refused'],
    ['for another client', (usual) => ({ ...usual, aud: 'another' }), 'refused'],
    ['handed on by another client', (usual) => ({ ...usual, aud: ['caretaker', 'b'], azp: 'b' }), 'refused'],
    ['of another issuer', (usual) => ({ ...usual, iss: 'https://evil.test' }), 'refused'],
    ['with another nonce', (usual) => ({ ...usual, nonce: 'another' }), 'refused'],
    ['without a nonce', ({ nonce: _nonce, ...usual }) => usual, 'refused'],
  ])('%s', async (_what, forged, outcome) => {
    sso.provider().forge(forged)
    const { browser, page } = await sso.signIn(resident)
    if (outcome === 'in') expect((await sso.who(browser)).email).toBe('resident@example.com')
    else await expectClosed(browser, page, 401, 'provider_refused')
  })

  it.each<[string, () => void]>([
    ['with a key the provider never had', () => sso.provider().forge((usual) => usual, newKey('unknown'))],
    [
      'with another key by the name of its own',
      () => sso.provider().forge((usual) => usual, newKey(sso.provider().key.kid)),
    ],
    ['by none', () => answerUnsigned('none')],
    ['by HS256', () => answerUnsigned('HS256')],
  ])('signed %s is refused', async (_what, misbehave) => {
    misbehave()
    const { browser, page } = await sso.signIn(resident)
    await expectClosed(browser, page, 401, 'provider_refused')
  })

  function answerUnsigned(alg: string) {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    sso.provider().instead = (req, res) => {
      if (req.url !== '/token') return false
      const { issuer: iss, nonce } = sso.provider()
      const claims = { iss, aud: 'caretaker', nonce, iat: now(), exp: now() + 60, ...resident }
      json(res, { access_token: 'x', token_type: 'Bearer', id_token: `${part({ alg })}.${part(claims)}.` })
      return true
    }
  }

  it('of a key that has just been changed is known at once', async () => {
    expect((await sso.who((await sso.signIn(resident)).browser))?.email).toBe('resident@example.com')
    sso.provider().rotate('second')
    expect((await sso.who((await sso.signIn(resident)).browser))?.email).toBe('resident@example.com')
  })
})

describe('a sign-in under way', () => {
  const rules = { linkByEmail: true, roleClaim: null }
  const enter = (email: string) => {
    const claims = { iss: 'https://provider.example', ...subjectWith(email) }
    return signInByIdentity(
      (person) => ({ type: 'user', ...person, via: 'web' }),
      { claims, idToken: null },
      rules,
    )
  }
  it.each([
    ['whose link is ended meanwhile', true, forgetIdentities],
    ['by an address that the account loses meanwhile', false, moveAway],
  ])('%s signs no one in, and links nothing', async (_what, linked, act) => {
    const { email } = await house.newcomer()
    if (linked) await enter(email)
    meanwhile.act = () => act(email)
    expect(await enter(email)).toEqual({ refused: 'unknown' })
    meanwhile.act = async () => {}
    expect(await query('select from identities')).toHaveLength(0)
  })
})

describe('what comes back from the provider', () => {
  const back = (query: Record<string, string>) =>
    `${house.origin()}/sign-in/oidc/callback?${new URLSearchParams(query)}`
  /** A browser that stands before the provider, and the address the provider sends it back to. */
  async function onTheWay() {
    sso.provider().subject = resident
    const browser = await sso.guest('/report')
    let { location } = await browser.peek('/sign-in/oidc?next=/report')
    while (location!.origin !== house.origin()) location = (await browser.peek(location!)).location
    return { browser, location: location! }
  }

  it.each<[string, (url: URL, other: URL) => void, Problem]>([
    ['no state', (url) => url.searchParams.delete('state'), 'sign_in_over'],
    ['a state we never made', (url) => url.searchParams.set('state', 'e30.x'), 'sign_in_over'],
    [
      'another browser’s state',
      (url, other) => url.searchParams.set('state', other.searchParams.get('state')!),
      'sign_in_over',
    ],
    [
      'another browser’s code',
      (url, other) => url.searchParams.set('code', other.searchParams.get('code')!),
      'provider_refused',
    ],
    ['no code', (url) => url.searchParams.delete('code'), 'provider_refused'],
    ['a code of nobody', (url) => url.searchParams.set('code', 'invented'), 'provider_refused'],
    ['another issuer', (url) => url.searchParams.set('iss', 'https://evil.test'), 'provider_refused'],
    ['no issuer where it promised one', (url) => url.searchParams.delete('iss'), 'provider_refused'],
  ])('with %s is refused', async (_what, change, problem) => {
    const [{ browser, location }, { location: other }] = [await onTheWay(), await onTheWay()]
    change(location, other)
    await expectClosed(browser, await browser.go(location), 401, problem)
  })

  it('is accepted once, and by no other browser', async () => {
    const { browser, location } = await onTheWay()
    const stranger = await sso.guest()
    await expectClosed(stranger, await stranger.go(location), 401, 'sign_in_over')
    await browser.go(location)
    expect((await sso.who(browser)).email).toBe('resident@example.com')
    const again = await browser.go(location)
    expect(again.status).toBe(403)
    expect(again.$('h1').text()).toBe(texts.en.problems.sign_in_over.title)
  })

  it.each<[string, number, Problem]>([
    ['access_denied', 401, 'provider_denied'],
    ['invalid_scope', 401, 'provider_refused'],
    ['<script>alert(1)</script>', 401, 'provider_refused'],
    ['server_error', 503, 'provider_away'],
  ])('as the error %s is told apart', async (error, status, problem) => {
    const { browser, location } = await onTheWay()
    const [state, iss] = [location.searchParams.get('state')!, sso.provider().issuer]
    const page = await browser.go(back({ error, error_description: 'CANARY', state, iss }))
    expect(page.html).not.toMatch(/CANARY|<script>alert/)
    expect(page.$('input[name=next]').attr('value')).toBe('/report')
    await expectClosed(browser, page, status, problem)
  })

  it('is no use twice of one parameter', async () => {
    const { browser, location } = await onTheWay()
    expect((await browser.go(`${location}&state=x`)).status).toBe(400)
    expect(await sso.who(browser)).toBeNull()
  })
})

let issuers = 0

type Fault = (req: IncomingMessage, res: ServerResponse) => void
const faults: [string, Fault][] = [
  ['hangs', () => {}],
  [
    'drips',
    (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => res.write(' '), 100)
      res.on('close', () => clearInterval(timer))
    },
  ],
  ['cuts the connection', (req) => void req.socket.destroy()],
  ['breaks', (_req, res) => void res.writeHead(500).end('{}')],
  [
    'answers with a page',
    (_req, res) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello'),
  ],
  [
    'answers without an end',
    (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!res.destroyed && res.write(' '.repeat(65_536)));
      }
      res.on('drain', more)
      more()
    },
  ],
  ['leads elsewhere', (_req, res) => void res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
]
const slow = new Set(['hangs', 'drips'])

describe('a provider', () => {
  const quick = faults.filter(([what]) => !slow.has(what))
  const late = perRun({ quick: [], whole: faults.filter(([what]) => slow.has(what)) })
  const cases = [
    ...quick.map(([what, fault]) => [what, '/token', fault] as const),
    ...late.map(([what, fault]) => [what, '/token', fault] as const),
    ['breaks', '/jwks', faults.find(([what]) => what === 'breaks')![1]] as const,
  ]
  it.each(cases)('that %s at %s leaves the password', async (_what, path, fault) => {
    sso.provider().instead = (req, res) => {
      if (req.url !== path) return false
      fault(req, res)
      return true
    }
    const { browser, page } = await sso.signIn(resident)
    await expectClosed(browser, page, 503, 'provider_away')
  })

  it.each<[string, Fault]>([
    ...quick.slice(0, 2),
    ['says it is another', (_req, res) => json(res, { issuer: 'https://evil.test' })],
    ['says nothing of where to go', (_req, res) => json(res, { issuer: sso.provider().issuer })],
  ])(
    'that %s before anybody has been there leaves the password, and is asked again',
    async (_what, fault) => {
      // Another path is another issuer, of which nothing is known yet.
      const issuer = `${sso.provider().issuer}/${++issuers}`
      sso.settings({ issuer })
      sso.provider().instead = (req, res) => {
        fault(req, res)
        return true
      }
      const browser = await sso.guest('/report')
      await expectClosed(browser, await browser.follow(signInLink), 503, 'provider_away')
      const calls = sso.provider().asked.length
      await browser.peek('/sign-in/oidc')
      expect(sso.provider().asked.length).toBeGreaterThan(calls)
    },
  )

  it('that cannot be asked for its metadata again is known as it was', async () => {
    await sso.signIn(resident)
    const calls = () => sso.provider().asked.filter((each) => each.includes('.well-known')).length
    const before = calls()
    await sso.signIn(resident)
    expect(calls()).toBe(before)
  })
})

/** The account has another address from now on. */
async function moveAway(email: string): Promise<void> {
  await query('update users set email = $1 where email = $2', [`moved.${email}`, email])
}

/** Seconds since 1970, as ID tokens tell the time. */
function now() {
  return Math.floor(Date.now() / 1000)
}

type Problem = keyof typeof texts.en.problems

type Browser = Awaited<ReturnType<typeof sso.guest>>

type Page = Awaited<ReturnType<Browser['go']>>

/** No one came in, the page says what to do and offers the password, which works. */
async function expectClosed(browser: Browser, page: Page, status: number, problem: Problem): Promise<void> {
  expect(await sso.who(browser)).toBeNull()
  expect([page.status, page.$('#errors h2').text()]).toEqual([status, texts.en.problems[problem].title])
  expect(page.html).not.toMatch(/id_token|OAUTH_|\bat .*\.js:\d/)
  if (status === 503) expect(page.headers.get('retry-after')).toBe('5')
  await browser.send('form[action="/sign-in"]', { email: 'resident@example.com', password: demoPassword })
  expect((await sso.who(browser)).email).toBe('resident@example.com')
}

// Lets something happen before each change.
vi.mock('../../../src/platform/db/change.js', async (original) => {
  const real = await original<typeof import('../../../src/platform/db/change.js')>()
  const change: typeof real.change = async (...given) => {
    await meanwhile.act()
    return real.change(...given)
  }
  return { ...real, change }
})
