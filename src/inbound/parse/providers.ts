import { mailHeaders } from './mailHeaders.js'

/**
 * Where the bodies of mail providers have each field of the contract (spec §2), under its own name
 * first.
 */
const names = {
  from: ['from', 'From', 'sender'],
  subject: ['subject', 'Subject'],
  text: ['text', 'TextBody', 'body-plain', 'plain'],
  html: ['html', 'HtmlBody', 'body-html'],
  messageId: ['messageId', 'Message-Id', 'MessageID'],
  headers: ['headers', 'Headers', 'message-headers'],
  attachments: ['attachments', 'Attachments'],
} as const

/** The same of each attachment. */
const namesOfFile = {
  filename: ['filename', 'Name', 'file_name'],
  contentBase64: ['contentBase64', 'Content', 'content'],
} as const

/**
 * A mail in the shape of the contract, of any provider's body with these names; what it does not
 * name may stand in the mail's own headers. A field that is nowhere is left out.
 */
export function contractMail(given: Record<string, unknown>): Record<string, unknown> {
  const fields = picked(given, names)
  const headers = mailHeaders(fields.headers)
  const { messageId: own, attachments } = fields
  const inHeaders = (name: string) => headers?.get(name)?.[0]
  return defined({
    ...fields,
    from: fields.from ?? inHeaders('from'),
    subject: fields.subject ?? inHeaders('subject'),
    // A provider's own number of a mail is another one when the mail is sent again.
    messageId: given.messageId ?? inHeaders('message-id') ?? own,
    attachments: Array.isArray(attachments) ? attachments.map(fileOf) : attachments,
  })
}

const fileOf = (given: unknown) =>
  typeof given === 'object' && given !== null ? picked(given as Record<string, unknown>, namesOfFile) : given

function picked<T extends Record<string, readonly string[]>>(given: Record<string, unknown>, from: T) {
  const found = Object.entries(from).map(([field, keys]) => {
    const key = keys.find((each) => Object.hasOwn(given, each))
    return [field, key === undefined ? undefined : given[key]]
  })
  return defined(Object.fromEntries(found)) as { [K in keyof T]?: unknown }
}

const defined = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
