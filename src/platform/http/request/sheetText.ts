import { decodeBytes } from '../../../vocabulary/characterSets.js'

/**
 * A file's text: by its byte order mark, else UTF-8, else Windows-1252, the default of many
 * spreadsheets. All line ends become line feeds.
 */
export function decodedText(bytes: Uint8Array): string {
  return evenLines(decodeBytes(bytes))
}

/** All line ends as line feeds, without the byte order mark. */
export function evenLines(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}
