import fc from 'fast-check'

/**
 * Any code point, for texts nobody types. fast-check's own unit `binary` takes a second to be made.
 */
export const anyCodePoint = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
