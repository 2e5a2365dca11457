import { filled } from '../../run/ticking.js'

/** Ways to damage an email. `bytes`: one character for each byte, with CRLF. */
export const damages: Record<string, (bytes: string) => string> = {
  'NUL everywhere': (bytes) => bytes.replace(/.{40}/g, '$&\0'),
  'a NUL in each header': (bytes) => bytes.replace(/^([A-Z][\w-]+:)/gm, '$1\0'),
  'a wrong boundary': (bytes) => {
    const plain = /^multipart/im.test(typeOf(bytes)) ? bytes : inMultipart(bytes, 'right')
    return plain.replace(/boundary="?[^";\r\n]+"?/i, 'boundary="wrong"')
  },
  'a boundary without end': (bytes) => bytes.replace(/--\r\n$/, ''),
  'doubled headers': (bytes) => bytes.slice(0, bytes.indexOf('\r\n\r\n') + 2) + bytes,
  'no headers': (bytes) => bytes.slice(bytes.indexOf('\r\n\r\n') + 4),
  'no blank line': (bytes) => bytes.replace('\r\n\r\n', '\r\n'),
  'bare line feeds': (bytes) => bytes.replaceAll('\r\n', '\n'),
  'bare carriage returns': (bytes) => bytes.replaceAll('\r\n', '\r'),
  'all bits set': (bytes) => bytes.replace(/[a-y]/g, '\xff'),
}

/** The same where each is too large or too deep for a usual run of every sample. */
export const heavyDamages: Record<string, (bytes: string) => string> = {
  '10,000 parts': (bytes) => inMultipart(bytes, 'many', filled(`--many\r\n\r\nx\r\n`, 140_000)),
  '5 MB of one line': (bytes) => `${bytes.replace(/\r\n$/, '')} ${filled('x', 5_000_000)}\r\n`,
  '5 MB of one word in the subject': (bytes) =>
    bytes.replace(/^Subject:/m, `Subject: ${filled('word ', 5_000_000)}`),
  '5 MB of quote signs': (bytes) => `${bytes}\r\n${filled('> ', 5_000_000)}\r\n`,
  'fifty levels': (bytes) => {
    let inner = bytes
    for (let level = 0; level < 50; level++) inner = inMultipart(inner, `level${level}`)
    return inner
  },
  'fifty attached emails': (bytes) => {
    let inner = bytes
    for (let level = 0; level < 50; level++)
      inner = `${topOf(bytes)}Content-Type: message/rfc822\r\n\r\n${inner}`
    return inner
  },
}

const typeOf = (bytes: string) => /^Content-Type:\s*(.*)$/im.exec(bytes)?.[1] ?? ''

/** From, Subject and the like, without what says how the body is built. */
function topOf(bytes: string): string {
  const headers = bytes.slice(0, bytes.indexOf('\r\n\r\n') + 2).replace(/\r\n[ \t]+/g, ' ')
  return headers.replace(/^(Content-[\w-]+|MIME-Version):.*\r\n/gim, '')
}

/** The email as a part of another of the same headers. */
function inMultipart(bytes: string, boundary: string, more = ''): string {
  const own = /^Content-[\w-]+:.*(\r\n[ \t].*)*\r\n/gim
  const headers = bytes.slice(0, bytes.indexOf('\r\n\r\n') + 2)
  const part = `${(headers.match(own) ?? []).join('')}\r\n${bytes.slice(bytes.indexOf('\r\n\r\n') + 4)}`
  return (
    `${topOf(bytes)}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n` +
    `--${boundary}\r\n${part}\r\n${more}--${boundary}--\r\n`
  )
}
