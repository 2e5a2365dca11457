import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import {
  type CachedResponse,
  cacheResponse,
  respondCached,
  sendCached,
  sendUnconfirmed,
} from '../platform/http/answer/cachedResponse.js'
import { answerPlainly } from '../platform/http/answer/lastResort.js'
import { guestPage } from '../platform/http/answer/renderView.js'
import type { Context } from '../platform/http/context.js'
import { isAnonymousRead } from '../platform/http/protection/securityHeaders.js'
import {
  negotiate,
  type Representation,
  representationOf,
  varying,
  varyingData,
} from '../platform/http/representation.js'
import { localeOf } from '../platform/http/session/language.js'
import type { Locale, Text } from '../text/index.js'
import { isStatusAddress, statusAddresses } from './addresses.js'
import { headline } from './headline.js'
import { type BuildingState, presentStatus } from './present/status.js'
import { presentBoard } from './present/statusPage.js'
import { current, knownWhileAway, statusCounters } from './stateCache.js'

/**
 * Responds from the cache, when the response is the same for everyone. Returns false for pages of
 * signed-in people and pages with a notice.
 */
export async function respondFromCache(ctx: Context): Promise<boolean> {
  const { state, answers } = await current()
  const representation = ctx.path === statusAddresses.live ? 'fragment' : representationOf(ctx)
  const isOnes = ctx.state.user !== null || ctx.query.notice !== undefined
  if (representation === 'page' && isOnes) return false
  await respondCached(answerFor(state, answers, representation, ctx.state.locale), ctx)
  return true
}

/**
 * Answers guests' status reads, nearly all of our traffic, ahead of Koa. Returns false, having done
 * nothing, when the response depends on more than the building. `fallback` answers where this path
 * cannot: the application.
 */
export function statusFastPath(
  req: IncomingMessage,
  res: ServerResponse,
  fallback: RequestListener,
): boolean {
  const { method, url, headers } = req
  if ((method !== 'GET' && method !== 'HEAD') || !isStatusAddress(url)) return false
  if (headers.authorization !== undefined || headers['hx-request'] !== undefined) return false
  const representation = negotiate({ path: url, accept: headers.accept })
  const isJson = url === statusAddresses.json
  if (representation !== (isJson ? 'json' : 'page')) return false
  if (!isJson && headers.cookie !== undefined) return false
  statusCounters.reads[url] += 1
  const variant = url === statusAddresses.live ? 'fragment' : representation
  const readers = { anySite: isJson && isAnonymousRead(req) }
  const localeFor = ({ property }: BuildingState) =>
    localeOf(undefined, headers['accept-language'], property.locale)
  current()
    .then((snapshot) =>
      sendCached(
        answerFor(snapshot.state, snapshot.answers, variant, localeFor(snapshot.state)),
        req,
        res,
        readers,
      ),
    )
    .catch((error: unknown) => {
      // Here and now: the application would wait for a silent database once more.
      const known = res.headersSent ? null : answerWhileAway(error, variant, localeFor)
      if (!known) throw error
      sendUnconfirmed(known, req, res, readers)
    })
    .catch((error: unknown) => (res.headersSent ? answerPlainly(error, req, res) : fallback(req, res)))
  return true
}

/** The responses made of the last known state at this age, in minutes. */
let unconfirmed: { state: BuildingState; minutes: number; answers: Map<string, CachedResponse> } | null = null

/**
 * While the database is away, answers reads of the status view with what was last known, saying how
 * old that is. False, having done nothing, for other requests and errors, and when too little or
 * nothing is known.
 */
export function statusWhileAway(error: unknown, ctx: Context): boolean {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return false
  if (!isStatusAddress(ctx.path)) return false
  const representation = ctx.path === statusAddresses.live ? 'fragment' : representationOf(ctx)
  const known = answerWhileAway(error, representation, () => ctx.state.locale)
  if (!known) return false
  const isJson = ctx.path === statusAddresses.json
  sendUnconfirmed(known, ctx.req, ctx.res, { anySite: isJson && isAnonymousRead(ctx.req) })
  ctx.respond = false
  return true
}

/** What was last known; null unless the database is away, and when too little is known. */
function answerWhileAway(
  error: unknown,
  representation: Representation,
  localeFor: (state: BuildingState) => Locale,
): CachedResponse | null {
  const known = knownWhileAway(error)
  if (!known) return null
  statusCounters.cache.stale += 1
  const { state } = known.view
  const { minutes } = known
  if (unconfirmed?.state !== state || unconfirmed.minutes !== minutes)
    unconfirmed = { state, minutes, answers: new Map() }
  return answerFor(state, unconfirmed.answers, representation, localeFor(state), minutes)
}

function answerFor(
  state: BuildingState,
  answers: Map<string, CachedResponse>,
  representation: Representation,
  locale: Locale,
  minutesOld: number | null = null,
): CachedResponse {
  const key = representation === 'json' ? 'json' : `${representation} ${locale}`
  const known = answers.get(key)
  if (known) return known
  const made =
    representation === 'json'
      ? jsonAnswer(state, minutesOld)
      : pageAnswer(state, representation, locale, minutesOld)
  answers.set(key, made)
  return made
}

function jsonAnswer(state: BuildingState, minutesOld: number | null): CachedResponse {
  const known = minutesOld === null ? {} : { lastKnownMinutesAgo: minutesOld }
  return cacheResponse(JSON.stringify({ ...presentStatus(state), ...known }), {
    type: 'application/json; charset=utf-8',
    vary: varyingData,
  })
}

function pageAnswer(
  state: BuildingState,
  representation: Representation,
  locale: Locale,
  minutesOld: number | null,
): CachedResponse {
  const view = representation === 'fragment' ? 'status/_live' : 'status/index'
  const html = guestPage(state, locale, statusAddresses.page, view, {
    data: { ...presentBoard(state), minutesOld },
    headline: (t: Text) => headline(t, state),
  })
  return cacheResponse(html, { type: 'text/html; charset=utf-8', vary: varying, language: locale })
}
