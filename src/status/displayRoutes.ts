import { z } from 'zod'
import { reportCode } from '../building/stickers.js'
import { cacheResponse, sendUnconfirmed } from '../platform/http/answer/cachedResponse.js'
import { guestPage } from '../platform/http/answer/renderView.js'
import type { Context } from '../platform/http/context.js'
import { representationOf, varying } from '../platform/http/representation.js'
import { queryId, queryOf } from '../platform/http/request/query.js'
import { route } from '../platform/http/route/route.js'
import { publicAddress } from '../platform/process/config.js'
import { displayAddress } from './addresses.js'
import { headline } from './headline.js'
import { DisplayJson, presentDisplay } from './present/display.js'
import { currentState, knownWhileAway, statusCounters } from './stateCache.js'

/** Which of its pages the screen shows, from 1; after the last comes the first. */
const DisplayQuery = z.object({ page: queryId.default(1) })

/** GET /display: the lobby screen, which no one touches (decision 9.28). */
export const displayRoutes = [
  route({
    method: 'get',
    paths: displayAddress,
    summary: 'The status of the building for a lobby screen, which changes pages and updates automatically.',
    permission: 'status.read',
    query: DisplayQuery,
    answer: DisplayJson,
    handle: async ({ ctx, query: { page } }) => {
      const state = await currentState()
      const words = headline(ctx.state.text, state)
      return {
        data: presentDisplay(state, Date.now(), page, words),
        view: 'status/display',
        extras: { ...(await codeOnPage()), headline: words, isLastKnown: false },
      }
    },
  }),
]

/** The QR code of the report form, and our address to type. */
async function codeOnPage() {
  const address = publicAddress()
  return { code: await reportCode(address), address: address.replace(/^https?:\/\//, '') }
}

/**
 * While the database is away, answers with the screen as it was last known, which says the time of
 * that. False, having done nothing, for other requests and errors, and when too little is known.
 */
export async function displayWhileAway(error: unknown, ctx: Context): Promise<boolean> {
  if (ctx.path !== displayAddress || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false
  const known = representationOf(ctx) === 'json' ? null : knownWhileAway(error)
  if (!known) return false
  const { page } = queryOf(ctx, DisplayQuery)
  statusCounters.cache.stale += 1
  const { locale, text } = ctx.state
  const { state } = known.view
  const words = headline(text, state)
  const html = guestPage(state, locale, displayAddress, 'status/display', {
    data: presentDisplay(state, Date.now() - known.age, page, words),
    ...(await codeOnPage()),
    headline: words,
    isLastKnown: true,
  })
  const answer = cacheResponse(html, { type: 'text/html; charset=utf-8', vary: varying, language: locale })
  sendUnconfirmed(answer, ctx.req, ctx.res, { anySite: false })
  ctx.respond = false
  return true
}
