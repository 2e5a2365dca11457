import Negotiator from 'negotiator'
import { isApi } from '../request/both.js'
import { remembered } from './remembered.js'

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

/** What an Accept header names outright, the most wanted of it; null for wildcards, other types and none. */
const explicit = remembered((accept): 'html' | 'json' | null => {
  const types = new Negotiator({ headers: { accept } }).mediaTypes()
  return types.map((type) => kindOf(type.toLowerCase())).find((kind) => kind !== null) ?? null
})

function kindOf(type: string): 'html' | 'json' | null {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  return type === 'application/json' || type.endsWith('+json') ? 'json' : null
}
