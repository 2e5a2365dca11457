import Negotiator from 'negotiator'
import type { Context } from './context.js'
import { memoized } from './memoized.js'
import { isApi } from './paths.js'

/** For `Vary`: what decides representation (`representationOf`), language and caller. */
export const varying =
  'Accept, Accept-Language, Authorization, Cookie, HX-Request, HX-History-Restore-Request'

/** For JSON without words in it that is the same for everyone. */
export const varyingData = 'Accept, Authorization'

/** How an answer is written: a whole page, a part of one for htmx, or JSON. */
export type Representation = 'page' | 'fragment' | 'json'

/** The parts of a request that decide its representation. Header values as received. */
export type RepresentationHints = {
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
export function negotiate({
  path,
  accept,
  bearer,
  htmx,
  historyRestore,
}: RepresentationHints): Representation {
  const wanted = explicit(accept)
  const machine = bearer === true || isApi(path)
  if (wanted === 'json' || (wanted === null && machine)) return 'json'
  return htmx && !historyRestore ? 'fragment' : 'page'
}

/** The type that Accept prefers of those it names; null for wildcards, other types and none. */
const explicit = memoized((accept): 'html' | 'json' | null => {
  const types = new Negotiator({ headers: { accept } }).mediaTypes()
  return types.map((type) => kindOf(type.toLowerCase())).find((kind) => kind !== null) ?? null
})

function kindOf(type: string): 'html' | 'json' | null {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  return type === 'application/json' || type.endsWith('+json') ? 'json' : null
}

/** The parts of a request that decide its representation, read in one place. */
export function representationOf(ctx: Context): Representation {
  return negotiate({
    path: ctx.path,
    accept: ctx.get('Accept'),
    bearer: ctx.get('Authorization') !== '',
    htmx: ctx.get('HX-Request') === 'true',
    historyRestore: ctx.get('HX-History-Restore-Request') === 'true',
  })
}
