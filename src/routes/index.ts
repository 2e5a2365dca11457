import { Router } from '@koa/router'
import type { AppRouter, State } from '../web/context.js'
import { accountRoutes } from './account.js'
import { officeAssetRoutes } from './admin/assets.js'
import { auditRoutes } from './admin/audit.js'
import { contactRoutes } from './admin/contacts.js'
import { deliveryRoutes } from './admin/deliveries.js'
import { deskRoutes } from './admin/desk.js'
import { flagRoutes } from './admin/flags.js'
import { heldMailRoutes } from './admin/heldMails.js'
import { maintenanceRoutes } from './admin/maintenance.js'
import { propertyRoutes } from './admin/property.js'
import { towerRoutes } from './admin/towers.js'
import { unitRoutes } from './admin/units.js'
import { userRoutes } from './admin/users.js'
import { assetRoutes } from './assets.js'
import { correctionRoutes } from './corrections.js'
import { costRoutes } from './costs.js'
import { cronRoutes } from './cron.js'
import { deviceRoutes } from './devices.js'
import { directoryRoutes } from './directory.js'
import { displayRoutes } from './display.js'
import { exportRoutes } from './export.js'
import { followRoutes } from './follows.js'
import { healthRoutes } from './health.js'
import { importRoutes } from './imports.js'
import { inboundEmailRoutes } from './inboundEmail.js'
import { incidentRoutes } from './incidents.js'
import { invitationRoutes } from './invitation.js'
import { languageRoutes } from './language.js'
import { mergeRoutes } from './merges.js'
import { myReportRoutes } from './myReports.js'
import { noteRoutes } from './notes.js'
import { passwordResetRoutes } from './passwordReset.js'
import { photoRoutes } from './photos.js'
import { posterRoutes } from './posters.js'
import { secondFactorRoutes } from './secondFactor.js'
import { securityContactRoutes } from './securityContact.js'
import { sessionRoutes } from './session.js'
import { signInCodeRoutes } from './signInCode.js'
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
    displayRoutes,
    assetRoutes,
    incidentRoutes,
    exportRoutes,
    updateRoutes,
    verificationRoutes,
    mergeRoutes,
    followRoutes,
    myReportRoutes,
    correctionRoutes,
    costRoutes,
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
    userRoutes,
    deskRoutes,
    heldMailRoutes,
    auditRoutes,
    maintenanceRoutes,
    posterRoutes,
    importRoutes,
    officeAssetRoutes,
    unitRoutes,
    propertyRoutes,
    towerRoutes,
    contactRoutes,
    flagRoutes,
    sessionRoutes,
    signInCodeRoutes,
    accountRoutes,
    secondFactorRoutes,
    languageRoutes,
    invitationRoutes,
    passwordResetRoutes,
    healthRoutes,
    securityContactRoutes,
  ]) {
    add(router)
  }
  return router
}
