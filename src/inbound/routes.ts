import { z } from 'zod'
import { rowId, shape } from '../platform/http/json.js'
import { Problem } from '../platform/http/problem.js'
import { route } from '../platform/http/route/route.js'
import { QuarantineFull } from './held/holdEmail.js'
import { inboundText } from './inboundText.js'
import type { ReadEmail } from './message.js'
import { contractEmail } from './parse/contractEmail.js'
import { readLargePost } from './parse/largePost.js'
import { EmailPost, read } from './read.js'
import { ignoreReasons } from './reasons.js'
import { receiveEmail } from './receiveEmail.js'
import { recognitionSettings } from './recognitionSettings.js'

/** Bytes: five photos of 10 MB are 70 MB in base64, and text and skipped attachments. */
const emailBytes = 75 * 1024 * 1024

/** When a provider tries again while too many emails wait for the office: fifteen minutes. */
const retryAfterSeconds = 900

/** The outcome of the email (decision 4.5). */
const EmailAnswerJson = z.union([
  shape('EmailTaken', { action: z.enum(['created', 'appended']), incidentId: rowId }),
  shape('EmailIgnored', { action: z.literal('ignored'), reason: z.enum([...ignoreReasons, 'held']) }),
])

export const inboundEmailRoutes = [
  route({
    method: 'post',
    paths: '/api/inbound-email',
    group: 'emails',
    summary: 'Receives emails to the building from the email provider (spec §4 rule 5).',
    permission: 'email.receive',
    large: {
      bytes: emailBytes,
      parse: readLargePost,
      types: ['urlencoded', 'multipart/form-data', 'message/rfc822'],
      fields: contractEmail,
    },
    body: EmailPost,
    answer: EmailAnswerJson,
    handle: async ({ body, actor }) => {
      const [email, ...further] = read(body)
      const [settings, t] = await Promise.all([recognitionSettings(), inboundText()])
      const receive = (each: ReadEmail) => receiveEmail(actor, each, settings, t).catch(refuseForNow)
      const data = await receive(email)
      // Stored before the provider is refused for a later one; when it sends all again, these are
      // repetitions.
      for (const each of further) await receive(each)
      return { data }
    },
  }),
]

function refuseForNow(error: unknown): never {
  if (!(error instanceof QuarantineFull)) throw error
  throw new Problem(503, 'emails_full', { headers: { 'Retry-After': String(retryAfterSeconds) } })
}
