import { randomBytes } from 'node:crypto'

/** A part with text, as it stands between the boundaries of an email. */
export function textPart(type: 'text/plain' | 'text/html', text: string): string {
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}\r\n`
}

type Attached = { type?: string; id?: string; how?: 'attachment' | 'inline' }

/** A file, or an email (which RFC 2046 wants as it is, and not in base64). */
export function attached(filename: string, bytes: Buffer, given: Attached = {}): string {
  const { type = 'application/octet-stream', id, how = 'attachment' } = given
  const isEmail = type === 'message/rfc822'
  const content = isEmail ? bytes.toString('latin1') : bytes.toString('base64')
  return [
    `Content-Type: ${type}; name="${filename}"`,
    `Content-Disposition: ${how}; filename="${filename}"`,
    `Content-Transfer-Encoding: ${isEmail ? '8bit' : 'base64'}`,
    ...(id ? [`Content-ID: <${id}>`] : []),
    '',
    content,
    '',
  ].join('\r\n')
}

/** Parts in one, which is an email's body or a part itself. */
export function multipart(kind: 'mixed' | 'related' | 'alternative', ...parts: string[]): string {
  const boundary = randomBytes(12).toString('hex')
  const all = parts.map((part) => `--${boundary}\r\n${part}`).join('')
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${all}--${boundary}--\r\n`
}
