import { Router } from '@koa/router'
import type { AppRouter, State } from '../web/context.js'
import { assetRoutes } from './assets.js'
import { directoryRoutes } from './directory.js'
import { healthRoutes } from './health.js'
import { incidentRoutes } from './incidents.js'
import { photoRoutes } from './photos.js'
import { sessionRoutes } from './session.js'
import { statusRoutes } from './status.js'
import { stickerRoutes } from './stickers.js'
import { updateRoutes } from './updates.js'

/** Every route of the product. */
export function routes(): AppRouter {
  const router = new Router<State>()
  for (const add of [
    statusRoutes,
    assetRoutes,
    incidentRoutes,
    updateRoutes,
    directoryRoutes,
    photoRoutes,
    stickerRoutes,
    sessionRoutes,
    healthRoutes,
  ]) {
    add(router)
  }
  return router
}
