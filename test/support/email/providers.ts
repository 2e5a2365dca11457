/** An email, and what a provider knows of it besides. */
export type Arriving = {
  from: string
  subject: string
  text: string
  html?: string
  messageId: string
  /** Besides From, Subject and Message-ID, topmost first. */
  headers: readonly (readonly [name: string, value: string])[]
  attachments?: readonly { filename: string; bytes: Buffer; type?: string }[]
}

let emails = 0

/** An email that no one has sent before, but for what is given. */
export function arrivingEmail(given: Partial<Arriving> = {}): Arriving {
  emails += 1
  return {
    from: 'Ada Novák <ada@elsewhere.example>',
    subject: `Lift hums — ${emails}`,
    text: `It hums at night, señora.\nLoudly: ${emails}`,
    messageId: `<mail-${emails}@elsewhere.example>`,
    headers: [],
    ...given,
  }
}

/** What is posted. */
export type Posted = { body: NonNullable<RequestInit['body']>; headers: Record<string, string> }

const to = 'reports@house.example'
const own = ({ from, subject, messageId, headers }: Arriving) =>
  [...headers, ['From', from], ['To', to], ['Subject', subject], ['Message-ID', messageId]] as [
    string,
    string,
  ][]
/** Long values go on in the next line, as in emails. */
const lines = (email: Arriving) =>
  own(email)
    .map(([name, value]) => `${name}: ${value.replaceAll('; ', ';\r\n\t')}`)
    .join('\r\n')
const address = (from: string) => /<([^>]*)>/.exec(from)?.[1] ?? from

const asJson = (value: object, type = 'application/json; charset=utf-8'): Posted => ({
  body: JSON.stringify(value),
  headers: { 'content-type': type },
})
const filesOf = ({ attachments = [] }: Arriving, name: (i: number) => string) =>
  attachments.map(({ filename, bytes, type }, i) => ({ bytes, name: name(i + 1), filename, type }))
function asForm(fields: Record<string, string>, files: ReturnType<typeof filesOf>): Posted {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const { name, filename, bytes, type = 'image/jpeg' } of files)
    body.append(name, new File([new Uint8Array(bytes)], filename, { type }))
  return { body, headers: {} }
}
const asFields = (fields: Record<string, string>): Posted => ({
  body: new URLSearchParams(fields),
  headers: {},
})

/** The email as it came by SMTP. */
export function raw(email: Arriving): string {
  const { text, html, attachments = [] } = email
  const part = (type: string, content: string, more = '') =>
    `--b0undary\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n${more}\r\n${Buffer.from(content).toString('base64')}\r\n`
  const files = attachments.map(
    ({ filename, bytes, type = 'application/octet-stream' }) =>
      `--b0undary\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${filename}"\r\n\r\n${bytes.toString('base64')}\r\n`,
  )
  const kind = files.length > 0 ? 'mixed' : 'alternative'
  return [
    `${lines(email)}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/${kind}; boundary="b0undary"\r\n\r\n`,
    part('text/plain; charset=utf-8', text),
    ...(html ? [part('text/html; charset=utf-8', html)] : []),
    ...files,
    '--b0undary--\r\n',
  ].join('')
}

const sendGrid = (email: Arriving) => ({
  headers: `${lines(email)}\r\n`,
  from: email.from,
  to,
  subject: email.subject,
  envelope: JSON.stringify({ to: [to], from: address(email.from) }),
  sender_ip: '192.0.2.7',
  SPF: 'pass',
  dkim: '{@elsewhere.example : pass}',
  spam_score: '0.1',
})

const mailgun = (email: Arriving) => ({
  recipient: to,
  sender: address(email.from),
  from: email.from,
  subject: email.subject,
  'body-plain': email.text,
  'stripped-text': email.text.split('\n')[0]!,
  'stripped-signature': '',
  ...(email.html ? { 'body-html': email.html, 'stripped-html': email.html } : {}),
  'Message-Id': email.messageId,
  'message-headers': JSON.stringify(own(email)),
  timestamp: '1795400000',
  token: 'a'.repeat(50),
  signature: 'b'.repeat(64),
})

/** Each header by its name, those that come several times as a list. */
function byName(email: Arriving, name: (header: string) => string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [header, value] of own(email)) {
    const known = headers[name(header)]
    headers[name(header)] = known === undefined ? value : [known, value].flat()
  }
  return headers
}

const mailjet = (email: Arriving) => {
  const files = email.attachments ?? []
  const part = (type: string, ContentRef: string, more = {}) => ({
    Headers: { 'Content-Type': type, 'Content-Transfer-Encoding': 'quoted-printable', ...more },
    ContentRef,
  })
  return {
    Sender: address(email.from),
    Recipient: to,
    Date: '20261116T100000',
    From: email.from,
    Subject: email.subject,
    Headers: byName(email, (header) => header),
    Parts: [
      part('text/plain; charset="UTF-8"', 'Text-part'),
      part('text/html; charset="UTF-8"', 'Html-part'),
      ...files.map(({ filename, type = 'image/jpeg' }, i) =>
        part(type, `Attachment${i + 1}`, {
          'Content-Disposition': `attachment; filename="${filename.replaceAll('"', '\\"')}"`,
        }),
      ),
    ],
    'Text-part': email.text,
    'Html-part': email.html ?? '',
    SpamAssassinScore: '0.602',
    CustomID: '',
    Payload: '',
    ...Object.fromEntries(files.map(({ bytes }, i) => [`Attachment${i + 1}`, bytes.toString('base64')])),
  }
}

/** Brevo keeps the files, and gives a token for each. */
const brevo = (email: Arriving) => ({
  Uuid: ['5a78c9f1-1a1f-4c1e-9d3c-1f0d4e4f0c11'],
  MessageId: email.messageId,
  InReplyTo: null,
  From: { Name: 'Ada', Address: address(email.from) },
  To: [{ Name: null, Address: to }],
  ReplyTo: null,
  SentAtDate: 'Mon, 16 Nov 2026 10:00:00 +0000',
  Subject: email.subject,
  RawHtmlBody: email.html ?? null,
  RawTextBody: email.text,
  ExtractedMarkdownMessage: email.text.split('\n')[0],
  SpamScore: 0.4,
  Headers: byName(email, (header) => header),
  Attachments: (email.attachments ?? []).map(({ filename, bytes, type = 'image/jpeg' }) => ({
    Name: filename,
    ContentType: type,
    ContentLength: bytes.length,
    ContentID: '',
    DownloadToken: 'x'.repeat(200),
  })),
})

/** A post of Brevo with these emails, and one of Mandrill. */
export const brevoPost = (emails: readonly Arriving[]): Posted => asJson({ items: emails.map(brevo) })
export const mandrillPost = (emails: readonly Arriving[]): Posted =>
  asFields({
    mandrill_events: JSON.stringify(
      emails.map((email) => ({
        event: 'inbound',
        ts: 1795400000,
        msg: {
          raw_msg: raw(email),
          headers: byName(email, (header) => header),
          text: email.text,
          html: email.html,
          from_email: address(email.from),
          from_name: 'Ada',
          to: [[to, null]],
          email: to,
          subject: email.subject,
          spam_report: { score: 0.2, matched_rules: [] },
          attachments: Object.fromEntries(
            (email.attachments ?? []).map(({ filename, bytes, type = 'image/jpeg' }) => [
              filename,
              { name: filename, type, content: bytes.toString('base64'), base64: true },
            ]),
          ),
        },
      })),
    ),
  })

/** What each provider posts for an email, by its name and setting in docs/operate/email.md. */
export const providers: Record<string, (email: Arriving) => Posted> = {
  'the contract': (email) =>
    asJson({
      from: email.from,
      subject: email.subject,
      text: email.text,
      html: email.html,
      messageId: email.messageId,
      headers: own(email).map(([name, value]) => ({ name, value })),
      attachments: (email.attachments ?? []).map(({ filename, bytes, type = 'image/jpeg' }) => ({
        filename,
        contentType: type,
        contentBase64: bytes.toString('base64'),
      })),
    }),
  'the contract, with headers as one text': (email) =>
    asJson({
      from: email.from,
      subject: email.subject,
      text: email.text,
      html: email.html,
      headers: lines(email),
      attachments: (email.attachments ?? []).map(({ filename, bytes }) => ({
        filename,
        contentBase64: bytes.toString('base64'),
      })),
    }),
  'SendGrid Inbound Parse': (email) =>
    asForm(
      {
        ...sendGrid(email),
        text: email.text,
        ...(email.html ? { html: email.html } : {}),
        charsets: JSON.stringify({
          to: 'UTF-8',
          from: 'UTF-8',
          subject: 'UTF-8',
          text: 'utf-8',
          html: 'utf-8',
        }),
        attachments: String(email.attachments?.length ?? 0),
        'attachment-info': '{}',
      },
      filesOf(email, (i) => `attachment${i}`),
    ),
  'SendGrid Inbound Parse, raw': (email) => asForm({ ...sendGrid(email), email: raw(email) }, []),
  'Mailgun Routes': (email) =>
    email.attachments
      ? asForm(
          { ...mailgun(email), 'attachment-count': String(email.attachments.length) },
          filesOf(email, (i) => `attachment-${i}`),
        )
      : asFields(mailgun(email)),
  'Mailgun Routes, raw': (email) =>
    asFields({
      recipient: to,
      sender: address(email.from),
      from: email.from,
      subject: email.subject,
      'body-mime': raw(email),
      timestamp: '1795400000',
      token: 'a'.repeat(50),
      signature: 'b'.repeat(64),
    }),
  Postmark: (email) =>
    asJson({
      FromName: 'Ada',
      MessageStream: 'inbound',
      From: address(email.from),
      To: to,
      Cc: '',
      ReplyTo: '',
      FromFull: { Email: address(email.from), Name: 'Ada', MailboxHash: '' },
      ToFull: [{ Email: to, Name: '', MailboxHash: '' }],
      Subject: email.subject,
      MessageID: '73e6d360-66eb-11e1-8e72-a8904824019b',
      Date: 'Mon, 16 Nov 2026 10:00:00 +0000',
      TextBody: email.text,
      HtmlBody: email.html ?? '',
      StrippedTextReply: '',
      Tag: '',
      MailboxHash: '',
      Headers: own(email)
        .filter(([name]) => !['From', 'To', 'Subject'].includes(name))
        .map(([Name, Value]) => ({ Name, Value })),
      Attachments: (email.attachments ?? []).map(({ filename, bytes, type = 'image/jpeg' }) => ({
        Name: filename,
        Content: bytes.toString('base64'),
        ContentType: type,
        ContentLength: bytes.length,
      })),
    }),
  'CloudMailin, JSON (normalized)': (email) => {
    const headers = byName(email, (header) => header.toLowerCase().replaceAll('-', '_'))
    return asJson({
      envelope: {
        to,
        from: address(email.from),
        recipients: [to],
        helo_domain: 'mx.elsewhere.example',
        spf: {},
      },
      headers,
      plain: email.text,
      html: email.html ?? '',
      reply_plain: null,
      attachments: (email.attachments ?? []).map(({ filename, bytes, type = 'image/jpeg' }) => ({
        file_name: filename,
        content_type: type,
        content: bytes.toString('base64'),
        disposition: 'attachment',
      })),
    })
  },
  'Mailjet Parse API': (email) => asJson(mailjet(email)),
  'a whole email': (email) => ({ body: raw(email), headers: { 'content-type': 'message/rfc822' } }),
}
