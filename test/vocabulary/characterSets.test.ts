import { describe, expect, it } from 'vitest'
import { decodeBytes } from '../../src/vocabulary/characterSets.js'

const bytesOf = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

describe('a text without a label', () => {
  it.each([
    ['is UTF-8 where it is cut within a character of two bytes', bytesOf('pyörä', [0xc3]), 'pyörä\ufffd'],
    [
      'is UTF-8 where it is cut within a character of three bytes',
      bytesOf('5 €, 6 ', [0xe2, 0x82]),
      '5 €, 6 \ufffd',
    ],
    [
      'is UTF-8 where it is cut within a character of four bytes',
      bytesOf('😀', [0xf0, 0x9f, 0x98]),
      '😀\ufffd',
    ],
    [
      'is UTF-8 where half an escape follows half a character',
      bytesOf('größer ', [0xe2, 0x82], '=A'),
      'größer \ufffd=A',
    ],
    ['is windows-1252 with one letter beyond ASCII at its end', bytesOf('caf', [0xe9]), 'café'],
    ['is windows-1252 with such letters throughout', bytesOf('d', [0xe9], 'j', [0xe0]), 'déjà'],
    [
      'is windows-1252 with a letter within UTF-8',
      bytesOf('ö ', [0xe9], 'tages du haut'),
      'Ã¶ étages du haut',
    ],
    ['may be one byte', bytesOf([0xe9]), 'é'],
  ])('%s', (_what, bytes, text) => {
    expect(decodeBytes(bytes)).toBe(text)
    expect(decodeBytes(bytes, 'unknown-8bit')).toBe(text)
  })
})
