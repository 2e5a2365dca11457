import { z } from 'zod'
import type { Attachment } from '../../actions/mail/mailPhotos.js'
import { type MailHouse, readLargeMail, receiveMail } from '../../actions/mail/receiveMail.js'
import { config } from '../../config.js'
import { mailHostOf } from '../../domain/mail/ownMail.js'
import { mailHeaders } from '../../inbound/autoMail.js'
import { senderOf } from '../../inbound/mailText.js'
import { Property } from '../../models/building/building.js'
import { mailWords } from '../../pages/propertyText.js'
import { texts } from '../../text/index.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { input } from '../../web/request/input.js'

/** Five photos of 10 MB in base64 are 70 MB; the rest is for the words and for what is skipped by name. */
const mailBytes = 75 * 1024 * 1024

const text = z
  .string('not_text')
  .nullish()
  .transform((given) => given ?? '')

/** Attachments that are looked at: five become photos and twenty are named, so that further ones are not even counted. */
const mostAttachments = 500

/** Anything may be attached in any shape: what cannot be read is skipped by name (decision 4.5). */
const attachment = z.unknown().transform((given): Attachment => {
  const { filename, contentBase64 } = (given ?? {}) as Record<string, unknown>
  return { filename: textOr(filename), contentBase64: textOr(contentBase64) }
})

const textOr = (value: unknown) => (typeof value === 'string' ? value : '')

/** Well-formed is a sender, as text; everything else may be missing (spec §2). No text is too long or too strange. */
const InboundMail = z.object({
  from: z.string({ error: (issue) => (issue.input === undefined ? 'from_required' : 'not_text') }),
  subject: text,
  text,
  html: text,
  attachments: z
    .preprocess(
      (given) => (Array.isArray(given) ? given.slice(0, mostAttachments) : given),
      z.array(attachment, 'not_acceptable').nullish(),
    )
    .transform((given) => given ?? []),
  messageId: z
    .unknown()
    .optional()
    .transform((given) => textOr(given).trim() || null),
  headers: z.unknown().optional().transform(mailHeaders),
})

/** POST /api/inbound-email, where the mail provider brings what was written to the building (spec §4 rule 5). */
export function inboundEmailRoutes(router: AppRouter): void {
  router.post(
    '/api/inbound-email',
    allow('mail.receive'),
    body({ large: { bytes: mailBytes, parse: readLargeMail } }),
    async (ctx) => {
      const mail = input(ctx, InboundMail)
      await respond(ctx, { data: await receiveMail(ctx.state.actor, mail, await house()) })
    },
  )
}

async function house(): Promise<MailHouse> {
  const [words, property] = await Promise.all([mailWords(), Property.current()])
  const { from, inboundAddress, authserv } = config.mail
  const addresses = inboundAddress ? [from, inboundAddress] : [from]
  const all = Object.values(texts)
  return {
    addresses,
    host: mailHostOf(config.publicUrl, from),
    own: {
      writeAbove: all.map(({ mails }) => mails.writeAbove),
      closing: [property.name, property.address].filter(Boolean).join(', '),
      names: [...addresses.map(senderOf).flatMap(({ address, name }) => [address, name]), property.name]
        .filter((name) => name !== null)
        .map((name) => name.toLowerCase()),
    },
    authserv,
    words,
  }
}
