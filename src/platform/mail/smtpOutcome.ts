import type { DeliveryOutcome } from '../../vocabulary/email/delivery.js'
import { networkFailure } from '../net/networkFailure.js'

/** What nodemailer throws. */
export type SmtpError = Error & {
  code?: string
  originalCode?: string
  response?: string
  responseCode?: number
  command?: string
}

/** Whether the server has answered, if only by a refusal. */
export const isAnswered = (error: unknown) => Boolean((error as SmtpError).responseCode)

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
export function outcomeOfSmtpError(error: SmtpError): DeliveryOutcome {
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
