import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendEmail } from '../../../src/platform/mail/mailer.js'
import { config } from '../../../src/platform/process/config.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { type ReadEmail, readRawEmail } from '../../support/email/mime.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts } from '../../support/house/limits.js'
import { browserOf } from '../../support/links/guestBrowser.js'
import { emailDelivery, messageSender } from '../../support/sending.js'

const house = useHouse()
const former = { ...config.email }
let server: SMTPServer
let received: ReadEmail[]

beforeEach(async () => {
  await Promise.all([emptyOutbox(), forgetCounts()])
  received = []
  await listen()
})
afterEach(async () => {
  Object.assign(config.email, former)
  await new Promise<void>((resolve) => server.close(resolve))
})

const languages = {
  en: {
    subject: 'Your sign-in code and link',
    before: 'Enter this code on the page where you asked:',
    between: 'Or open the link on the same device, in the same browser.',
    warning: 'Don’t give the code to anyone',
  },
  es: {
    subject: 'Su código y su enlace para iniciar sesión',
    before: 'Escriba este código en la página donde lo pidió:',
    between: 'O abra el enlace en el mismo dispositivo y en el mismo navegador.',
    warning: 'No dé el código a nadie',
  },
}

describe.each(Object.entries(languages))(
  'the sign-in email, as a mail server gets it, in %s',
  (locale, words) => {
    it('has the same code in text and HTML, in its own line, then the link; both sign in', async () => {
      const email = `reads.${locale}@outside.test`
      await house.user({ locale, email })
      for (const by of ['code', 'link'] as const) {
        const browser = browserOf(house)
        await browser.ask('/sign-in/link', { form: { email } })
        const { header, text, html } = await nextEmail()
        expect(header('Subject')).toBe(words.subject)
        const [code, link] = [/^\d{6}$/m.exec(text)![0], /\/sign-in\/link\/[\w-]+/.exec(text)![0]]
        const shown = html.replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ').replace(/\s+/g, ' ')
        for (const body of [text.replace(/\s+/g, ' '), shown]) {
          const places = [words.before, code, words.between, link, words.warning].map((each) =>
            body.indexOf(each),
          )
          expect(
            places.every((place) => place >= 0),
            body,
          ).toBe(true)
          expect(places.slice(0, 3)).toEqual(places.slice(0, 3).toSorted((a, b) => a - b))
        }
        expect(header('Subject')).not.toContain(code)
        const done = await (by === 'code'
          ? browser.ask('/sign-in/link-sent', { form: { code } })
          : browser.ask(link, { form: {} }))
        expect(done.status).toBe(303)
        expect(await browser.user()).toBe(email)
      }
    })
  },
)

/** Sends what waits to the mail server; the last email that it got. */
async function nextEmail(): Promise<ReadEmail> {
  received.length = 0
  await messageSender({
    mail: emailDelivery(sendEmail, async () => {}),
    push: async () => ({ as: 'sent' }),
  }).drain()
  return received.find(({ text }) => text.includes('/sign-in/link/'))!
}

/** A mail server of its own, whose emails are in `received`. */
async function listen(): Promise<void> {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData(stream, _session, done) {
      let raw = ''
      stream.on('data', (chunk) => (raw += chunk))
      stream.on('end', () => {
        received.push(readRawEmail(raw))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  Object.assign(config.email, {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: 'House <office@building.example>',
  })
}
