import type { AppRouter } from '../web/context.js'
import type { Route } from '../web/route/route.js'
import { routerOf } from '../web/route/router.js'
import { accountRoutes } from './accounts/account.js'
import { deviceRoutes } from './accounts/devices.js'
import { identityRoutes } from './accounts/identities.js'
import { invitationRoutes } from './accounts/invitation.js'
import { languageRoutes } from './accounts/language.js'
import { passwordResetRoutes } from './accounts/passwordReset.js'
import { personDataRoutes } from './accounts/personData.js'
import { secondFactorRoutes } from './accounts/secondFactor.js'
import { sessionRoutes } from './accounts/session.js'
import { signInCodeRoutes } from './accounts/signInCode.js'
import { signInLinkRoutes } from './accounts/signInLink.js'
import { signUpRoutes } from './accounts/signUp.js'
import { singleSignOnRoutes } from './accounts/singleSignOn.js'
import { unsubscribeRoutes } from './accounts/unsubscribe.js'
import { userRoutes } from './accounts/users.js'
import { auditRoutes } from './audit/audit.js'
import { assetRoutes } from './building/assets.js'
import { contactRoutes } from './building/contacts.js'
import { directoryRoutes } from './building/directory.js'
import { officeAssetRoutes } from './building/officeAssets.js'
import { propertyRoutes } from './building/property.js'
import { startRoutes } from './building/start.js'
import { stickerRoutes } from './building/stickers.js'
import { towerRoutes } from './building/towers.js'
import { unitRoutes } from './building/units.js'
import { exportRoutes } from './exchange/export.js'
import { importRoutes } from './exchange/imports.js'
import { posterRoutes } from './exchange/posters.js'
import { answerRoutes } from './incidents/answers.js'
import { correctionRoutes } from './incidents/corrections.js'
import { costRoutes } from './incidents/costs.js'
import { deskRoutes } from './incidents/desk.js'
import { followRoutes } from './incidents/follows.js'
import { incidentRoutes } from './incidents/incidents.js'
import { mergeRoutes } from './incidents/merges.js'
import { myReportRoutes } from './incidents/myReports.js'
import { noteRoutes } from './incidents/notes.js'
import { photoRoutes } from './incidents/photos.js'
import { protectionRoutes } from './incidents/protection.js'
import { templateRoutes } from './incidents/templates.js'
import { triageRoutes } from './incidents/triage.js'
import { updateRoutes } from './incidents/updates.js'
import { verificationRoutes } from './incidents/verifications.js'
import { heldMailRoutes } from './mail/heldMails.js'
import { inboundEmailRoutes } from './mail/inboundEmail.js'
import { mailFollowRoutes } from './mail/mailFollows.js'
import { maintenanceDateRoutes } from './maintenance/dates.js'
import { maintenanceRoutes } from './maintenance/maintenance.js'
import { displayRoutes } from './status/display.js'
import { feedRoutes } from './status/feeds.js'
import { historyRoutes } from './status/history.js'
import { installableRoutes } from './status/installable.js'
import { statusRoutes } from './status/status.js'
import { yearReportRoutes } from './status/yearReport.js'
import { cronRoutes } from './system/cron.js'
import { descriptionRoutes } from './system/description.js'
import { deliveryRoutes } from './system/failedDeliveries.js'
import { flagRoutes } from './system/flags.js'
import { healthRoutes } from './system/health.js'
import { metricsRoutes } from './system/metrics.js'
import { securityContactRoutes } from './system/securityContact.js'
import { waitingRoutes } from './system/waiting.js'
import { webhookDeliveryRoutes } from './webhooks/deliveries.js'
import { webhookRoutes } from './webhooks/webhooks.js'

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
