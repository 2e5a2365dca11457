import { accountRoutes } from '../accounts/account/accountRoutes.js'
import { deviceRoutes } from '../accounts/account/deviceRoutes.js'
import { identityRoutes } from '../accounts/account/identityRoutes.js'
import { languageRoutes } from '../accounts/account/languageRoutes.js'
import { importRoutes } from '../accounts/import/importRoutes.js'
import { personDataRoutes } from '../accounts/people/personDataRoutes.js'
import { userRoutes } from '../accounts/people/userRoutes.js'
import { secondFactorRoutes } from '../accounts/secondFactor/secondFactorRoutes.js'
import { signInCodeRoutes } from '../accounts/signIn/codeRoutes.js'
import { emailCodeRoutes } from '../accounts/signIn/emailCodeRoutes.js'
import { invitationRoutes, passwordResetRoutes } from '../accounts/signIn/passwordLinkRoutes.js'
import { singleSignOnRoutes } from '../accounts/signIn/providerRoutes.js'
import { sessionRoutes } from '../accounts/signIn/sessionRoutes.js'
import { signInLinkRoutes, signUpRoutes } from '../accounts/signIn/signInLinkRoutes.js'
import { auditRoutes } from '../audit/routes.js'
import { contactRoutes } from '../building/contacts.js'
import { directoryRoutes } from '../building/directoryRoutes.js'
import { officeAssetRoutes, towerRoutes, unitRoutes } from '../building/places.js'
import { propertyRoutes } from '../building/property.js'
import { setupRoutes } from '../building/setupSteps.js'
import { posterRoutes, stickerRoutes } from '../building/stickers.js'
import { heldEmailRoutes } from '../inbound/held/routes.js'
import { inboundEmailRoutes } from '../inbound/routes.js'
import { assetRoutes } from '../incidents/pages/assetRoutes.js'
import { correctionRoutes } from '../incidents/pages/correctionRoutes.js'
import { costRoutes } from '../incidents/pages/costRoutes.js'
import { choiceRoutes } from '../incidents/pages/desk/choiceRoutes.js'
import { deskMergeRoutes } from '../incidents/pages/desk/deskMergeRoutes.js'
import { deskRoutes } from '../incidents/pages/desk/deskRoutes.js'
import { fixedQuestionRoutes } from '../incidents/pages/fixedQuestion/fixedQuestionRoutes.js'
import { verificationRoutes } from '../incidents/pages/fixedQuestion/verificationRoutes.js'
import { followRoutes } from '../incidents/pages/followRoutes.js'
import { incidentRoutes } from '../incidents/pages/incidentRoutes.js'
import { mergeRoutes } from '../incidents/pages/mergeRoutes.js'
import { myReportRoutes } from '../incidents/pages/myReportRoutes.js'
import { oneTapRoutes } from '../incidents/pages/oneTapRoutes.js'
import { photoRoutes } from '../incidents/pages/photoRoutes.js'
import { protectionRoutes } from '../incidents/pages/protectionRoutes.js'
import { noteRoutes } from '../incidents/pages/update/noteRoutes.js'
import { templateRoutes } from '../incidents/pages/update/templateRoutes.js'
import { updateRoutes } from '../incidents/pages/update/updateRoutes.js'
import { wholeEmailRoutes } from '../incidents/pages/wholeEmailRoutes.js'
import { maintenanceDateRoutes } from '../maintenance/dateRoutes.js'
import { maintenanceRoutes } from '../maintenance/routes.js'
import { jobRoutes } from '../notifications/deliveryProblems/jobRoutes.js'
import { failedDeliveryRoutes } from '../notifications/deliveryProblems/routes.js'
import { emailFollowRoutes } from '../notifications/follow/routes.js'
import { unsubscribeRoutes } from '../notifications/unsubscribe/routes.js'
import type { AppRouter } from '../platform/http/context.js'
import { type Route, routerOf } from '../platform/http/route/route.js'
import { displayRoutes } from '../status/displayRoutes.js'
import { embedRoutes } from '../status/embedRoutes.js'
import { equipmentRoutes } from '../status/equipmentRoutes.js'
import { feedRoutes } from '../status/feedRoutes.js'
import { historyRoutes, yearReportRoutes } from '../status/historyRoutes.js'
import { statusRoutes } from '../status/routes.js'
import { triageRoutes } from '../triage/routes.js'
import { webhookDeliveryRoutes } from '../webhooks/deliveryLog/routes.js'
import { webhookRoutes } from '../webhooks/subscriptions/routes.js'
import { cronRoutes } from './cronRoutes.js'
import { descriptionRoutes } from './descriptionRoutes.js'
import { designRoutes } from './designRoutes.js'
import { exportRoutes } from './exportRoutes.js'
import { flagRoutes } from './flagRoutes.js'
import { healthRoutes } from './health/healthRoutes.js'
import { metricsRoutes } from './health/metrics.js'
import { installableRoutes } from './installableRoutes.js'
import { securityContactRoutes } from './securityContactRoutes.js'

export const routes: readonly Route[] = [
  ...statusRoutes,
  ...displayRoutes,
  ...embedRoutes,
  ...feedRoutes,
  ...historyRoutes,
  ...equipmentRoutes,
  ...installableRoutes,
  ...yearReportRoutes,
  ...assetRoutes,
  ...incidentRoutes,
  ...exportRoutes,
  ...updateRoutes,
  ...templateRoutes,
  ...verificationRoutes,
  ...oneTapRoutes,
  ...fixedQuestionRoutes,
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
  ...failedDeliveryRoutes,
  ...jobRoutes,
  ...userRoutes,
  ...deskRoutes,
  ...choiceRoutes,
  ...deskMergeRoutes,
  ...heldEmailRoutes,
  ...auditRoutes,
  ...maintenanceRoutes,
  ...maintenanceDateRoutes,
  ...posterRoutes,
  ...importRoutes,
  ...officeAssetRoutes,
  ...unitRoutes,
  ...propertyRoutes,
  ...setupRoutes,
  ...towerRoutes,
  ...contactRoutes,
  ...designRoutes,
  ...flagRoutes,
  ...sessionRoutes,
  ...signInCodeRoutes,
  ...emailCodeRoutes,
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
