import { carriedForms } from '../accounts/signIn/carriedFormHooks.js'
import { type Device, forgetDevice } from '../accounts/users/devices.js'
import { zoneChangeHook } from '../building/property.js'
import { pushOf } from '../incidents/emails/push.js'
import { changeZone } from '../maintenance/changeZone.js'
import { emailDelivery } from '../notifications/emails/emailDelivery.js'
import { fanOut } from '../notifications/fanOut.js'
import { countRefusal } from '../notifications/follow/refusals.js'
import { pushDelivery } from '../notifications/pushDelivery.js'
import { featureHooks } from '../platform/http/featureHooks.js'
import { sendEmail } from '../platform/mail/mailer.js'
import { messageSender } from '../platform/outbox/messageSender.js'
import { fanOutHook, type Sender } from '../platform/outbox/outbox.js'
import { fcmSender } from '../platform/push/fcm.js'
import type { PushMessage } from '../platform/push/pushMessage.js'
import type { PushResult } from '../platform/push/pushResult.js'
import { sendToBrowser } from '../platform/push/webPush.js'
import type { Attempt } from '../vocabulary/email/delivery.js'
import { webhookSender } from '../webhooks/sending/sendWebhooks.js'
import { emailKinds } from './emailKinds.js'
import { formFields } from './formFields.js'
import { listsToSearch, pageWithForm, refusalLeadsTo, storedBefore } from './problemLinks.js'
import { securityEventOf } from './refusedRequests.js'

/*
 * What the ground calls and features supply: nothing is registered anywhere else. Every process
 * that sends imports this file, so what only requests need is loaded by the first one that needs
 * it.
 */
fanOutHook.register(fanOut)
zoneChangeHook.register(changeZone)

const credentials = () => import('../accounts/signIn/credentials.js')
const setupSteps = () => import('../building/setupSteps.js')
featureHooks.register({
  signInAgain: async (ctx, input) => (await credentials()).signInAgain(ctx, input),
  passwordIsClosed: async (user) => (await credentials()).passwordIsClosed(user),
  nextStep: async () => (await setupSteps()).nextSetupStep(),
  signInPage: { address: '/sign-in', view: 'accounts/signIn', againView: 'accounts/signInAgain' },
  pageWithForm,
  formFields,
  listsToSearch,
  storedBefore,
  refusalLeadsTo,
  securityEventOf,
})

const incidentForms = async () =>
  (await import('../incidents/pages/reporting/carriedForms.js')).carriedIncidentForms
carriedForms.register({
  guestPage: '/report',
  resume: async (...carried) => (await incidentForms()).resume(...carried),
  waitingReport: async (...carried) => (await incidentForms()).waitingReport(...carried),
  resumeAgain: async (...carried) => (await incidentForms()).resumeAgain(...carried),
})

/** The senders of webhooks, emails and pushes. */
export function senders(): Sender[] {
  return [
    webhookSender(),
    messageSender({
      mail: emailDelivery(emailKinds, sendEmail, countRefusal),
      push: pushDelivery(pushOf, sendToDevice, forgetDevice),
    }),
  ]
}

const sendToPhone = fcmSender()

/**
 * Sends a push: to a phone through the messaging service of its app, to a browser through the push
 * service of its maker.
 */
function sendToDevice(device: Device, push: PushMessage, attempt: Attempt): Promise<PushResult> {
  return device.platform === 'browser'
    ? sendToBrowser({ ...device, endpoint: device.token }, push, { stop: attempt.stop })
    : sendToPhone(device.token, push, { stop: attempt.stop })
}
