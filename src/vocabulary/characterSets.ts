import { isAscii, isUtf8 } from 'node:buffer'
import { labelToName, legacyHookDecode } from '@exodus/bytes/encoding.js'

/** Labels that claim nothing beyond ASCII; programs write them above any bytes. */
const asciiLabels = new Set(['us-ascii', 'ascii', 'ansi_x3.4-1968', 'csascii', 'iso646-us', 'cp367', '646'])

/** Names that programs write and the Encoding Standard does not list. */
const otherNames: Record<string, string> = {
  cp932: 'shift_jis',
  ms_kanji: 'shift_jis',
  cp51932: 'euc-jp',
  eucjp: 'euc-jp',
  cp936: 'gbk',
  ms936: 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  euckr: 'euc-kr',
  cp950: 'big5',
  ms950: 'big5',
  cp874: 'windows-874',
  cp65001: 'utf-8',
  utf8mb4: 'utf-8',
  'latin-1': 'windows-1252',
  'iso8859-8-i': 'iso-8859-8-i',
}

/**
 * The text of these bytes, read as the WHATWG Encoding Standard says for the label, on every
 * Node.js: some decode windows-1252 as Latin-1, which turns ’ and € into control characters
 * (decision 9.2). A byte order mark decides first. Bytes under a missing, unknown or ASCII label
 * are UTF-8 when they are valid UTF-8, also where they end within a character, else windows-1252.
 * Never throws.
 */
export function decodeBytes(bytes: Uint8Array, label: string | null = null): string {
  const encoding = encodingOf(label) ?? (isUtf8(bytes) || isCutUtf8(bytes) ? 'utf-8' : 'windows-1252')
  return legacyHookDecode(bytes, encoding)
}

/** Bytes of the longest character in UTF-8. */
const longestCharacter = 4

/** Half an escape of quoted-printable, as a text ends with that was cut off: `=` or `=A`. */
const halfEscape = /=[0-9A-F]?$/i

/**
 * Whether these bytes are UTF-8 that ends within a character, as a text does that was cut off. One
 * byte beyond ASCII at the end of a plain text is a letter of windows-1252 instead.
 */
function isCutUtf8(text: Uint8Array): boolean {
  const [cutOff = ''] = halfEscape.exec(String.fromCharCode(...text.subarray(-2))) ?? []
  const bytes = text.subarray(0, text.length - cutOff.length)
  for (let missing = 1; missing < longestCharacter && missing < bytes.length; missing++) {
    const isLead = bytes[bytes.length - missing]! >= 0xc2
    if (!isLead) continue
    const rest = bytes.subarray(0, -missing)
    return isUtf8(rest) && !isAscii(rest)
  }
  return false
}

/**
 * The lower-case name of the encoding a label means; null when it says nothing. The labels that the
 * standard replaces as a whole (`iso-2022-kr`) say nothing either: their ASCII words are kept.
 */
function encodingOf(label: string | null): string | null {
  const plain = label?.trim().toLowerCase() ?? ''
  if (plain === '' || asciiLabels.has(plain)) return null
  const name = nameOf(plain) ?? nameOf(plain.replace(/^x-/, '')) ?? nameOf(plain.replaceAll('_', '-'))
  return name === 'replacement' ? null : name
}

const nameOf = (label: string) => labelToName(otherNames[label] ?? label)?.toLowerCase() ?? null
