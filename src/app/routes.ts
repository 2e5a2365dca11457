import { deviceRoutes } from '../accounts/account/deviceRoutes.js'
import { languageRoutes } from '../accounts/account/languageRoutes.js'
import { accountRoutes } from '../accounts/account/routes.js'
import { importRoutes } from '../accounts/import/routes.js'
import { invitationRoutes } from '../accounts/links/invitationRoutes.js'
import { passwordResetRoutes } from '../accounts/links/passwordResetRoutes.js'
import { signInLinkRoutes } from '../accounts/links/signInLinkRoutes.js'
import { userRoutes } from '../accounts/people/routes.js'
import { personDataRoutes } from '../accounts/personData/routes.js'
import { secondFactorRoutes } from '../accounts/secondFactor/routes.js'
import { signInCodeRoutes } from '../accounts/secondFactor/signInCodeRoutes.js'
import { registerCarriedForms } from '../accounts/signIn/carriedForm.js'
import { sessionRoutes } from '../accounts/signIn/routes.js'
import { signUpRoutes } from '../accounts/signIn/signUpRoutes.js'
import { identityRoutes } from '../accounts/singleSignOn/identityRoutes.js'
import { singleSignOnRoutes } from '../accounts/singleSignOn/routes.js'
import { auditRoutes } from '../audit/routes.js'
import { officeAssetRoutes } from '../building/assets/routes.js'
import { contactRoutes } from '../building/contacts/officeRoutes.js'
import { directoryRoutes } from '../building/contacts/routes.js'
import { towerRoutes } from '../building/places/towerRoutes.js'
import { unitRoutes } from '../building/places/unitRoutes.js'
import { propertyRoutes } from '../building/property/routes.js'
import { startRoutes } from '../building/start/routes.js'
import { posterRoutes } from '../building/stickers/posterRoutes.js'
import { stickerRoutes } from '../building/stickers/stickerRoutes.js'
import { heldMailRoutes } from '../inbound/held/routes.js'
import { inboundEmailRoutes } from '../inbound/routes.js'
import { assetRoutes } from '../incidents/assetPage/routes.js'
import { costRoutes } from '../incidents/costs/routes.js'
import { deskRoutes } from '../incidents/desk/routes.js'
import { followRoutes } from '../incidents/follow/routes.js'
import { mergeRoutes } from '../incidents/merge/routes.js'
import { noteRoutes } from '../incidents/notes/routes.js'
import { myReportRoutes } from '../incidents/ownReports/routes.js'
import { photoRoutes } from '../incidents/photos/routes.js'
import { protectionRoutes } from '../incidents/protection/routes.js'
import { carriedIncidentForms } from '../incidents/report/keptDraft.js'
import { incidentRoutes } from '../incidents/routes.js'
import { templateRoutes } from '../incidents/templates/routes.js'
import { answerRoutes } from '../incidents/update/answerRoutes.js'
import { correctionRoutes } from '../incidents/update/correctionRoutes.js'
import { updateRoutes } from '../incidents/update/routes.js'
import { verificationRoutes } from '../incidents/update/verificationRoutes.js'
import { maintenanceDateRoutes } from '../maintenance/dateRoutes.js'
import { maintenanceRoutes } from '../maintenance/routes.js'
import { deliveryRoutes } from '../notifications/failed/routes.js'
import { mailFollowRoutes } from '../notifications/follow/routes.js'
import { unsubscribeRoutes } from '../notifications/unsubscribe/routes.js'
import type { AppRouter } from '../platform/http/context.js'
import type { Route } from '../platform/http/route/route.js'
import { routerOf } from '../platform/http/route/router.js'
import { displayRoutes } from '../status/routes/display.js'
import { feedRoutes } from '../status/routes/feeds.js'
import { historyRoutes } from '../status/routes/history.js'
import { statusRoutes } from '../status/routes/status.js'
import { yearReportRoutes } from '../status/routes/yearReport.js'
import { triageRoutes } from '../triage/routes.js'
import { webhookDeliveryRoutes } from '../webhooks/deliveryRoutes.js'
import { webhookRoutes } from '../webhooks/routes.js'
import { designRoutes } from './admin/designRoutes.js'
import { flagRoutes } from './admin/flagRoutes.js'
import { cronRoutes } from './cronRoutes.js'
import { descriptionRoutes } from './descriptionRoutes.js'
import { exportRoutes } from './exportRoutes.js'
import { healthRoutes } from './healthRoutes.js'
import { installableRoutes } from './installableRoutes.js'
import { metricsRoutes } from './metricsRoutes.js'
import { securityContactRoutes } from './securityContactRoutes.js'
import { waitingRoutes } from './waitingRoutes.js'

export const routes: readonly Route[] = [
  ...statusRoutes,
  ...displayRoutes,
  ...feedRoutes,
  ...historyRoutes,
  ...installableRoutes,
  ...yearReportRoutes,
  ...assetRoutes,
  ...incidentRoutes,
  ...exportRoutes,
  ...updateRoutes,
  ...templateRoutes,
  ...verificationRoutes,
  ...answerRoutes,
  ...mergeRoutes,
  ...protectionRoutes,
  ...followRoutes,
  ...myReportRoutes,
  ...correctionRoutes,
  ...costRoutes,
  ...noteRoutes,
  ...cronRoutes,
  ...directoryRoutes,
  ...deviceRoutes,
  ...unsubscribeRoutes,
  ...mailFollowRoutes,
  ...inboundEmailRoutes,
  ...triageRoutes,
  ...photoRoutes,
  ...stickerRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...deliveryRoutes,
  ...waitingRoutes,
  ...userRoutes,
  ...deskRoutes,
  ...heldMailRoutes,
  ...auditRoutes,
  ...maintenanceRoutes,
  ...maintenanceDateRoutes,
  ...posterRoutes,
  ...importRoutes,
  ...officeAssetRoutes,
  ...unitRoutes,
  ...propertyRoutes,
  ...startRoutes,
  ...towerRoutes,
  ...contactRoutes,
  ...designRoutes,
  ...flagRoutes,
  ...sessionRoutes,
  ...signInCodeRoutes,
  ...signInLinkRoutes,
  ...signUpRoutes,
  ...singleSignOnRoutes,
  ...accountRoutes,
  ...personDataRoutes,
  ...secondFactorRoutes,
  ...identityRoutes,
  ...languageRoutes,
  ...invitationRoutes,
  ...passwordResetRoutes,
  ...healthRoutes,
  ...metricsRoutes,
  ...securityContactRoutes,
  ...descriptionRoutes(() => routes),
]

/** The router of all routes. */
export const appRouter = (): AppRouter => routerOf(routes)

registerCarriedForms(carriedIncidentForms)
