import { Readable } from 'node:stream'
import type { Attempt, DeliveryOutcome } from '../../vocabulary/email/delivery.js'
import { type EmailWithAttachments, messageOf, noFileOrUrlAccess } from './message.js'
import { isAnswered, isUnconfirmed, outcomeOfSmtpError, type SmtpError } from './smtpOutcome.js'

/**
 * Milliseconds to connect, up to the greeting; from the start to the end of the text; and from
 * there to the server's answer.
 */
export type Patience = { connect: number; text: number; answer: number }

/**
 * Ending sooner and sending again would deliver the email twice (decision 9.8). `text` is the 5
 * minutes that RFC 5321 (§4.5.3.2.3) gives a server for a recipient, and one more for the rest;
 * `answer` is its 10 minutes for the reply to the end of the text (§4.5.3.2.6).
 */
export const smtpPatience: Patience = { connect: 30_000, text: 360_000, answer: 600_000 }

/**
 * How far an email has come. `withheld`: its text is written and its end never will be, so the
 * server has not taken it. `written`: its end is written, too, and the server may have taken it.
 */
type Progress = 'sending' | 'withheld' | 'written'

/**
 * Hands one email over within its time limits. `signal` ends the sending; `stopped` says whether
 * the process did that. `beforeEnd` comes between the text and its end, and throws when the end
 * must not be written; `wroteAll` comes after the end.
 */
class Transfer {
  progress: Progress = 'sending'
  readonly #ending = new AbortController()
  readonly #end = () => this.#ending.abort()
  readonly #stop: AbortSignal | undefined
  readonly #noteHandOver: NonNullable<Attempt['noteHandOver']>
  readonly #patience: Patience
  #timer: NodeJS.Timeout

  constructor({ stop, noteHandOver = async () => true }: Attempt, patience: Patience) {
    this.#stop = stop
    this.#noteHandOver = noteHandOver
    this.#patience = patience
    this.#timer = setTimeout(this.#end, patience.text)
    stop?.addEventListener('abort', this.#end)
    if (stop?.aborted) this.#end()
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  get isStopped(): boolean {
    return this.#stop?.aborted ?? false
  }

  async beforeEnd(): Promise<void> {
    const seconds = this.#patience.answer / 1_000
    const mayEnd = await this.#noteHandOver(seconds).catch(() => false)
    if (!mayEnd || this.signal.aborted) {
      this.progress = 'withheld'
      throw new Error('not to be handed over')
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#end, this.#patience.answer)
  }

  wroteAll(): void {
    this.progress = 'written'
  }

  /** Lets go of timer and listener. */
  close(): void {
    clearTimeout(this.#timer)
    this.#stop?.removeEventListener('abort', this.#end)
  }
}

/**
 * The server takes an email when it has read the end of its text, whether or not its answer reaches
 * us. So the outbox notes the hand-over before the end is written; without an answer after it, the
 * email counts as sent. Before the end, nothing has been taken.
 */
export async function sendBySmtp(
  url: string,
  email: EmailWithAttachments,
  attempt: Attempt,
  patience: Patience,
): Promise<DeliveryOutcome> {
  const transfer = new Transfer(attempt, patience)
  // The deadlines above are shorter than this silence, and the server may use all of them.
  const silence = patience.text + patience.answer
  const limits = { connect: patience.connect, silence }
  const transport = await smtpTransport(url, limits, () => transfer.wroteAll())
  // Read only once the server has asked for the text.
  transport.use('stream', ({ message }, done) => {
    message.processFunc((text) => {
      const withPause = thenBeforeEnd(text, () => transfer.beforeEnd())
      return Readable.from(withPause, { objectMode: false })
    })
    done()
  })
  try {
    await transport.sendMail({ ...messageOf(email), signal: transfer.signal })
    return { as: 'sent' }
  } catch (error) {
    if (isUnconfirmed(error, transfer.progress === 'written'))
      return { as: 'unconfirmed', why: 'smtp not confirmed' }
    if (transfer.progress === 'withheld') return { as: 'unsent' }
    if (transfer.isStopped && !isAnswered(error)) return { as: 'unsent' }
    return outcomeOfSmtpError(error as SmtpError)
  } finally {
    transfer.close()
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
