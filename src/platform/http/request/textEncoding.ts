/**
 * A file's text: by its byte order mark, else UTF-8, else Windows-1252, the default of many
 * spreadsheets. All line ends become line feeds.
 */
export function decodedText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  return evenLines(encoding ? new TextDecoder(encoding).decode(bytes) : fromWindows1252(bytes))
}

/** All line ends as line feeds, without the byte order mark. */
export function evenLines(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}

function encodingOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : null
}

/**
 * Windows-1252 from 0x80 to 0x9f, where it differs from Latin-1; five bytes stay control
 * characters.
 */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** With our own table, because the decoder of Node 20 treats windows-1252 as Latin-1. */
function fromWindows1252(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes).toString('latin1')
  return latin.replace(/[\u0080-\u009f]/g, (c) => windows[c.charCodeAt(0) - 0x80]!)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
