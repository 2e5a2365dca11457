import { z } from 'zod'
import { calendarMethodIn } from './kinds/calendar.js'
import { spamMarkIn } from './kinds/spamMarks.js'
import type { ReadEmail } from './message.js'
import { attachedEmail } from './parse/attachedEmail.js'
import { emailFile, inOrder, ownFiles, textOrEmpty } from './parse/emailFile.js'
import { emailHeaders, headerText } from './parse/headers.js'

const text = z
  .string('not_text')
  .nullish()
  .transform((value) => value ?? '')

/** Attachments looked at: five become photos, twenty are named, and further ones are ignored. */
const mostAttachments = 500

/** No text is refused for its length. */
const OneEmail = z.object({
  from: z.string({ error: (issue) => (issue.input === undefined ? 'from_required' : 'not_text') }),
  subject: text,
  text,
  html: text,
  attachments: z
    .preprocess(
      (value) => (Array.isArray(value) ? value.slice(0, mostAttachments) : value),
      z.array(emailFile, 'not_acceptable').nullish(),
    )
    .transform((files) => files ?? []),
  attachedEmails: z.array(attachedEmail).optional().catch(undefined).meta({
    description: 'Emails that are attached to this one. Their files stand among `attachments`.',
  }),
  messageId: z
    .unknown()
    .optional()
    .transform((value) => textOrEmpty(value).trim() || null)
    .meta({ type: ['string', 'null'] }),
  headers: z.unknown().optional().transform(emailHeaders).meta({
    description:
      'An object of names and values, a list of { name, value }, or the header lines of the email as one text.',
  }),
  spamMark: z
    .unknown()
    .optional()
    .transform((value) => textOrEmpty(value).trim() || null)
    .meta({
      type: ['string', 'null'],
      description: 'What a spam filter says of the email. With it, the email waits for the office.',
    }),
})

/** One of them has to be there, and may be empty. */
const wordFields = ['subject', 'text', 'html']

/** Emails of one post that are read; providers send a few in one when many come at once. */
const mostFurther = 100

/**
 * An email as the contract has it (spec §2), or in a provider's own names, which
 * `parse/contractEmail.ts` knows; it refuses one without any field for its words. `further`: more
 * emails of the same post.
 */
export const EmailPost = OneEmail.extend({
  further: z
    .array(OneEmail.meta({ id: 'FurtherInboundEmail' }), 'not_acceptable')
    .max(mostFurther, 'not_acceptable')
    .optional()
    .transform((emails) => emails ?? [])
    .meta({ description: 'More emails that came in the same post.' }),
}).meta({ id: 'InboundEmail', anyOf: wordFields.map((name) => ({ required: [name] })) })

/** Step 1: the emails of a post by any provider, as they were sent. Nothing in them is cleaned. */
export function read(post: z.infer<typeof EmailPost>): [ReadEmail, ...ReadEmail[]] {
  return [readOne(post), ...post.further.map(readOne)]
}

function readOne(email: z.infer<typeof OneEmail>): ReadEmail {
  const { from, subject, text: plain, html, attachments, attachedEmails, messageId, headers } = email
  return {
    from,
    subject,
    text: plain,
    html,
    files: inOrder(attachments, html),
    attachedEmails: attachedEmails ?? [],
    messageId,
    headers,
    calendarMethod: calendarMethodIn(ownFiles(attachments), headers),
    spamMark: email.spamMark ?? spamMarkIn(headers, headerText(subject)),
  }
}
