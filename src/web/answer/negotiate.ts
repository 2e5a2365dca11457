import { isApi } from '../request/both.js'

/** How an answer is written: a whole page, a part of one for htmx, or JSON. */
export type Representation = 'page' | 'fragment' | 'json'

/** The parts of a request that decide its representation. Header values as received. */
export type Asking = {
  path: string
  accept?: string | undefined
  bearer?: boolean
  htmx?: boolean
  historyRestore?: boolean
}

/**
 * The one decision between page, fragment and JSON (decision 4.4): an explicit Accept wins; a wildcard or none
 * means JSON under /api and for bearer keys, HTML elsewhere. Text browsers, curl and htmx all send a wildcard.
 */
export function negotiate({ path, accept, bearer, htmx, historyRestore }: Asking): Representation {
  const wanted = explicit(accept)
  const machine = bearer === true || isApi(path)
  if (wanted === 'json' || (wanted === null && machine)) return 'json'
  return htmx && !historyRestore ? 'fragment' : 'page'
}

const html = new Set(['text/html', 'application/xhtml+xml'])
const isJson = (type: string) => type === 'application/json' || type.endsWith('+json')

/** What an Accept header names outright; null for wildcards, other types and a tie that nobody meant. */
function explicit(accept: string | undefined): 'html' | 'json' | null {
  if (!accept) return null
  let best: { kind: 'html' | 'json'; q: number } | null = null
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part
      .toLowerCase()
      .split(';')
      .map((each) => each.trim())
    const kind = html.has(type) ? 'html' : isJson(type) ? 'json' : null
    const q = quality(parameters)
    if (kind && q > 0 && (best === null || q > best.q)) best = { kind, q }
  }
  return best?.kind ?? null
}

function quality(parameters: string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const q = given === undefined ? 1 : Number.parseFloat(given.slice(2))
  return Number.isFinite(q) ? q : 0
}
