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

/** Bytes that a cut can leave at the end: three of a character, and `=A` of half an escape. */
const longestRemnant = 5

/**
 * Whether these bytes are UTF-8 but for what a cut left at their end. Without a character beyond
 * ASCII before it, a byte there is a letter of windows-1252 instead.
 */
function isCutUtf8(bytes: Uint8Array): boolean {
  for (let cut = 1; cut <= longestRemnant && cut < bytes.length; cut++) {
    const rest = bytes.subarray(0, -cut)
    if (isUtf8(rest)) return !isAscii(rest)
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
