import { loopback } from '../../../src/platform/net/addressPolicy.js'
import { idle, startOutbox, stopOutbox, wake } from '../../../src/platform/outbox/outbox.js'
import { type WebhookOptions, webhookSender } from '../../../src/webhooks/sending/sendWebhooks.js'

/** Receivers of tests are on this machine. */
export const onThisMachine = { networks: loopback, closedPorts: new Set<number>() }

/** Begins to send in this process. */
export function startSending(options: WebhookOptions = {}): void {
  startOutbox([webhookSender({ policy: onThisMachine, ...options })], async () => {})
  wake()
}

/** Sends everything that is due, from beginning to end. */
export async function sendAll(options: WebhookOptions = {}): Promise<void> {
  startSending(options)
  await idle()
  await stopOutbox()
}
