import Negotiator from 'negotiator'
import { isApi } from '../request/both.js'
import { memoized } from './remembered.js'

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
 * The one choice between page, fragment and JSON (decision 4.4): an explicit Accept wins; a
 * wildcard, as text browsers, curl and htmx send it, or none means JSON under /api and for bearer
 * keys, else HTML.
 */
export function negotiate({ path, accept, bearer, htmx, historyRestore }: Asking): Representation {
  const wanted = explicit(accept)
  const machine = bearer === true || isApi(path)
  if (wanted === 'json' || (wanted === null && machine)) return 'json'
  return htmx && !historyRestore ? 'fragment' : 'page'
}

/**
 * The type an Accept header prefers of those it names; null for wildcards, other types and no
 * header.
 */
const explicit = memoized((accept): 'html' | 'json' | null => {
  const types = new Negotiator({ headers: { accept } }).mediaTypes()
  return types.map((type) => kindOf(type.toLowerCase())).find((kind) => kind !== null) ?? null
})

function kindOf(type: string): 'html' | 'json' | null {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  return type === 'application/json' || type.endsWith('+json') ? 'json' : null
}
