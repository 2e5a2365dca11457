import { load } from 'cheerio'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import { type Principal, roles, staffRoles } from '../../../src/vocabulary/people/permissions.js'
import type { send } from '../client.js'
import { keys } from '../keys.js'
import { requireDeclared } from '../routes/answers.js'
import { entrancePath } from './entrance.js'

/** Who asks in a test: a demo person, a machine's key, or nobody. */
export type Who = Principal

/** One of those, someone by their address, or whoever sends these cookies. */
export type Asker = Who | `${string}@${string}` | { cookie: string }

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

export type Form = Record<string, string> | [string, string][] | URLSearchParams

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

/** Asks an application as anyone; each person signs in once, in the one browser of theirs. */
export function askingOf(opened: () => Opened) {
  /**
   * Who asks thirty times at once for the first time signs in once: so many
   * sign-ins at once are guesses.
   */
  const cookies = new Map<string, Promise<string>>()
  const devices = new Map<string, string>()

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
    const { origin, send } = opened()
    const { answer, text } = await send(origin + path, { method, headers, body })
    await requireDeclared(method, path, answer, text)
    return answer
  }

  async function credentials(who: Asker): Promise<Record<string, string>> {
    if (typeof who === 'object') return { cookie: who.cookie }
    if (who === 'guest') return {}
    const bearer = bearers[who as Who]
    if (bearer) return { authorization: `Bearer ${bearer}` }
    const signedIn = cookies.get(who) ?? signIn(who.includes('@') ? who : `${who}@example.com`)
    cookies.set(who, signedIn)
    return { cookie: await signedIn }
  }

  /**
   * Signs in and returns the cookie header. Without a password it is as if it had been right: to
   * hash one is half of what a test would cost.
   */
  async function signIn(email: string, password = opened().password): Promise<string> {
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
    ask,
    signIn,
    /** Asks to sign in, by default with the password of the demo; the answer, also a refusal. */
    attemptSignIn: (
      given: { email?: unknown; password?: unknown; code?: string | undefined },
      asked: Asked = {},
    ): Promise<Response> =>
      ask('guest', '/api/auth/sign-in/email', { ...asked, json: { password: demoPassword, ...given } }),
    /** JSON of an answer with 2xx; fails loudly on any other. */
    async json<T = any>(who: Asker, path: string, asked: Asked = {}): Promise<T> {
      const answer = await ask(who, path, asked)
      if (!answer.ok)
        throw new Error(
          `${asked.method ?? ''} ${path} as ${JSON.stringify(who)}: ${answer.status} ${await answer.text()}`,
        )
      return (await answer.json()) as T
    },
    /** The items of a list, from its first page to its last. */
    async list<T = any>(who: Asker, path: string): Promise<T[]> {
      const items: T[] = []
      for (let next: string | undefined = path; next; ) {
        const answer: Response = await ask(who, next)
        if (!answer.ok) throw new Error(`${next} as ${JSON.stringify(who)}: ${answer.status}`)
        items.push(...((await answer.json()) as T[]))
        next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      }
      return items
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

/** A request as it comes from this address, where the proxy in front is trusted (TRUST_PROXY). */
export function fromAddress(address: string, asked: Asked = {}): Asked {
  return { ...asked, headers: { 'x-forwarded-for': address, ...asked.headers } }
}

export type Asking = ReturnType<typeof askingOf>

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
