import { may } from '../../../vocabulary/people/permissions.js'
import type { Context } from '../context.js'
import { addressFor, withQuery } from '../paths.js'
import { representationOf, varying } from '../representation.js'
import { authorTag } from '../session/csrf.js'
import { leadOn, setLocation } from './redirect.js'
import { renderView } from './renderView.js'

/** What a handler returns: presented data, and how to show it as HTML. */
export type Answer = {
  /**
   * The JSON, and the data of the page; undefined answers 204 to JSON. A function is called only
   * where someone gets it: a form that is led to the next page pays for no JSON.
   */
  data?: unknown
  /** The page's template: `views/<view>.eta`. */
  view?: string
  /** The template htmx gets instead of the page; by default the page's. */
  fragment?: string
  /** What only the page needs; a function is called only for a page. */
  extras?: Record<string, unknown> | (() => Promise<Record<string, unknown>>)
  /** Page address of the result: a redirect for HTML without a view, a Location header with 201. */
  location?: string
  /** Key of the notice that the page at `location` shows. */
  notice?: string
  /** Status of the JSON response, and of a page without `location`; 200 by default. */
  status?: number
}

/** Turns an answer into a page, a fragment, JSON or a redirect; no other place decides which. */
export async function respond(ctx: Context, answer: Answer): Promise<void> {
  const representation = representationOf(ctx)
  ctx.vary(varying)
  ctx.set('Cache-Control', isPersonal(ctx) ? 'private, no-store' : 'private, no-cache')
  if (representation === 'json') return asJson(ctx, answer)
  ctx.set('Content-Language', ctx.state.locale)
  if (answer.location !== undefined && !answer.view)
    return leadOn(ctx, representation, withNotice(answer.location, answer.notice))
  const view = (representation === 'fragment' && answer.fragment) || answer.view
  if (!view) return asJson(ctx, answer)
  ctx.status = answer.status ?? 200
  ctx.type = 'html'
  if (representation !== 'fragment') nameReader(ctx)
  const extras = typeof answer.extras === 'function' ? await answer.extras() : answer.extras
  ctx.body = await renderView(ctx, view, { data: await dataOf(answer), ...extras })
}

const dataOf = ({ data }: Answer): unknown => (typeof data === 'function' ? data() : data)

async function asJson(ctx: Context, answer: Answer): Promise<void> {
  const { status = 200, location } = answer
  const data = await dataOf(answer)
  if (status === 201 && location) setLocation(ctx, addressFor(ctx, location))
  if (data === undefined) {
    ctx.status = 204
    return
  }
  ctx.status = status
  ctx.type = 'json'
  ctx.body = JSON.stringify(data)
}

const withNotice = (location: string, notice: string | undefined) =>
  notice ? withQuery(location, { notice }) : location

/**
 * Says whose page it is, so that a phone deletes the pages it keeps of someone else, and whether it
 * may be kept; no page of staff is.
 */
function nameReader(ctx: Context): void {
  const { user, viewer, response } = ctx.state
  ctx.set('X-Reader', user ? authorTag(user.id) : 'guest')
  if (response.isKeptOffline && !viewer.staff) ctx.set('X-Keep-Page', 'yes')
}

/** Pages not for guests stay out of every cache, the browser's too: lobbies share computers. */
function isPersonal(ctx: Context): boolean {
  const { permission } = ctx.state
  return permission !== undefined && !may('guest', permission)
}
