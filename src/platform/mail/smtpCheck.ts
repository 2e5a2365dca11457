import { asSentence, certificateCure } from '../process/certificate.js'
import { smtpTransport } from './smtp.js'
import { isUnconfirmed, type SmtpError } from './smtpOutcome.js'

/** Milliseconds until an email server that says nothing counts as away. */
const patience = { connect: 8_000, silence: 8_000 }

/**
 * For an email someone sends by hand and waits for. A server may take longer to confirm it, so
 * after its end no answer does not mean that it was not taken.
 */
const patienceWithTest = { connect: 30_000, silence: 60_000 }

/** What to do, in whole sentences, by nodemailer's code. */
const cures: Record<string, string> = {
  EAUTH: 'The mail server refuses the user or the password. Correct them in SMTP_URL.',
  ETLS: 'The mail server offers no encryption. Use smtps://, or ?requireTLS=false in a network you trust.',
  EDNS: 'The host name of the mail server is unknown. Correct it in SMTP_URL.',
  ECONNECTION:
    'Nothing answers there. Are host and port in SMTP_URL right, and does a firewall let us through?',
  ETIMEDOUT:
    'The mail server does not answer. Are host and port in SMTP_URL right? smtps:// is for port 465, smtp:// for 587.',
  ESOCKET: 'The connection to the mail server broke. smtps:// is for port 465, smtp:// for 587.',
}

/** Connects, signs in and sends nothing. Returns what is wrong, in words; null when all is well. */
export async function smtpServerProblem(url: string): Promise<string | null> {
  const transport = await smtpTransport(url, patience)
  try {
    await transport.verify()
    return null
  } catch (error) {
    return explain(error as SmtpError)
  } finally {
    transport.close()
  }
}

/** Sends one email past the outbox. Returns the server's answer. Throws Error in words. */
export async function sendTestEmail(
  url: string,
  { from, to }: { from: string; to: string },
): Promise<{ answer: string }> {
  let isHandedOver = false
  const transport = await smtpTransport(url, patienceWithTest, () => {
    isHandedOver = true
  })
  try {
    const { response } = await transport.sendMail({
      from,
      to,
      subject: 'Test email from Caretaker',
      text: 'If you can read this, Caretaker can send email with these settings.\n',
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return { answer: response }
  } catch (error) {
    throw new Error(isUnconfirmed(error, isHandedOver) ? notConfirmed : explain(error as SmtpError))
  } finally {
    transport.close()
  }
}

const notConfirmed =
  'The mail server took the email and never confirmed it. It may arrive: look before you send another.'

function explain(error: SmtpError): string {
  const words = error.response ? `It said: ${error.response}` : error.message
  return `${adviceOn(error)} ${words}`
}

/** What to do, in whole sentences. */
function adviceOn({ code = '', originalCode = '', message, command }: SmtpError): string {
  if (command === 'MAIL FROM') return 'The mail server refuses the sender. Correct MAIL_FROM.'
  const ofCertificate = certificateCure(originalCode)
  if (ofCertificate) return asSentence(ofCertificate)
  const isNothingThere = /ECONNREFUSED/.test(message)
  return cures[isNothingThere ? 'ECONNECTION' : code] ?? 'The mail server did not take it.'
}
