import type { SendMailOptions } from 'nodemailer'
import type { Email } from '../../vocabulary/email/delivery.js'
import { ownAddress } from '../../vocabulary/email/ownEmail.js'
import { config } from '../process/config.js'

export type AttachedPhoto = { filename: string; content: Buffer; contentType: 'image/jpeg' }

/** An email with the files that go with it. */
export type EmailWithAttachments = Email & { attached: AttachedPhoto[] }

/** No file or URL named in an email is ever read. */
export const noFileOrUrlAccess = { disableFileAccess: true, disableUrlAccess: true }

/** The email as nodemailer takes it. */
export function messageOf(email: EmailWithAttachments): SendMailOptions {
  const { to, subject, text, html, messageId, date, replyTo, inReplyTo } = email
  return {
    from: { name: withoutBreaks(email.fromName), address: ownAddress(config.email.from) },
    to: { name: withoutBreaks(to.name), address: to.address },
    envelope: { from: ownAddress(config.email.from), to: [to.address] },
    subject: withoutBreaks(subject),
    text,
    html,
    messageId,
    date,
    ...(replyTo ? { replyTo } : {}),
    ...(email.attached.length > 0 ? { attachments: email.attached } : {}),
    ...(inReplyTo ? { inReplyTo, references: [inReplyTo] } : {}),
    headers: Object.fromEntries(
      Object.entries(email.headers).map(([name, value]) => [
        name,
        { prepared: true, value: withoutBreaks(value) },
      ]),
    ),
    ...noFileOrUrlAccess,
  }
}

const withoutBreaks = (text: string) => text.replace(/[\r\n]+/g, ' ')
