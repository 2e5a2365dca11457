import { z } from 'zod'
import { Property } from '../building/building.js'
import { Problem } from '../platform/http/answer/problem.js'
import { rowId, shape } from '../platform/http/json.js'
import { route } from '../platform/http/route/route.js'
import { config } from '../platform/ops/config.js'
import { texts } from '../text/index.js'
import { messageKey } from '../vocabulary/email/messageName.js'
import { mailHostOf, ownAddress } from '../vocabulary/email/ownEmail.js'
import { mailWords } from './emailIncident.js'
import { ignoreReasons } from './emailLimits.js'
import { QuarantineFull } from './held/quarantine.js'
import type { Attachment } from './inboundMessage.js'
import { mailHeaders } from './parse/emailText.js'
import { readLargePost } from './parse/largePost.js'
import { contractMail } from './parse/post.js'
import { readSender } from './parse/sender.js'
import { type InboundSettings, receiveMail } from './receiveEmail.js'

/** Bytes: five photos of 10 MB are 70 MB in base64, and text and skipped attachments. */
const mailBytes = 75 * 1024 * 1024

/** First lines of emails sent before their wording changed: people still reply to those. */
const earlierMarks = ['## Write above this line ##', '## Escribir por encima de esta línea ##']

const text = z
  .string('not_text')
  .nullish()
  .transform((given) => given ?? '')

/** Attachments looked at: five become photos, twenty are named, and further ones are ignored. */
const mostAttachments = 500

/** Attachments of any shape are accepted; an unreadable one is skipped by name (decision 4.5). */
const attachment = z
  .unknown()
  .transform((given): Attachment => {
    const { filename, contentBase64 } = (given ?? {}) as Record<string, unknown>
    return { filename: textOr(filename), contentBase64: textOr(contentBase64) }
  })
  .meta({
    type: 'object',
    properties: {
      filename: { type: 'string' },
      contentBase64: { type: 'string', contentEncoding: 'base64' },
    },
  })

const textOr = (value: unknown) => (typeof value === 'string' ? value : '')

/** Only the sender is required (spec §2). No text is refused for its length. */
const InboundMail = z
  .object({
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
      .transform((given) => textOr(given).trim() || null)
      .meta({ type: ['string', 'null'] }),
    headers: z.unknown().optional().transform(mailHeaders).meta({
      description:
        'An object of names and values, a list of { name, value }, or the header lines of the email as one text.',
    }),
  })
  .meta({ id: 'InboundMail' })

/** When a provider tries again while too many emails wait for the office: fifteen minutes. */
const retryAfterSeconds = 900

/** The outcome of the email (decision 4.5). */
const MailAnswerJson = z.union([
  shape('MailTaken', { action: z.enum(['created', 'appended']), incidentId: rowId }),
  shape('MailIgnored', { action: z.literal('ignored'), reason: z.enum([...ignoreReasons, 'held']) }),
])

export const inboundEmailRoutes = [
  route({
    method: 'post',
    paths: '/api/inbound-email',
    summary: 'Receives emails to the building from the email provider (spec §4 rule 5).',
    permission: 'mail.receive',
    large: {
      bytes: mailBytes,
      parse: readLargePost,
      types: ['urlencoded', 'multipart/form-data', 'message/rfc822'],
      fields: contractMail,
    },
    body: InboundMail,
    answer: MailAnswerJson,
    handle: async ({ body, actor }) => ({
      data: await receiveMail(actor, body, await inboundSettings()).catch((error: unknown) => {
        if (!(error instanceof QuarantineFull)) throw error
        throw new Problem(503, 'emails_full', { headers: { 'Retry-After': String(retryAfterSeconds) } })
      }),
    }),
  }),
]

async function inboundSettings(): Promise<InboundSettings> {
  const [words, property] = await Promise.all([mailWords(), Property.current()])
  const { from, inboundAddress, authserv } = config.mail
  const addresses = inboundAddress ? [from, inboundAddress] : [from]
  const all = Object.values(texts)
  return {
    addresses,
    host: mailHostOf(config.publicUrl, from),
    key: messageKey(config.sessionSecret),
    own: {
      writeAbove: [...all.map(({ emails }) => emails.writeAbove), ...earlierMarks],
      closing: [property.name, property.address].filter(Boolean).join(', '),
      names: [...addresses.flatMap((own) => [ownAddress(own), readSender(own, null).name]), property.name]
        .filter((name) => name !== null)
        .map((name) => name.toLowerCase()),
    },
    authserv,
    locales: Object.keys(texts),
    words,
  }
}
