import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import PostalMime from 'postal-mime'
import type { Device } from '../../../src/accounts/users/devices.js'
import { sendEmail } from '../../../src/platform/mail/mailer.js'
import { config } from '../../../src/platform/process/config.js'
import { fcmSender } from '../../../src/platform/push/fcm.js'
import type { PushMessage } from '../../../src/platform/push/pushMessage.js'
import { sendToBrowser } from '../../../src/platform/push/webPush.js'
import type { Deliver, Email } from '../../../src/vocabulary/email/delivery.js'
import { startOutside } from '../anonymity/worldsOutside.js'
import { certificate } from '../certificate.js'
import { endGathering } from '../email/messages.js'
import { decrypted, newBrowser } from '../push/subscription.js'
import { newFolder } from '../run/folders.js'
import { emailDelivery, messageSender, pushDelivery } from '../sending.js'
import { startReceiver } from '../webhooks/receiver.js'
import { onThisMachine } from '../webhooks/sending.js'
import { readableJson } from './json.js'

/** An email or a push as it left. `to`: what kind of recipient it is for; `html`: of an email. */
export type Outgoing = {
  kind: 'email' | 'push'
  event: string
  locale: string
  to: string
  recipient: string
  text: string
  html?: string
}

/** A browser that an account may register: the pushes to it can be read here. */
export function registeredBrowser(): ReturnType<typeof newBrowser> {
  const browser = newBrowser()
  browsers.push(browser)
  return browser
}
const browsers: ReturnType<typeof newBrowser>[] = []

export type Delivery = { take: () => Promise<Outgoing[]>; close: () => Promise<unknown> }

/**
 * Opens the services that emails and pushes go to; `take` sends what waits to them, by the
 * product's own senders.
 */
export async function openDelivery(): Promise<Delivery> {
  const messaging = await startOutside()
  Object.assign(config.push, messaging.push)
  const pushService = await startReceiver({ secret: null, tls: certificate })
  let sent: Outgoing[] = []

  const email: Deliver = (row) =>
    emailDelivery(async (letter) => {
      const [, locale = ''] = /<html lang="(\w+)"/.exec(letter.html) ?? []
      const to = row.contactId ? 'contact' : row.recipientId ? 'account' : 'address'
      sent.push({
        kind: 'email',
        event: row.event,
        locale,
        to,
        recipient: letter.to.address,
        text: await emailText(letter),
        html: letter.html,
      })
      return { as: 'sent' }
    })(row)

  const push: Deliver = (row) =>
    pushDelivery(
      async (device, message) => {
        const isBrowser = device.platform === 'browser'
        const body = isBrowser ? await toBrowser(device, message) : await toPhone(device, message)
        sent.push({
          kind: 'push',
          event: row.event,
          locale: '',
          to: isBrowser ? 'browser' : 'phone',
          recipient: String(row.recipientId),
          text: readableJson(body),
        })
        return { as: 'sent' }
      },
      async () => {},
    )(row)

  async function toPhone(device: Device, message: PushMessage): Promise<unknown> {
    expectSent(await sendToPhone(device.token, message))
    return JSON.parse(messaging.pushes.at(-1)!.body)
  }

  async function toBrowser(device: Device, message: PushMessage): Promise<unknown> {
    const browser = browsers.find(({ keys }) => keys.getPublicKey('base64url') === device.p256dh)!
    const subscription = { ...device, endpoint: `https://receiver.test:${pushService.port}/201` }
    expectSent(await sendToBrowser(subscription, message, toThisMachine))
    return decrypted(browser, pushService.received.at(-1)!.raw)
  }

  return {
    async take() {
      sent = []
      const sender = messageSender({ mail: email, push }, { atOnce: 1 })
      // What is for people without an account begins to gather only when it is spread.
      for (let round = 0; round < 2; round++) {
        await endGathering()
        await sender.drain()
      }
      // Recipients of one event have their rows in any order.
      const place = ({ kind, event, to, locale, recipient }: Outgoing) =>
        [kind, event, to, locale, recipient].join()
      return sent.sort((a, b) => (place(a) < place(b) ? -1 : Number(place(a) > place(b))))
    },
    close: () => Promise.all([messaging.stop(), pushService.stop()]),
  }
}

const sendToPhone = fcmSender()

/** The name of the push service leads to this machine. */
const toThisMachine = {
  policy: onThisMachine,
  resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
  ca: certificate.cert,
}

function expectSent(outcome: { as: string }): void {
  if (outcome.as !== 'sent') throw new Error(JSON.stringify(outcome))
}

/** Headers that every email has in the same way, that name it, or that are shown decoded. */
const unshown = /^(from|to|reply-to|subject|message-id|date|mime-version|content-.*)$/

/**
 * The email as it is written into the folder for emails: headers, text and the names of attached
 * files.
 */
async function emailText(letter: Email): Promise<string> {
  const folder = newFolder()
  config.email.outboxDir = folder
  expectSent(await sendEmail(letter))
  const file = readdirSync(folder).find((name) => name.endsWith('.eml'))!
  const { from, to, replyTo, subject, ...email } = await PostalMime.parse(
    readFileSync(path.join(folder, file)),
  )
  const others = email.headers.filter(({ key }) => !unshown.test(key))
  return [
    `From: ${addressesOf([from!])}`,
    `Reply-To: ${addressesOf(replyTo)}`,
    `To: ${addressesOf(to)}`,
    `Subject: ${subject}`,
    ...others.map(({ originalKey, value }) => `${originalKey}: ${value}`),
    ...email.attachments.map(({ filename, mimeType }) => `(attached: ${filename}, ${mimeType})`),
    '',
    email.text,
  ].join('\n')
}

const addressesOf = (addresses: { name: string; address?: string | undefined }[] = []) =>
  addresses.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ')
