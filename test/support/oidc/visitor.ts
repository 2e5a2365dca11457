import { load } from 'cheerio'

/** Where somebody without a script has come to. */
export type Visited = {
  url: URL
  status: number
  headers: Headers
  html: string
  $: ReturnType<typeof load>
}

/**
 * Somebody with a browser without script: keeps cookies per host and port, follows redirects, and
 * refuses what a browser refuses by `form-action 'self'`: that a form ends at another host.
 */
export function visitor() {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = ({ origin }: URL) => {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  let at: Visited | null = null

  async function ask(url: URL, form: URLSearchParams | null, site: string): Promise<Response> {
    const jar = jarOf(url)
    const answer = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      body: form,
      headers: {
        accept: 'text/html',
        'accept-language': 'en',
        'sec-fetch-site': site,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }

  async function go(
    to: string | URL,
    form: Record<string, string> | null = null,
    most = 12,
  ): Promise<Visited> {
    let url = new URL(to, at?.url)
    let fields = form && new URLSearchParams(form)
    for (let hops = 0; hops <= most; hops++) {
      const site = !at || at.url.origin === url.origin ? 'same-origin' : 'cross-site'
      const answer = await ask(url, fields, site)
      const location = answer.headers.get('location')
      if (answer.status < 300 || answer.status >= 400 || location === null) {
        const html = await answer.text()
        at = { url, status: answer.status, headers: answer.headers, html, $: load(html) }
        return at
      }
      const next = new URL(location, url)
      if (form && next.origin !== url.origin)
        throw new Error(`a form led from ${url.origin} to ${next.origin}`)
      url = next
      fields = null
    }
    throw new Error(`too many redirects, at ${url}`)
  }

  return {
    go,
    /** Follows one link or redirect only, and tells where it leads. */
    async peek(to: string | URL): Promise<{ status: number; location: URL | null; answer: Response }> {
      const url = new URL(to, at?.url)
      const answer = await ask(url, null, 'same-origin')
      const location = answer.headers.get('location')
      return { status: answer.status, location: location === null ? null : new URL(location, url), answer }
    },
    /** Follows the link of the current page that matches. */
    async follow(selector: string): Promise<Visited> {
      const href = at!.$(selector).attr('href')
      if (!href) throw new Error(`no link ${selector} at ${at!.url}: ${at!.$('main').text()}`)
      return go(href)
    },
    /** Sends the form of the current page that matches, with what it carries. */
    async send(selector: string, typed: Record<string, string> = {}): Promise<Visited> {
      const form = at!.$(selector)
      if (form.length === 0) throw new Error(`no form ${selector} at ${at!.url}`)
      const carried = Object.fromEntries(
        form
          .find('input[name]')
          .toArray()
          .map((input) => [at!.$(input).attr('name')!, at!.$(input).attr('value') ?? '']),
      )
      return go(form.attr('action') ?? at!.url, { ...carried, ...typed })
    },
    /** What a field of the form that matches carries. */
    field: (selector: string, name: string) => at!.$(selector).find(`input[name=${name}]`).attr('value')!,
    /** The cookies this browser would send to the address. */
    cookie: (url: string) => [...jarOf(new URL(url))].map(([name, value]) => `${name}=${value}`).join('; '),
    cookies: (url: string) => jarOf(new URL(url)),
  }
}
