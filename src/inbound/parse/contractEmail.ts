import { Problem } from '../../platform/http/problem.js'
import { defined } from '../../vocabulary/collections.js'
import { headerParameters } from './headerParameters.js'
import { emailHeaders } from './headers.js'
import { spamMarkInFields } from './providerSpam.js'

type Fields = Record<string, unknown>

/**
 * Where providers' bodies have each field of the contract (spec §2), its own name first: Postmark,
 * Mailgun, CloudMailin, Mailjet, Brevo.
 */
const names = {
  from: ['from', 'From'],
  subject: ['subject', 'Subject'],
  text: ['text', 'TextBody', 'body-plain', 'plain', 'Text-part', 'RawTextBody', 'textBody'],
  html: ['html', 'HtmlBody', 'body-html', 'Html-part', 'RawHtmlBody', 'htmlBody'],
  messageId: ['messageId', 'Message-Id', 'MessageID', 'MessageId'],
  headers: ['headers', 'Headers', 'message-headers'],
  attachments: ['attachments', 'Attachments'],
  attachedEmails: ['attachedEmails'],
} as const

/** The same of each attachment. */
const namesOfFile = {
  filename: ['filename', 'Name', 'file_name', 'name'],
  contentBase64: ['contentBase64', 'Content', 'content'],
  contentType: ['contentType', 'ContentType', 'content_type', 'type'],
  contentId: ['contentId', 'ContentID', 'content_id'],
  disposition: ['disposition'],
  isOfAttached: ['isOfAttached'],
} as const

/** The same of a mailbox that a provider has taken apart: Postmark, Brevo, ImprovMX. */
const namesOfMailbox = {
  address: ['Email', 'Address', 'email', 'address'],
  name: ['Name', 'name'],
} as const

/**
 * An email in the shape of the contract, of any provider's body with these names; `further`: more
 * emails of the same body. What a body does not name may stand in the email's own headers. A field
 * that is nowhere is left out. Throws a problem when a body has no field that emails have: its
 * provider is set up in another way, and must not believe that its emails come in.
 */
export function contractEmail(body: Fields): Fields {
  const [first = {}, ...others] = emailsIn(body).map(contractOf)
  const missing = [first, ...others].find(hasNoWordFields)
  if (missing) throw wrongSetup(missing)
  // What is no list is left to the schema, which refuses it.
  const further = others.length > 0 ? others : body.further
  return defined({ ...first, further })
}

const hasNoWordFields = ({ subject, text, html }: Fields) =>
  subject === undefined && text === undefined && html === undefined

function wrongSetup({ from }: Fields): Problem {
  const unknown = { text: ['email_fields_unknown'] }
  const errors = from === undefined ? { from: ['from_required'], ...unknown } : unknown
  return new Problem(422, 'email_fields_unknown', { members: { errors } })
}

/** The emails of a body: Mandrill posts a list of events, Brevo a list of items. */
function emailsIn(body: Fields): Fields[] {
  const { mandrill_events: events, items, further } = body
  if (Array.isArray(further)) return [body, ...further.map((each) => (isObject(each) ? each : {}))]
  if (Array.isArray(events))
    return events.filter(isObject).map(({ msg }) => (isObject(msg) ? mandrillEmail(msg) : {}))
  return Array.isArray(items) ? items.filter(isObject) : [body]
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Files stand by their names, those that the HTML shows apart from the others. */
function mandrillEmail(msg: Fields): Fields {
  const files = [msg.attachments, msg.images].flatMap((box) => (isObject(box) ? Object.values(box) : []))
  return { ...msg, from: { email: msg.from_email, name: msg.from_name }, attachments: files }
}

function contractOf(email: Fields): Fields {
  const fields = pick(email, names)
  const headers = emailHeaders(fields.headers)
  const inHeaders = (name: string) => headers?.get(name)?.[0]
  const author = authorIn(email, fields.from) ?? inHeaders('from')
  return defined({
    ...fields,
    from: author ?? email.sender,
    headers: headersOf(email, fields.headers, author !== undefined),
    subject: fields.subject ?? inHeaders('subject'),
    // A provider's own number of an email is another one when the email is sent again.
    messageId: email.messageId ?? inHeaders('message-id') ?? fields.messageId,
    attachments: filesIn(email, fields.attachments),
    spamMark: email.spamMark ?? spamMarkInFields(email) ?? undefined,
  })
}

/**
 * The author as a mail header has it; Postmark gives the name apart, and some a mailbox in parts.
 */
function authorIn(email: Fields, from: unknown): unknown {
  if (typeof from === 'string' && !from.includes('<')) {
    const full = mailboxOf(email.FromFull)
    return full?.endsWith(`<${from.trim()}>`) ? full : from
  }
  return mailboxOf(Array.isArray(from) && from.length === 1 ? from[0] : from) ?? from
}

function mailboxOf(mailbox: unknown): string | undefined {
  if (!isObject(mailbox)) return undefined
  const { address, name } = pick(mailbox, namesOfMailbox)
  if (typeof address !== 'string') return undefined
  if (typeof name !== 'string' || name.trim() === '') return address
  return `"${name.replace(/[\\"]/g, '\\$&')}" <${address}>`
}

/**
 * The email's headers. Where `sender` stands for its author, who only handed it to the mail server,
 * they lose the verdicts on From; and they get the Reply-To that Postmark takes out of them.
 */
function headersOf(email: Fields, headers: unknown, hasAuthor: boolean): unknown {
  const { ReplyTo } = email
  const pairs = [...(emailHeaders(headers) ?? [])]
  const adds = typeof ReplyTo === 'string' && ReplyTo !== '' && !pairs.some(([name]) => name === 'reply-to')
  if (hasAuthor && !adds) return headers
  const remainingPairs = hasAuthor ? pairs : pairs.filter(([name]) => name !== 'authentication-results')
  return adds ? [...remainingPairs, ['reply-to', ReplyTo]] : remainingPairs
}

function filesIn(email: Fields, attachments: unknown): unknown {
  const { Parts } = email
  if (Array.isArray(Parts) && attachments === undefined)
    return Parts.filter(isObject).flatMap((part) => mailjetFile(email, part))
  return Array.isArray(attachments) ? attachments.map(fileOf) : attachments
}

/** Mailjet: a part has the file's headers, and names the field with its content in base64. */
function mailjetFile(email: Fields, { ContentRef, Headers }: Fields): Fields[] {
  if (typeof ContentRef !== 'string' || !/^(Inline)?Attachment\d+$/.test(ContentRef)) return []
  const headers = emailHeaders(Headers)
  const header = (name: string) => headers?.get(name)?.[0] ?? ''
  const type = header('content-type')
  const filename = headerParameters(header('content-disposition')).get('filename')
  return [
    {
      filename: filename ?? headerParameters(type).get('name') ?? '',
      contentType: type,
      contentId: header('content-id'),
      contentBase64: email[ContentRef],
    },
  ]
}

function fileOf(attachment: unknown): unknown {
  if (!isObject(attachment)) return attachment
  const file = pick(attachment, namesOfFile)
  // Mandrill: text is not encoded.
  if (attachment.base64 === false && typeof file.contentBase64 === 'string')
    return { ...file, contentBase64: Buffer.from(file.contentBase64).toString('base64') }
  return file
}

function pick<T extends Record<string, readonly string[]>>(fields: Fields, from: T) {
  const entries = Object.entries(from).map(([field, keys]) => {
    const key = keys.find((each) => Object.hasOwn(fields, each))
    return [field, key === undefined ? undefined : fields[key]]
  })
  return defined(Object.fromEntries(entries)) as { [K in keyof T]?: unknown }
}
