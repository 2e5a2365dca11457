import { Readable } from 'node:stream'
import type { Attempt, DeliveryOutcome } from '../../vocabulary/email/delivery.js'
import { networkFailure } from '../net/networkFailure.js'
import { type EmailWithAttachments, messageOf, noFileOrUrlAccess } from './message.js'

/**
 * Milliseconds to connect, up to the greeting; from the start to the end of the text; and from
 * there to the server's answer.
 */
export type Patience = { connect: number; text: number; answer: number }

/**
 * Decision 9.8. `text`: the 5 minutes of a recipient (RFC 5321 §4.5.3.2.3), and one for the rest.
 * `answer`: §4.5.3.2.6. Whoever ends it earlier and sends again sends the same email twice.
 */
export const smtpPatience: Patience = { connect: 30_000, text: 360_000, answer: 600_000 }

/**
 * The server takes an email when it has read the end of its text, whether or not its answer reaches
 * us. So the outbox is told before the end is written; without an answer after it, the email counts
 * as sent. Before the end, nothing has been taken.
 */
export async function sendBySmtp(
  url: string,
  email: EmailWithAttachments,
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
    message.processFunc((text) => Readable.from(thenBeforeEnd(text, beforeEnd), { objectMode: false }))
    done()
  })
  try {
    await transport.sendMail({ ...messageOf(email), signal: ending.signal })
    return { as: 'sent' }
  } catch (error) {
    if (isUnconfirmed(error, isHandedOver)) return { as: 'unconfirmed', why: 'smtp not confirmed' }
    if (isWithheld || (stop?.aborted && !isAnswered(error))) return { as: 'unsent' }
    return outcomeOfSmtpError(error as SmtpError)
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', end)
    transport.close()
  }
}

/**
 * Yields the text, then waits for `beforeEnd` before the stream ends; its error ends the stream
 * without an end of the text.
 */
async function* thenBeforeEnd(text: Readable, beforeEnd: () => Promise<void>): AsyncGenerator<Buffer> {
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
    ...noFileOrUrlAccess,
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

const isAnswered = (error: unknown) => Boolean((error as SmtpError).responseCode)

/** Whether the server has the whole email and never answered: it may have taken it. */
export const isUnconfirmed = (error: unknown, isHandedOver: boolean) => isHandedOver && !isAnswered(error)

/** The server's words without the addresses they quote, in one line. */
export function maskedAnswer(response: string | undefined): string | undefined {
  const words = response?.replace(/\s+/g, ' ').replace(/[^\s<>"'(=,;]+@[^\s<>"'),;]+/g, '…@…')
  return words ? words.slice(0, 200) : undefined
}

/**
 * A 5xx about the recipient or the message is final; about sign-in, sender or server it is the
 * operator's to mend, so the email waits.
 */
function outcomeOfSmtpError(error: SmtpError): DeliveryOutcome {
  const { code = '', command = '', response, responseCode } = error
  if (code === 'ETLS') return { as: 'retry', why: 'smtp without TLS' }
  const refusedStep = refusedStepOf(error)
  const masked = maskedAnswer(response)
  const answer = masked ? { answer: masked } : {}
  if (!responseCode) return { as: 'retry', why: `smtp ${refusedStep ?? whyNoReply(error)}`, ...answer }
  const isAboutThisEmail = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE'
  const isFinal = isAboutThisEmail && responseCode >= 500 && responseCode !== 503
  const reason = refusedStep ? `${refusedStep} ${responseCode}` : responseCode
  return { as: isFinal ? 'failed' : 'retry', why: `smtp ${reason}`, ...answer }
}

/** What the server refused before it looked at the email. */
function refusedStepOf({ code, command }: SmtpError): string | null {
  if (code === 'EAUTH') return 'sign-in refused'
  return command === 'MAIL FROM' ? 'sender refused' : null
}

/** Why there is no code of the server: what broke on the way, as far as that is known. */
function whyNoReply({ name, code = '', originalCode }: SmtpError): string {
  if (name === 'AbortError') return 'no answer'
  const unknown = /^E[A-Z0-9]+$/.test(code) ? code : 'error'
  return networkFailure(originalCode, code) ?? unknown
}
