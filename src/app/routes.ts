import { deviceRoutes } from '../accounts/account/deviceRoutes.js'
import { accountRoutes, languageRoutes } from '../accounts/account/routes.js'
import { importRoutes } from '../accounts/import/routes.js'
import { invitationRoutes, passwordResetRoutes } from '../accounts/links/passwordLinkRoutes.js'
import { signInLinkRoutes, signUpRoutes } from '../accounts/links/signInLinkRoutes.js'
import { personDataRoutes } from '../accounts/people/personData.js'
import { userRoutes } from '../accounts/people/routes.js'
import { secondFactorRoutes, signInCodeRoutes } from '../accounts/secondFactor/routes.js'
import { registerCarriedForms } from '../accounts/signIn/carriedForm.js'
import { sessionRoutes } from '../accounts/signIn/routes.js'
import { identityRoutes, singleSignOnRoutes } from '../accounts/singleSignOn/routes.js'
import { auditRoutes } from '../audit/routes.js'
import { contactRoutes, directoryRoutes } from '../building/contacts.js'
import { startRoutes } from '../building/firstSteps.js'
import { officeAssetRoutes, towerRoutes, unitRoutes } from '../building/places.js'
import { propertyRoutes } from '../building/property.js'
import { posterRoutes, stickerRoutes } from '../building/stickers.js'
import { heldEmailRoutes } from '../inbound/held/routes.js'
import { inboundEmailRoutes } from '../inbound/routes.js'
import { assetRoutes } from '../incidents/assetPage.js'
import { costRoutes } from '../incidents/costs/routes.js'
import { deskRoutes } from '../incidents/desk/routes.js'
import { followRoutes } from '../incidents/follow.js'
import { mergeRoutes } from '../incidents/merge/routes.js'
import { noteRoutes } from '../incidents/notes/routes.js'
import { photoRoutes } from '../incidents/photos/page.js'
import { protectionRoutes } from '../incidents/protection/routes.js'
import { carriedIncidentForms } from '../incidents/report/keptDraft.js'
import { incidentRoutes, myReportRoutes } from '../incidents/routes.js'
import { templateRoutes } from '../incidents/templates/routes.js'
import { answerRoutes } from '../incidents/update/answerRoutes.js'
import { correctionRoutes } from '../incidents/update/correctionRoutes.js'
import { oneTapRoutes } from '../incidents/update/oneTap.js'
import { updateRoutes, verificationRoutes } from '../incidents/update/routes.js'
import { wholeEmailRoutes } from '../incidents/wholeEmail/routes.js'
import { maintenanceDateRoutes, maintenanceRoutes } from '../maintenance/routes.js'
import { deliveryRoutes } from '../notifications/failedDeliveries.js'
import { emailFollowRoutes } from '../notifications/follow/routes.js'
import { unsubscribeRoutes } from '../notifications/unsubscribe.js'
import type { AppRouter } from '../platform/http/context.js'
import { type Route, routerOf } from '../platform/http/route/route.js'
import { displayRoutes, feedRoutes, historyRoutes, statusRoutes, yearReportRoutes } from '../status/routes.js'
import { triageRoutes } from '../triage/routes.js'
import { webhookDeliveryRoutes } from '../webhooks/deliveryRoutes.js'
import { webhookRoutes } from '../webhooks/routes.js'
import { cronRoutes } from './cronRoutes.js'
import { exportRoutes } from './exportRoutes.js'
import { flagRoutes } from './flagRoutes.js'
import { healthRoutes } from './healthRoutes.js'
import { metricsRoutes } from './metrics.js'
import { descriptionRoutes, designRoutes, installableRoutes, securityContactRoutes } from './siteRoutes.js'

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
  ...oneTapRoutes,
  ...answerRoutes,
  ...mergeRoutes,
  ...protectionRoutes,
  ...followRoutes,
  ...myReportRoutes,
  ...correctionRoutes,
  ...costRoutes,
  ...noteRoutes,
  ...wholeEmailRoutes,
  ...cronRoutes,
  ...directoryRoutes,
  ...deviceRoutes,
  ...unsubscribeRoutes,
  ...emailFollowRoutes,
  ...inboundEmailRoutes,
  ...triageRoutes,
  ...photoRoutes,
  ...stickerRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...deliveryRoutes,
  ...userRoutes,
  ...deskRoutes,
  ...heldEmailRoutes,
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
