import PostalMime from 'postal-mime'

/** Fields in which providers send a whole mail, as it was received. */
const fields = ['email', 'body-mime']

/** A whole mail (RFC 5322) in the shape of the contract (spec §2). Throws when its parts are nested too deeply. */
export async function mailFields(raw: Uint8Array | string): Promise<Record<string, unknown>> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'base64', maxNestingDepth: 50 })
  const headers = mail.headers.map(({ key, value }) => ({ name: key, value }))
  return {
    from: headers.find(({ name }) => name === 'from')?.value,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    messageId: mail.messageId ?? null,
    headers,
    attachments: mail.attachments.map(({ filename, content }) => ({
      filename: filename ?? '',
      contentBase64: content,
    })),
  }
}

/** A form's whole mail in that shape, or the form itself where it has none. */
export async function wholeMailIn(form: Record<string, unknown>): Promise<Record<string, unknown>> {
  const raw = fields.map((name) => form[name]).find((each) => typeof each === 'string' && each !== '')
  return raw === undefined ? form : mailFields(raw as string)
}
