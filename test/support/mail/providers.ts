/** A mail, and what a provider knows of it besides. */
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

/** What is posted. */
export type Posted = { body: NonNullable<RequestInit['body']>; headers: Record<string, string> }

const to = 'reports@house.example'
const own = ({ from, subject, messageId, headers }: Arriving) =>
  [...headers, ['From', from], ['To', to], ['Subject', subject], ['Message-ID', messageId]] as [
    string,
    string,
  ][]
/** Long values go on in the next line, as in mails. */
const lines = (mail: Arriving) =>
  own(mail)
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

/** The mail as it came by SMTP. */
export function raw(mail: Arriving): string {
  const { text, html, attachments = [] } = mail
  const part = (type: string, content: string, more = '') =>
    `--b0undary\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n${more}\r\n${Buffer.from(content).toString('base64')}\r\n`
  const files = attachments.map(
    ({ filename, bytes, type = 'application/octet-stream' }) =>
      `--b0undary\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${filename}"\r\n\r\n${bytes.toString('base64')}\r\n`,
  )
  const kind = files.length > 0 ? 'mixed' : 'alternative'
  return [
    `${lines(mail)}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/${kind}; boundary="b0undary"\r\n\r\n`,
    part('text/plain; charset=utf-8', text),
    ...(html ? [part('text/html; charset=utf-8', html)] : []),
    ...files,
    '--b0undary--\r\n',
  ].join('')
}

const sendGrid = (mail: Arriving) => ({
  headers: `${lines(mail)}\r\n`,
  from: mail.from,
  to,
  subject: mail.subject,
  envelope: JSON.stringify({ to: [to], from: address(mail.from) }),
  sender_ip: '192.0.2.7',
  SPF: 'pass',
  dkim: '{@elsewhere.example : pass}',
  spam_score: '0.1',
})

const mailgun = (mail: Arriving) => ({
  recipient: to,
  sender: address(mail.from),
  from: mail.from,
  subject: mail.subject,
  'body-plain': mail.text,
  'stripped-text': mail.text.split('\n')[0]!,
  'stripped-signature': '',
  ...(mail.html ? { 'body-html': mail.html, 'stripped-html': mail.html } : {}),
  'Message-Id': mail.messageId,
  'message-headers': JSON.stringify(own(mail)),
  timestamp: '1795400000',
  token: 'a'.repeat(50),
  signature: 'b'.repeat(64),
})

/** Each header by its name, those that come several times as a list. */
function byName(mail: Arriving, name: (header: string) => string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [header, value] of own(mail)) {
    const known = headers[name(header)]
    headers[name(header)] = known === undefined ? value : [known, value].flat()
  }
  return headers
}

const mailjet = (mail: Arriving) => {
  const files = mail.attachments ?? []
  const part = (type: string, ContentRef: string, more = {}) => ({
    Headers: { 'Content-Type': type, 'Content-Transfer-Encoding': 'quoted-printable', ...more },
    ContentRef,
  })
  return {
    Sender: address(mail.from),
    Recipient: to,
    Date: '20261116T100000',
    From: mail.from,
    Subject: mail.subject,
    Headers: byName(mail, (header) => header),
    Parts: [
      part('text/plain; charset="UTF-8"', 'Text-part'),
      part('text/html; charset="UTF-8"', 'Html-part'),
      ...files.map(({ filename, type = 'image/jpeg' }, i) =>
        part(type, `Attachment${i + 1}`, {
          'Content-Disposition': `attachment; filename="${filename.replaceAll('"', '\\"')}"`,
        }),
      ),
    ],
    'Text-part': mail.text,
    'Html-part': mail.html ?? '',
    SpamAssassinScore: '0.602',
    CustomID: '',
    Payload: '',
    ...Object.fromEntries(files.map(({ bytes }, i) => [`Attachment${i + 1}`, bytes.toString('base64')])),
  }
}

/** Brevo keeps the files, and gives a token for each. */
const brevo = (mail: Arriving) => ({
  Uuid: ['5a78c9f1-1a1f-4c1e-9d3c-1f0d4e4f0c11'],
  MessageId: mail.messageId,
  InReplyTo: null,
  From: { Name: 'Ada', Address: address(mail.from) },
  To: [{ Name: null, Address: to }],
  ReplyTo: null,
  SentAtDate: 'Mon, 16 Nov 2026 10:00:00 +0000',
  Subject: mail.subject,
  RawHtmlBody: mail.html ?? null,
  RawTextBody: mail.text,
  ExtractedMarkdownMessage: mail.text.split('\n')[0],
  SpamScore: 0.4,
  Headers: byName(mail, (header) => header),
  Attachments: (mail.attachments ?? []).map(({ filename, bytes, type = 'image/jpeg' }) => ({
    Name: filename,
    ContentType: type,
    ContentLength: bytes.length,
    ContentID: '',
    DownloadToken: 'x'.repeat(200),
  })),
})

/** A post of Brevo with these emails, and one of Mandrill. */
export const brevoPost = (mails: readonly Arriving[]): Posted => asJson({ items: mails.map(brevo) })
export const mandrillPost = (mails: readonly Arriving[]): Posted =>
  asFields({
    mandrill_events: JSON.stringify(
      mails.map((mail) => ({
        event: 'inbound',
        ts: 1795400000,
        msg: {
          raw_msg: raw(mail),
          headers: byName(mail, (header) => header),
          text: mail.text,
          html: mail.html,
          from_email: address(mail.from),
          from_name: 'Ada',
          to: [[to, null]],
          email: to,
          subject: mail.subject,
          spam_report: { score: 0.2, matched_rules: [] },
          attachments: Object.fromEntries(
            (mail.attachments ?? []).map(({ filename, bytes, type = 'image/jpeg' }) => [
              filename,
              { name: filename, type, content: bytes.toString('base64'), base64: true },
            ]),
          ),
        },
      })),
    ),
  })

/** What each provider posts for a mail, by its name and setting in docs/operate/email.md. */
export const providers: Record<string, (mail: Arriving) => Posted> = {
  'the contract': (mail) =>
    asJson({
      from: mail.from,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: mail.messageId,
      headers: own(mail).map(([name, value]) => ({ name, value })),
      attachments: (mail.attachments ?? []).map(({ filename, bytes, type = 'image/jpeg' }) => ({
        filename,
        contentType: type,
        contentBase64: bytes.toString('base64'),
      })),
    }),
  'the contract, with headers as one text': (mail) =>
    asJson({
      from: mail.from,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: lines(mail),
      attachments: (mail.attachments ?? []).map(({ filename, bytes }) => ({
        filename,
        contentBase64: bytes.toString('base64'),
      })),
    }),
  'SendGrid Inbound Parse': (mail) =>
    asForm(
      {
        ...sendGrid(mail),
        text: mail.text,
        ...(mail.html ? { html: mail.html } : {}),
        charsets: JSON.stringify({
          to: 'UTF-8',
          from: 'UTF-8',
          subject: 'UTF-8',
          text: 'utf-8',
          html: 'utf-8',
        }),
        attachments: String(mail.attachments?.length ?? 0),
        'attachment-info': '{}',
      },
      filesOf(mail, (i) => `attachment${i}`),
    ),
  'SendGrid Inbound Parse, raw': (mail) => asForm({ ...sendGrid(mail), email: raw(mail) }, []),
  'Mailgun Routes': (mail) =>
    mail.attachments
      ? asForm(
          { ...mailgun(mail), 'attachment-count': String(mail.attachments.length) },
          filesOf(mail, (i) => `attachment-${i}`),
        )
      : asFields(mailgun(mail)),
  'Mailgun Routes, raw': (mail) =>
    asFields({
      recipient: to,
      sender: address(mail.from),
      from: mail.from,
      subject: mail.subject,
      'body-mime': raw(mail),
      timestamp: '1795400000',
      token: 'a'.repeat(50),
      signature: 'b'.repeat(64),
    }),
  Postmark: (mail) =>
    asJson({
      FromName: 'Ada',
      MessageStream: 'inbound',
      From: address(mail.from),
      To: to,
      Cc: '',
      ReplyTo: '',
      FromFull: { Email: address(mail.from), Name: 'Ada', MailboxHash: '' },
      ToFull: [{ Email: to, Name: '', MailboxHash: '' }],
      Subject: mail.subject,
      MessageID: '73e6d360-66eb-11e1-8e72-a8904824019b',
      Date: 'Mon, 16 Nov 2026 10:00:00 +0000',
      TextBody: mail.text,
      HtmlBody: mail.html ?? '',
      StrippedTextReply: '',
      Tag: '',
      MailboxHash: '',
      Headers: own(mail)
        .filter(([name]) => !['From', 'To', 'Subject'].includes(name))
        .map(([Name, Value]) => ({ Name, Value })),
      Attachments: (mail.attachments ?? []).map(({ filename, bytes, type = 'image/jpeg' }) => ({
        Name: filename,
        Content: bytes.toString('base64'),
        ContentType: type,
        ContentLength: bytes.length,
      })),
    }),
  'CloudMailin, JSON (normalized)': (mail) => {
    const headers = byName(mail, (header) => header.toLowerCase().replaceAll('-', '_'))
    return asJson({
      envelope: {
        to,
        from: address(mail.from),
        recipients: [to],
        helo_domain: 'mx.elsewhere.example',
        spf: {},
      },
      headers,
      plain: mail.text,
      html: mail.html ?? '',
      reply_plain: null,
      attachments: (mail.attachments ?? []).map(({ filename, bytes, type = 'image/jpeg' }) => ({
        file_name: filename,
        content_type: type,
        content: bytes.toString('base64'),
        disposition: 'attachment',
      })),
    })
  },
  'Mailjet Parse API': (mail) => asJson(mailjet(mail)),
  'a whole email': (mail) => ({ body: raw(mail), headers: { 'content-type': 'message/rfc822' } }),
}
