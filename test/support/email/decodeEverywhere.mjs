/**
 * Decodes the corpus of character sets in every place that makes text of bytes, and prints what
 * came out wrong, as JSON. A plain script over dist, so that it runs on each Node.js that
 * package.json allows, without the test runner: `node test/support/email/decodeEverywhere.mjs`.
 */
import { readFileSync } from 'node:fs'

const dist = (file) => import(new URL(`../../../dist/src/${file}`, import.meta.url).href)
const { decodeBytes } = await dist('vocabulary/characterSets.js')
const { headerText } = await dist('inbound/parse/headers.js')
const { readSender } = await dist('inbound/parse/sender.js')
const { postedFields } = await dist('inbound/parse/formPost.js')
const { parseWholeEmail } = await dist('inbound/parse/wholeEmail.js')
const { decodedText } = await dist('platform/http/request/sheetText.js')

const corpus = JSON.parse(readFileSync(new URL('corpus/characterSets.json', import.meta.url), 'utf8'))

const hexOf = (bytes, sign) => [...bytes].map((byte) => sign + byte.toString(16).padStart(2, '0')).join('')
const word = ({ label, bytes }, encoding) =>
  `=?${label}?${encoding}?${encoding === 'B' ? bytes.toString('base64') : hexOf(bytes, '=')}?=`
const mime = (type, encoding, content, more = '') =>
  Buffer.concat([
    Buffer.from(`From: a@x.example\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n`),
    Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n${more}\r\n`),
    Buffer.from(content),
  ])
const typed = (type, { label }) => (label === null ? type : `${type}; charset="${label}"`)
const file = (disposition) =>
  parseWholeEmail(
    mime('application/octet-stream', 'base64', 'AAAA', `Content-Disposition: attachment; ${disposition}\r\n`),
  ).then(({ attachments }) => attachments[0].filename)
const form = (...parts) =>
  postedFields(
    Buffer.concat([...parts.flatMap((part) => [Buffer.from('--b\r\n'), ...part]), Buffer.from('--b--\r\n')]),
    'multipart/form-data; boundary=b',
  ).fields
const field = (name, bytes, more = '') => [
  Buffer.from(`Content-Disposition: form-data; name="${name}"\r\n${more}\r\n`),
  bytes,
  Buffer.from('\r\n'),
]

/** Places that know a label; a place returns undefined for what cannot stand there. */
const places = {
  'the decoder': ({ bytes, label }) => decodeBytes(bytes, label),
  'a body in base64': async (row) =>
    (await parseWholeEmail(mime(typed('text/plain', row), 'base64', row.bytes.toString('base64')))).text,
  'a quoted-printable body': async (row) =>
    (await parseWholeEmail(mime(typed('text/plain', row), 'quoted-printable', `${hexOf(row.bytes, '=')}=`)))
      .text,
  'an HTML body': async (row) =>
    (await parseWholeEmail(mime(typed('text/html', row), 'base64', row.bytes.toString('base64')))).html,
  'a forwarded email': async (row) =>
    (
      await parseWholeEmail(
        mime(
          'message/rfc822',
          '7bit',
          mime(typed('text/plain', row), 'base64', row.bytes.toString('base64')),
        ),
      )
    ).text.split('\n\n')[1],
  'a subject in base64': (row) => (row.label ? headerText(word(row, 'B')) : undefined),
  'a quoted-printable subject': (row) => (row.label ? headerText(word(row, 'Q')) : undefined),
  'the name of a sender': (row) =>
    row.label ? readSender(`${word(row, 'B')} <a@x.example>`, null).name : undefined,
  'a file name in a long parameter': (row) => file(`filename*=${row.label ?? ''}''${hexOf(row.bytes, '%')}`),
  'a file name in pieces': (row) => {
    const half = Math.ceil(row.bytes.length / 2)
    const [first, second] = [row.bytes.subarray(0, half), row.bytes.subarray(half)]
    return file(`filename*0*=${row.label ?? ''}''${hexOf(first, '%')};\r\n filename*1*=${hexOf(second, '%')}`)
  },
  'a file name in an encoded word': (row) => (row.label ? file(`filename="${word(row, 'B')}"`) : undefined),
  'a field of a form, labelled in `charsets`': (row) =>
    row.label === null
      ? undefined
      : form(field('charsets', Buffer.from(JSON.stringify({ text: row.label }))), field('text', row.bytes))
          .text,
  'a field of a form, labelled itself': (row) =>
    form(field('text', row.bytes, row.label === null ? '' : `Content-Type: ${typed('text/plain', row)}\r\n`))
      .text,
  'a field of a simple form': (row) =>
    row.label === null
      ? undefined
      : postedFields(
          Buffer.from(
            `text=${hexOf(row.bytes, '%')}&charsets=${encodeURIComponent(JSON.stringify({ text: row.label }))}`,
          ),
          'application/x-www-form-urlencoded',
        ).fields.text,
  'a whole email in a field of a form': async (row) => {
    const { bytesOf } = postedFields(
      Buffer.concat([
        Buffer.from('--b\r\n'),
        ...field('email', mime(typed('text/plain', row), 'base64', row.bytes.toString('base64'))),
        Buffer.from('--b--\r\n'),
      ]),
      'multipart/form-data; boundary=b',
    )
    return (await parseWholeEmail(bytesOf('email'))).text
  },
  // Where nothing carries a label, rows without one.
  'a header that is not ASCII': async (row) => {
    if (row.label !== null) return undefined
    const { headers } = await parseWholeEmail(
      Buffer.concat([Buffer.from('Subject: '), row.bytes, Buffer.from('\r\n\r\nx')]),
    )
    return headerText(headers[0].value)
  },
  'a file name of a form': (row) =>
    row.label === null
      ? form([
          Buffer.from('Content-Disposition: form-data; name="f"; filename="'),
          row.bytes,
          Buffer.from('"\r\n\r\nx\r\n'),
        ]).attachments[0].filename
      : undefined,
  'a spreadsheet': (row) => (row.label === null ? decodedText(row.bytes) : undefined),
}

let tried = 0
const wrong = []
for (const [place, decode] of Object.entries(places)) {
  for (const { label, hex, text } of corpus) {
    const decoded = await decode({ label, bytes: Buffer.from(hex, 'hex') })
    if (decoded === undefined) continue
    tried += 1
    // A header is one line, without blanks at its ends; a body may end with a line break.
    if (decoded.trim() !== text) wrong.push({ place, label, expected: text, decoded })
  }
}
process.stdout.write(JSON.stringify({ tried, places: Object.keys(places).length, wrong }))
