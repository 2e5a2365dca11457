import './wiring.js'
import type { RequestListener } from 'node:http'
import Koa from 'koa'
import { recordSessionStart } from '../accounts/signIn/recordSessionStart.js'
import { endSession, recordRenewal } from '../accounts/signIn/sessionActs.js'
import { pageFrame } from '../building/building.js'
import { compress, conditional } from '../platform/http/answer/compression.js'
import { errors } from '../platform/http/answer/errors.js'
import { answerForKoa, answerPlainly, lastResort } from '../platform/http/answer/lastResort.js'
import { lingeringClose } from '../platform/http/answer/lingeringClose.js'
import { askAgainAfterErrors } from '../platform/http/answer/redirect.js'
import { staticFiles } from '../platform/http/answer/staticFiles.js'
import type { Building, Middleware, State } from '../platform/http/context.js'
import { requestId } from '../platform/http/protection/requestId.js'
import { requestLog, requestSpan } from '../platform/http/protection/requestLog.js'
import { namesHostsTwice, oneHost, privacy, secure } from '../platform/http/protection/securityHeaders.js'
import { representationOf } from '../platform/http/representation.js'
import { routerOf } from '../platform/http/route/route.js'
import { authenticate } from '../platform/http/session/authenticate.js'
import { language, setDefaultLocale } from '../platform/http/session/language.js'
import {
  dropEndedSession,
  hasEndedSession,
  sessionMiddleware,
} from '../platform/http/session/sessionCookie.js'
import { config } from '../platform/process/config.js'
import { log } from '../platform/process/log.js'
import { displayAddress } from '../status/addresses.js'
import { displayWhileAway } from '../status/displayRoutes.js'
import { embedWhileAway } from '../status/embedRoutes.js'
import { fileWhileAway } from '../status/files/stateFiles.js'
import { statusFastPath, statusWhileAway } from '../status/statusFastPath.js'
import { publicViewer } from '../vocabulary/people/actor.js'
import { healthRoutes } from './health/healthRoutes.js'
import { metricsRoutes } from './health/metrics.js'
import { appRouter } from './routes.js'

/** The whole application: its middleware in order. Benchmarks pass a router of their own. */
export function createApp(router = appRouter()): Koa {
  const app = new Koa({
    proxy: config.trustProxy,
    maxIpsCount: 1,
    env: config.production ? 'production' : 'development',
  })
  const chain: Middleware[] = [
    initialState(),
    requestId(),
    requestSpan(),
    requestLog(),
    lingeringClose(),
    lastResort(),
    askAgainAfterErrors(displayAddress, 30),
    secure(),
    language(),
    compress(),
    conditional(),
    privacy(),
    errors(),
    whileAway(),
    oneHost(),
    staticFiles(),
    sessionMiddleware(app, { begin: recordSessionStart, renew: recordRenewal, end: endSession }),
    forgetEndedSession(),
    authenticate(),
    router.routes() as unknown as Middleware,
    router.allowedMethods() as unknown as Middleware,
  ]
  answerForKoa(app)
  for (const middleware of chain) app.use(middleware as Koa.Middleware)
  app.on('error', (error) => log.error({ error }, 'answer failed'))
  return app
}

/** The request listener of the server: the status fast path first, then the application. */
export function createListener(): RequestListener {
  return listener(createApp().callback(), statusFastPath)
}

/** The request listener of a process that serves no one but monitors. */
export function createMonitorListener(): RequestListener {
  return listener(createApp(routerOf([...healthRoutes, ...metricsRoutes])).callback(), () => false)
}

function listener(answer: RequestListener, fastPath: typeof statusFastPath): RequestListener {
  return (req, res) => {
    try {
      if (namesHostsTwice(req) || !fastPath(req, res, answer))
        Promise.resolve(answer(req, res)).catch((error) => answerPlainly(error, req, res))
    } catch (error) {
      answerPlainly(error, req, res)
    }
  }
}

/**
 * Every request starts as a guest's. The building's data is read when a page is rendered; while the
 * database is away, pages show the last values read.
 */
function initialState(): Middleware {
  let known: Building = {
    property: {
      name: 'Caretaker',
      address: '',
      timezone: 'UTC',
      currency: 'EUR',
      locale: 'en',
    },
    emergency: null,
  }
  return (ctx, next) => {
    Object.assign(ctx.state, {
      principal: 'guest',
      user: null,
      viewer: publicViewer,
      uploads: [],
      refusal: {},
      signIn: {},
      response: {},
    } satisfies Partial<State>)
    ctx.state.building = async () => {
      // The page that says the database is away must not wait for it.
      known = await (ctx.status === 503 ? within(longestWaitForBuilding, pageFrame()) : pageFrame()).catch(
        () => known,
      )
      setDefaultLocale(known.property.locale)
      return known
    }
    return next()
  }
}

/** Milliseconds that the page of a missing database waits for the building's data. */
const longestWaitForBuilding = 500

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => setTimeout(reject, ms, new Error('late')).unref())
  return Promise.race([work, late])
}

/** The status view and the files made of it outlive the database for a while. */
function whileAway(): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      for (const answer of [statusWhileAway, fileWhileAway, embedWhileAway, displayWhileAway])
        if (await answer(error, ctx)) return
      throw error
    }
  }
}

/**
 * Clears the browser of an ended session, once: its cookie goes, too. Requests by htmx are skipped,
 * because the page around them may hold a form whose sender is recognised by that cookie.
 */
function forgetEndedSession(): Middleware {
  return (ctx, next) => {
    if (hasEndedSession(ctx) && representationOf(ctx) !== 'fragment') dropEndedSession(ctx)
    return next()
  }
}
