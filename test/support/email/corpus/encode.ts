/** Bytes 0x80 to 0x9f of windows-1252; those that mean nothing are left out as NUL. */
const between = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

/** The letters of a single-byte set, by byte. */
function lettersOf(charset: string): string[] {
  if (/^(windows-1252|iso-8859-1|us-ascii)$/i.test(charset))
    return Array.from({ length: 256 }, (_, i) =>
      i >= 0x80 && i < 0xa0 ? between[i - 0x80]! : String.fromCharCode(i),
    )
  const decoder = new TextDecoder(charset)
  return Array.from({ length: 256 }, (_, i) => decoder.decode(Uint8Array.of(i)))
}

/** Bytes of a text in UTF-8 or a single-byte set. What the set lacks becomes a question mark. */
export function bytesIn(charset: string, text: string): Buffer {
  if (/^utf-?8$/i.test(charset)) return Buffer.from(text)
  const byLetter = new Map(lettersOf(charset).map((letter, i) => [letter, i]))
  return Buffer.from([...text].map((letter) => byLetter.get(letter) ?? '?'.charCodeAt(0)))
}

/**
 * A text or bytes as the body of a part with this Content-Transfer-Encoding, one character a byte.
 */
export function encodedBody(given: Buffer | { text: string; charset: string }, encoding: string): string {
  const isText = !Buffer.isBuffer(given)
  const bytes = isText ? bytesIn(given.charset, given.text) : given
  if (encoding.toLowerCase() === 'base64') {
    // A text is encoded with the line ends that it has in an email.
    const whole = isText ? Buffer.from(bytes.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1') : bytes
    return whole.toString('base64').replace(/.{76}(?=.)/g, '$&\n')
  }
  if (encoding.toLowerCase() === 'quoted-printable') return quotedPrintable(bytes)
  return bytes.toString('latin1')
}

/** RFC 2045, 6.7. */
function quotedPrintable(bytes: Buffer): string {
  const lines = bytes.toString('latin1').split('\n')
  return lines.map((line) => folded([...line])).join('\n')
}

/** One line of quoted-printable, broken softly before it has 76 characters. */
function folded(signs: readonly string[]): string {
  let [line, length] = ['', 0]
  for (const [i, sign] of signs.entries()) {
    const isPlain = /[\x20-\x3c\x3e-\x7e\t]/.test(sign) && !(i === signs.length - 1 && /[ \t]/.test(sign))
    const written = isPlain ? sign : `=${hexOf(sign)}`
    if (length + written.length > 75) {
      line += '=\n'
      length = 0
    }
    line += written
    length += written.length
  }
  return line
}

const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')

/** RFC 2047: words of a header in any set, short enough for a line each. */
export function encodedWord(charset: string, text: string): string {
  const words: string[] = []
  let bytes = ''
  for (const letter of text) {
    const more = [...bytesIn(charset, letter).toString('latin1')]
      .map((sign) => (/[a-z0-9]/i.test(sign) ? sign : sign === ' ' ? '_' : `=${hexOf(sign)}`))
      .join('')
    if (bytes.length + more.length > 60) {
      words.push(bytes)
      bytes = ''
    }
    bytes += more
  }
  return [...words, bytes].map((word) => `=?${charset}?Q?${word}?=`).join('\n ')
}
