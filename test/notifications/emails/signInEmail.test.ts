import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendEmail } from '../../../src/platform/mail/mailer.js'
import { config } from '../../../src/platform/process/config.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { type ReadEmail, readRawEmail } from '../../support/email/mime.js'
import { useHouse } from '../../support/house/house.js'
import { browserOf } from '../../support/links/guestBrowser.js'
import { emailDelivery, messageSender } from '../../support/sending.js'

const house = useHouse()
const received = useMailServer()

describe('the sign-in email, as a mail server gets it', () => {
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

  it.each(Object.entries(languages))(
    'has in %s one code in text and HTML, then the link; each signs in',
    async (locale, words) => {
      const email = `reads.${locale}@outside.test`
      await house.user({ locale, email })
      for (const by of ['code', 'link'] as const) {
        const browser = browserOf(house)
        await browser.ask('/sign-in/link', { form: { email } })
        const { header, text, html } = await nextEmail()
        expect(header('Subject')).toBe(words.subject)
        const [code, link] = [/^\d{6}$/m.exec(text)![0], /\/sign-in\/link\/[\w-]+/.exec(text)![0]]
        for (const body of [text, html.replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ')]) {
          const line = body.replace(/\s+/g, ' ')
          expect(line).toContain(`${words.before} ${code} ${words.between}`)
          expect(line.indexOf(link)).toBeGreaterThan(line.indexOf(words.between))
          expect(line).toContain(words.warning)
        }
        const form = by === 'code' ? { code } : {}
        const done = await browser.ask(by === 'code' ? '/sign-in/link-sent' : link, { form })
        expect(done.status).toBe(303)
        expect(await browser.user()).toBe(email)
      }
    },
  )
})

/** Sends what waits to the mail server; the email with a sign-in link that it got. */
async function nextEmail(): Promise<ReadEmail> {
  received.length = 0
  const mail = emailDelivery(sendEmail, async () => {})
  await messageSender({ mail, push: async () => ({ as: 'sent' }) }).drain()
  return received.find(({ text }) => text.includes('/sign-in/link/'))!
}

/** A mail server for this file; what it receives. */
function useMailServer(): ReadEmail[] {
  const emails: ReadEmail[] = []
  const former = { ...config.email }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData(stream, _session, done) {
      let raw = ''
      stream.on('data', (chunk) => (raw += chunk))
      stream.on('end', () => {
        emails.push(readRawEmail(raw))
        done()
      })
    },
  })
  beforeEach(async () => {
    await emptyOutbox()
    if (!server.server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as AddressInfo
    Object.assign(config.email, {
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: 'House <office@building.example>',
    })
  })
  afterEach(() => {
    Object.assign(config.email, former)
  })
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)))
  return emails
}
