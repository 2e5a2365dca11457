import { createServer } from 'node:http'
import { load } from 'cheerio'
import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import { completeSignIn } from '../../src/accounts/signIn/completeSignIn.js'
import { User } from '../../src/accounts/users/user.js'
import { createApp, createListener } from '../../src/app/app.js'
import { Problem } from '../../src/platform/http/problem.js'
import { answeredByHandler, page } from '../../src/platform/http/route/answerContent.js'
import { route, routerOf } from '../../src/platform/http/route/route.js'
import { trimmedText } from '../../src/vocabulary/inputRules.js'
import { type Principal, roles, staffRoles } from '../../src/vocabulary/people/permissions.js'
import { send } from './client.js'
import { useDatabase } from './database.js'
import { keys } from './keys.js'
import { requireDeclared } from './routes/answers.js'
import { listenOnFreePort } from './suite/ports.js'

/** Who asks in a test: a demo person, a machine's key, or nobody. */
export type Who = Principal

/** One of those, or whoever sends these cookies. */
export type Asker = Who | { cookie: string }

export const people: readonly Who[] = roles

/** Everyone who can ask: a guest, each role, and each machine with a key. */
export const everyone: readonly Who[] = ['guest', ...roles, 'mobile', 'cron', 'inbound', 'monitor']

/** Who may do what the office does. */
export const staff: Who[] = [...staffRoles]

/** Everybody else, with how a door of the office is closed to them. */
export const notStaff: [Who, number][] = [
  ['guest', 401],
  ['resident', 403],
  ['mobile', 403],
  ['cron', 401],
  ['inbound', 401],
  ['monitor', 401],
]

const bearers: Partial<Record<Who, string>> = {
  mobile: keys.MOBILE_API_KEY,
  cron: keys.CRON_SECRET,
  inbound: keys.INBOUND_EMAIL_SECRET,
  monitor: keys.METRICS_TOKEN,
}

type Form = Record<string, string> | [string, string][] | URLSearchParams

export type Asked = {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as a URL-encoded form. */
  form?: Form
  body?: NonNullable<RequestInit['body']>
}

/** Where an application answers. `password`: everybody's, where none can sign in without. */
export type Opened = { origin: string; password?: string; send: typeof send; end: () => Promise<unknown> }

/** The real application on a free port, over a building of its own, for the tests of one file. */
export const useApp = (url = useDatabase()) => useAppOf(openApp, url)

/** The same tests of what `open` opens over the building at an address. */
export function useAppOf(open: (url: string) => Promise<Opened>, url = useDatabase()) {
  let opened: Opened
  /**
   * Who asks thirty times at once for the first time signs in once: so many
   * sign-ins at once are guesses.
   */
  const cookies = new Map<Who, Promise<string>>()
  const devices = new Map<string, string>()

  beforeAll(async () => {
    opened = await open(url())
  })
  afterAll(() => opened.end())

  const origin = () => opened.origin

  /**
   * Asks as somebody; nothing is followed, so redirects are seen. Throws when the answer is
   * none its route declares.
   */
  async function ask(who: Asker, path: string, asked: Asked = {}): Promise<Response> {
    const headers: Record<string, string> = { ...(await credentials(who)), ...asked.headers }
    let { body } = asked
    if (asked.json !== undefined) {
      headers['content-type'] = 'application/json'
      body = JSON.stringify(asked.json)
    }
    if (asked.form) body = new URLSearchParams(asked.form)
    const method = asked.method ?? (body === undefined ? 'GET' : 'POST')
    const { answer, text } = await opened.send(origin() + path, { method, headers, body })
    await requireDeclared(method, path, answer, text)
    return answer
  }

  async function credentials(who: Asker): Promise<Record<string, string>> {
    if (typeof who === 'object') return { cookie: who.cookie }
    if (who === 'guest') return {}
    const bearer = bearers[who]
    if (bearer) return { authorization: `Bearer ${bearer}` }
    const signedIn = cookies.get(who) ?? signIn(`${who}@example.com`)
    cookies.set(who, signedIn)
    return { cookie: await signedIn }
  }

  /**
   * Signs in, each person always in the one browser of theirs, and returns the
   * cookie header. Without a password it is as if it had been right: to hash one is
   * half of what a test would cost.
   */
  async function signIn(email: string, password = opened.password): Promise<string> {
    const device = devices.get(email)
    const answer = await ask('guest', password ? '/api/auth/sign-in/email' : entrancePath, {
      json: { email, password },
      headers: device ? { cookie: device } : {},
    })
    if (answer.status !== 200) throw new Error(`sign-in as ${email}: ${answer.status}`)
    const cookies = cookieOf(answer)
    devices.set(email, deviceIn(cookies))
    return cookies
  }

  return {
    origin,
    url,
    ask,
    signIn,
    /** JSON of an answer with 2xx; fails loudly on any other. */
    async json<T = any>(who: Asker, path: string, asked: Asked = {}): Promise<T> {
      const answer = await ask(who, path, asked)
      if (!answer.ok)
        throw new Error(
          `${asked.method ?? ''} ${path} as ${JSON.stringify(who)}: ${answer.status} ${await answer.text()}`,
        )
      return (await answer.json()) as T
    },
    /** A page as a document to select from. */
    async page(who: Asker, path: string, asked: Asked = {}) {
      const answer = await ask(who, path, { ...asked, headers: { accept: 'text/html', ...asked.headers } })
      return load(await answer.text())
    },
    /** Sends a form as a browser does from a page of ours. */
    submit: (who: Asker, path: string, form: Form = {}) =>
      ask(who, path, { form, headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' } }),
    /** Whose session the cookie is; null for nobody's. */
    me: async (cookie: string) => {
      const session = await (await ask({ cookie }, '/api/auth/get-session')).json()
      return (session as { user: any } | null)?.user ?? null
    },
  }
}

async function openApp(): Promise<Opened> {
  const [listener, entrance] = [createListener(), appWithEntrance().callback()]
  const server = createServer((req, res) =>
    req.url!.startsWith(entrancePath) ? void entrance(req, res) : listener(req, res),
  )
  // On a busy machine a kept connection ends just when it is used again.
  server.keepAliveTimeout = 0
  const { origin, stop } = await listenOnFreePort(server)
  return { origin, send, end: stop }
}

const entrancePath = '/api/entrance-of-tests'

/** The application with one route, which does what a sign-in does after a right password. */
function appWithEntrance() {
  const entrance = route({
    method: 'post',
    paths: entrancePath,
    summary: 'Signs in without a password.',
    permission: 'session.create',
    body: z.object({ email: trimmedText('email', 320) }),
    answer: page,
    handle: async ({ ctx, body: { email } }) => {
      const { user } = await User.byAddress(email)
      if (!user?.active || user.hasSecondFactor) throw new Problem(401, 'wrong_credentials')
      const { passwordHash: _passwordHash, active: _active, ...current } = user
      await completeSignIn(ctx, current, { next: null, carriedForm: null })
      return answeredByHandler
    },
  })
  return createApp(routerOf([entrance]))
}

/** The Cookie header a browser would send after this answer. */
export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ')
}

/** Of a Cookie header, the part by which a browser is known again. */
export const deviceIn = (cookies: string): string =>
  /\S*caretaker-device=[^;]*; \S*caretaker-device\.sig=[^;]*/.exec(cookies)![0]
