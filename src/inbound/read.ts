import { z } from 'zod'
import type { EmailFile, ReadEmail } from './message.js'
import { emailHeaders } from './parse/headers.js'

const text = z
  .string('not_text')
  .nullish()
  .transform((given) => given ?? '')

/** Attachments looked at: five become photos, twenty are named, and further ones are ignored. */
const mostAttachments = 500

const textOr = (value: unknown) => (typeof value === 'string' ? value : '')

/** Attachments of any shape are accepted; an unreadable one is skipped by name (decision 4.5). */
const attachment = z
  .unknown()
  .transform((given): EmailFile => {
    const { filename, contentBase64 } = (given ?? {}) as Record<string, unknown>
    return {
      filename: textOr(filename),
      contentBase64: textOr(contentBase64),
      type: null,
      contentId: null,
      isInline: false,
    }
  })
  .meta({
    type: 'object',
    properties: {
      filename: { type: 'string' },
      contentBase64: { type: 'string', contentEncoding: 'base64' },
    },
  })

/**
 * An email as the contract has it (spec §2), or in a provider's own names, which `parse/post.ts`
 * knows. Only the sender is required. No text is refused for its length.
 */
export const EmailPost = z
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
    headers: z.unknown().optional().transform(emailHeaders).meta({
      description:
        'An object of names and values, a list of { name, value }, or the header lines of the email as one text.',
    }),
  })
  .meta({ id: 'InboundMail' })

/** Step 1: an email as it was sent, of a post by any provider. Nothing in it is cleaned. */
export function read(post: z.infer<typeof EmailPost>): ReadEmail {
  const { from, subject, text: plain, html, attachments, messageId, headers } = post
  return {
    from,
    subject,
    text: plain,
    html,
    files: attachments,
    attachedEmails: [],
    messageId,
    headers,
    calendarMethod: null,
    spamMark: null,
  }
}
