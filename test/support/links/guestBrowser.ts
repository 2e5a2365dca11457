import { load } from 'cheerio'
import { query } from '../../../src/platform/db/database.js'
import { takeMessages } from '../email/messages.js'
import type { Asked } from '../house/asking.js'
import type { House } from '../house/house.js'

/** A browser of its own: it keeps the cookies it gets, and asks for pages as browsers do. */
export function browserOf(house: House) {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  async function ask(path: string, asked: Asked = {}): Promise<Response> {
    const ours = { accept: 'text/html', 'sec-fetch-site': 'same-origin', cookie: cookie() }
    const headers = { ...ours, ...asked.headers }
    const answer = await house.ask('guest', path, { ...asked, headers })
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (value) cookies.set(name!, value)
      else cookies.delete(name!)
    }
    return answer
  }
  return {
    ask,
    /** What it sends with each request. */
    cookie,
    page: async (path: string, asked: Asked = {}) => load(await (await ask(path, asked)).text()),
    /** The address of whoever is signed in here; null for nobody. */
    async user(): Promise<string | null> {
      const session = await ask('/api/auth/get-session', { headers: { accept: 'application/json' } })
      return ((await session.json()) as { user: { email: string } } | null)?.user.email ?? null
    },
    /** Follows where an answer led. */
    async follow(answer: Response) {
      const at = answer.headers.get('location')!
      return { at, page: load(await (await ask(at)).text()) }
    },
  }
}

/** The hidden fields of a form of this page. */
export function hiddenIn(page: ReturnType<typeof load>, form: string): Record<string, string> {
  return Object.fromEntries(
    page(`${form} input[type=hidden]`)
      .toArray()
      .map((input) => [page(input).attr('name')!, page(input).attr('value') ?? '']),
  )
}

/**
 * Sends what waits; the links of this kind in it, with whom each went to. `path`: part
 * of a regular expression.
 */
export async function linksTo(
  path: string,
): Promise<{ to: string; path: string; text: string; html: string }[]> {
  const { emails } = await takeMessages()
  return emails.flatMap(({ to, text, html }) => {
    const found = new RegExp(`${path}/[\\w-]+`).exec(text)?.[0]
    return found ? [{ to: to.address, path: found, text, html }] : []
  })
}

/** As if every link that was sent by email had been sent, and used, so many seconds earlier. */
export async function letLinksAge(seconds: number): Promise<void> {
  await query(
    `update email_links set expires_at = expires_at - make_interval(secs => $1),
       used_at = used_at - make_interval(secs => $1)`,
    [seconds],
  )
}
