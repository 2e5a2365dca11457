import { Router } from '@koa/router'
import type { AppRouter, State } from '../web/context.js'
import { officeAssetRoutes } from './admin/assets.js'
import { auditRoutes } from './admin/audit.js'
import { contactRoutes } from './admin/contacts.js'
import { deliveryRoutes } from './admin/deliveries.js'
import { deskRoutes } from './admin/desk.js'
import { maintenanceRoutes } from './admin/maintenance.js'
import { towerRoutes } from './admin/towers.js'
import { unitRoutes } from './admin/units.js'
import { assetRoutes } from './assets.js'
import { correctionRoutes } from './corrections.js'
import { cronRoutes } from './cron.js'
import { deviceRoutes } from './devices.js'
import { directoryRoutes } from './directory.js'
import { followRoutes } from './follows.js'
import { healthRoutes } from './health.js'
import { inboundEmailRoutes } from './inboundEmail.js'
import { incidentRoutes } from './incidents.js'
import { mergeRoutes } from './merges.js'
import { noteRoutes } from './notes.js'
import { photoRoutes } from './photos.js'
import { sessionRoutes } from './session.js'
import { statusRoutes } from './status.js'
import { stickerRoutes } from './stickers.js'
import { triageRoutes } from './triage.js'
import { unsubscribeRoutes } from './unsubscribe.js'
import { updateRoutes } from './updates.js'
import { verificationRoutes } from './verifications.js'
import { webhookRoutes } from './webhooks.js'

/** Every route of the product. */
export function routes(): AppRouter {
  const router = new Router<State>()
  for (const add of [
    statusRoutes,
    assetRoutes,
    incidentRoutes,
    updateRoutes,
    verificationRoutes,
    mergeRoutes,
    followRoutes,
    correctionRoutes,
    noteRoutes,
    cronRoutes,
    directoryRoutes,
    deviceRoutes,
    unsubscribeRoutes,
    inboundEmailRoutes,
    triageRoutes,
    photoRoutes,
    stickerRoutes,
    webhookRoutes,
    deliveryRoutes,
    deskRoutes,
    auditRoutes,
    maintenanceRoutes,
    officeAssetRoutes,
    unitRoutes,
    towerRoutes,
    contactRoutes,
    sessionRoutes,
    healthRoutes,
  ]) {
    add(router)
  }
  return router
}
