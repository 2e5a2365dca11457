import {
  type CachedResponse,
  cacheResponse,
  respondCached,
  sendUnconfirmed,
} from '../platform/http/answer/cachedResponse.js'
import { guestPage } from '../platform/http/answer/renderView.js'
import type { Context } from '../platform/http/context.js'
import { framedHeaders } from '../platform/http/protection/securityHeaders.js'
import { varying } from '../platform/http/representation.js'
import { answeredByHandler, page } from '../platform/http/route/answerContent.js'
import { route } from '../platform/http/route/route.js'
import { config } from '../platform/process/config.js'
import type { Locale, Text } from '../text/index.js'
import { limits } from '../vocabulary/limits.js'
import { NotFound } from '../vocabulary/validation.js'
import { embedAddress } from './addresses.js'
import { headline } from './headline.js'
import type { BuildingState } from './present/status.js'
import { presentStatusPage } from './present/statusPage.js'
import { current, knownWhileAway, statusCounters } from './stateCache.js'

/** GET /embed: the live state without forms and scripts, for frames on the office's own website. */
export const embedRoutes = [
  route({
    method: 'get',
    paths: embedAddress,
    summary: 'The status for a frame on another website. Responds with 404 if EMBED_ORIGINS isn’t set.',
    permission: 'status.read',
    answer: page,
    handle: async ({ ctx }) => {
      if (config.embedOrigins.length === 0) throw new NotFound()
      const { locale } = ctx.state
      const { state, answers } = await current()
      const key = `embed ${locale}`
      const answer = answers.get(key) ?? embedPage(state, locale, null)
      answers.set(key, answer)
      await respondCached(answer, ctx)
      ctx.remove('X-Frame-Options')
      ctx.set(framedHeaders(config.embedOrigins))
      return answeredByHandler
    },
  }),
]

/**
 * While the database is away, answers with the state as it was last known, saying how old that is.
 * False, having done nothing, for other requests and errors, and when too little is known.
 */
export function embedWhileAway(error: unknown, ctx: Context): boolean {
  if (ctx.path !== embedAddress || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false
  const known = config.embedOrigins.length > 0 ? knownWhileAway(error) : null
  if (!known) return false
  statusCounters.cache.stale += 1
  const answer = embedPage(known.view.state, ctx.state.locale, known.minutes)
  sendUnconfirmed(answer, ctx.req, ctx.res, {
    anySite: false,
    security: framedHeaders(config.embedOrigins),
  })
  ctx.respond = false
  return true
}

function embedPage(state: BuildingState, locale: Locale, minutesOld: number | null): CachedResponse {
  const page = presentStatusPage(state)
  const html = guestPage(state, locale, embedAddress, 'status/embed', {
    data: { ...page, minutesOld },
    problems: page.problems.slice(0, limits.statusRows),
    more: Math.max(0, page.problems.length - limits.statusRows),
    headline: (t: Text) => headline(t, state),
  })
  return cacheResponse(html, { type: 'text/html; charset=utf-8', vary: varying, language: locale })
}
