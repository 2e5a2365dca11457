import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { SendMailOptions } from 'nodemailer'
import type { Attempt, DeliveryOutcome, Email } from '../../vocabulary/email/delivery.js'
import { ownAddress } from '../../vocabulary/email/ownEmail.js'
import { networkFailure } from '../net/boundedFetch.js'
import { thumbnailOf } from '../photos/photoFormat.js'
import { photoStore } from '../photos/photoStore.js'
import { config } from '../process/config.js'

type AttachedPhoto = { filename: string; content: Buffer; contentType: 'image/jpeg' }

/** Bytes of one reduced picture that an email carries; a larger one is left out. */
const mostBytes = 500_000

/** These photos, reduced, without those that are gone. Throws StorageUnavailable. */
async function attachedPhotos(paths: readonly string[]): Promise<AttachedPhoto[]> {
  const attached: AttachedPhoto[] = []
  for (const path of paths) {
    const stored = await photoStore.open(thumbnailOf(path))
    if (!stored) continue
    if (stored.size > mostBytes) {
      stored.stream.destroy()
      continue
    }
    const content = Buffer.concat(await stored.stream.toArray())
    attached.push({ filename: `${attached.length + 1}.jpg`, content, contentType: 'image/jpeg' })
  }
  return attached
}

/**
 * Milliseconds to connect, up to the greeting; from the start to the end of the text; and from
 * there to the server's answer.
 */
export type Patience = { connect: number; text: number; answer: number }

/**
 * Decision 9.8. `text`: the 5 minutes of a recipient (RFC 5321 §4.5.3.2.3), and one for the rest.
 * `answer`: §4.5.3.2.6. Whoever ends it earlier and sends again sends the same email twice.
 */
const usual: Patience = { connect: 30_000, text: 360_000, answer: 600_000 }

/** No file or URL named in an email is ever read. */
const closed = { disableFileAccess: true, disableUrlAccess: true }

/**
 * Sends by SMTP_URL, or without it writes the same bytes into the outbox folder (decision 6.8).
 * Never throws; ends in time, and at once by `stop`. One connection per mail: a building sends few,
 * and none goes stale.
 */
export async function sendEmail(
  mail: Email,
  attempt: Attempt = {},
  patience: Patience = usual,
): Promise<DeliveryOutcome> {
  if (!isAddress(mail.to.address)) return { as: 'failed', why: 'no address' }
  const { smtpUrl, outboxDir } = config.email
  const photos = await attachedPhotos(mail.photos ?? []).catch(() => null)
  if (photos === null) return { as: 'retry', why: 'photo store away' }
  const letter = { ...mail, attached: photos }
  return smtpUrl ? bySmtp(smtpUrl, letter, attempt, patience) : intoFolder(outboxDir, letter)
}

/** An email with the files that go with it. */
type Letter = Email & { attached: AttachedPhoto[] }

/**
 * The server takes an email when it has read the end of its text, whether or not its answer reaches
 * us. So the outbox is told before the end is written; without an answer after it, the email counts
 * as sent. Before the end, nothing has been taken.
 */
async function bySmtp(
  url: string,
  mail: Letter,
  { stop, noteHandOver = async () => true }: Attempt,
  patience: Patience,
): Promise<DeliveryOutcome> {
  let isWithheld = false
  let isHandedOver = false
  const ending = new AbortController()
  const end = () => ending.abort()
  let timer = setTimeout(end, patience.text)
  stop?.addEventListener('abort', end)
  if (stop?.aborted) end()

  const beforeEnd = async () => {
    const mayEnd = await noteHandOver(patience.answer / 1_000).catch(() => false)
    isWithheld = !mayEnd || ending.signal.aborted
    if (isWithheld) throw new Error('not to be handed over')
    clearTimeout(timer)
    timer = setTimeout(end, patience.answer)
  }
  // The deadlines above are shorter than this silence, and the server may use all of them.
  const silence = patience.text + patience.answer
  const transport = await smtpTransport(url, { connect: patience.connect, silence }, () => {
    isHandedOver = true
  })
  // Read only once the server has asked for the text.
  transport.use('stream', ({ message }, done) => {
    message.processFunc((text) => Readable.from(withPause(text, beforeEnd), { objectMode: false }))
    done()
  })
  try {
    await transport.sendMail({ ...messageOf(mail), signal: ending.signal })
    return { as: 'sent' }
  } catch (error) {
    const isAnswered = Boolean((error as SmtpError).responseCode)
    if (isHandedOver && !isAnswered) return { as: 'unconfirmed', why: 'smtp not confirmed' }
    return isWithheld || (stop?.aborted && !isAnswered) ? { as: 'unsent' } : refusal(error as SmtpError)
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', end)
    transport.close()
  }
}

/** The text; its end comes when `beforeEnd` has resolved, and never when it throws. */
async function* withPause(text: Readable, beforeEnd: () => Promise<void>): AsyncGenerator<Buffer> {
  yield* text as AsyncIterable<Buffer>
  await beforeEnd()
}

/**
 * A connection to the mail server. Milliseconds to connect, and without a byte. `wroteAll` is
 * called once a whole email has been written to it.
 */
export async function smtpTransport(
  url: string,
  { connect, silence }: { connect: number; silence: number },
  wroteAll?: () => void,
) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    logger: wroteAll ? logOf(wroteAll) : false,
    requireTLS: mustEncrypt(url),
    dnsTimeout: connect,
    connectionTimeout: connect,
    greetingTimeout: connect,
    socketTimeout: silence,
    ...closed,
  })
}

/** Nodemailer's log, of which one entry counts: the whole text with its final dot is written. */
function logOf(wroteAll: () => void) {
  const entry = ({ tnx }: { tnx?: string } = {}) => tnx === 'message' && wroteAll()
  const ignored = () => {}
  return { trace: ignored, debug: ignored, info: entry, warn: ignored, error: ignored, fatal: ignored }
}

/**
 * Over smtp:// TLS is required, or an attacker in between could hide it and read reset links;
 * except for a server on this machine, or with requireTLS=false in SMTP_URL.
 */
function mustEncrypt(url: string): boolean {
  const { protocol, hostname, searchParams } = new URL(url)
  if (protocol !== 'smtp:') return false
  const requirement = searchParams.get('requireTLS')
  return requirement === null ? !loopback.test(hostname) : requirement !== 'false'
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/** What nodemailer throws. */
export type SmtpError = Error & {
  code?: string
  originalCode?: string
  response?: string
  responseCode?: number
  command?: string
}

/** The server's words without the addresses they quote, in one line. */
export function maskedAnswer(response: string | undefined): string | undefined {
  const words = response?.replace(/\s+/g, ' ').replace(/[^\s<>"'(=,;]+@[^\s<>"'),;]+/g, '…@…')
  return words ? words.slice(0, 200) : undefined
}

/**
 * A 5xx about the recipient or the message is final; about sign-in, sender or server it is the
 * operator's to mend, so the email waits.
 */
function refusal({
  name,
  code = '',
  originalCode,
  response,
  responseCode = 0,
  command = '',
}: SmtpError): DeliveryOutcome {
  if (code === 'ETLS') return { as: 'retry', why: 'smtp without TLS' }
  const forThisMail = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE'
  const forGood = forThisMail && responseCode >= 500 && responseCode !== 503
  const what = code === 'EAUTH' ? 'sign-in refused' : command === 'MAIL FROM' ? 'sender refused' : ''
  const broke = name === 'AbortError' ? 'no answer' : networkFailure(originalCode, code)
  const unknown = /^E[A-Z0-9]+$/.test(code) ? code : 'error'
  const reason = responseCode ? `${what} ${responseCode}`.trim() : what || (broke ?? unknown)
  const answer = maskedAnswer(response)
  return { as: forGood ? 'failed' : 'retry', why: `smtp ${reason}`, ...(answer ? { answer } : {}) }
}

/**
 * Both files appear complete or not at all, the page last. Sending an email again replaces them.
 */
async function intoFolder(folder: string, mail: Letter): Promise<DeliveryOutcome> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...closed })
  try {
    const { message } = await transport.sendMail(messageOf(mail))
    const stem = path.join(folder, stemOf(mail))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeWhole(`${stem}.eml`, message as Buffer)
    await writeWhole(`${stem}.html`, `${recipientComment(mail)}\n${mail.html}`)
    return { as: 'sent' }
  } catch (error) {
    return { as: 'retry', why: `outbox folder ${(error as NodeJS.ErrnoException).code ?? 'error'}` }
  }
}

async function writeWhole(file: string, content: Buffer | string): Promise<void> {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`)
  try {
    await writeFile(draft, content, { mode: 0o600 })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Time and id: `2026-11-21T07-00-00Z-42.abc`. */
function stemOf({ date, messageId }: Email): string {
  const when = date.toISOString().slice(0, 19).replaceAll(':', '-')
  const which = messageId.replace(/^<|@.*$/g, '').replace(/[^\w.-]/g, '_')
  return `${when}Z-${which}`
}

/** A name or an address must not be able to close the HTML comment. */
function recipientComment({ to: { name, address } }: Email): string {
  const safe = `To: ${name}, ${address}`
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('--', '&#45;&#45;')
  return `<!-- ${safe} -->`
}

function messageOf(mail: Letter): SendMailOptions {
  const { to, subject, text, html, messageId, date, replyTo, inReplyTo } = mail
  return {
    from: { name: withoutBreaks(mail.fromName), address: ownAddress(config.email.from) },
    to: { name: withoutBreaks(to.name), address: to.address },
    envelope: { from: ownAddress(config.email.from), to: [to.address] },
    subject: withoutBreaks(subject),
    text,
    html,
    messageId,
    date,
    ...(replyTo ? { replyTo } : {}),
    ...(mail.attached.length > 0 ? { attachments: mail.attached } : {}),
    ...(inReplyTo ? { inReplyTo, references: [inReplyTo] } : {}),
    headers: Object.fromEntries(
      Object.entries(mail.headers).map(([name, value]) => [
        name,
        { prepared: true, value: withoutBreaks(value) },
      ]),
    ),
    ...closed,
  }
}

const withoutBreaks = (text: string) => text.replace(/[\r\n]+/g, ' ')

/** A single mailbox: nothing a server could read as two, or as a command. */
const isAddress = (address: string) => /^[^\s<>,;:"()[\]\\@]+@[^\s<>,;:"()[\]\\@]+$/.test(address)
