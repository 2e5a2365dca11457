/** An email as an email program reads it, as far as our own emails need. */
export type ReadEmail = {
  /** Unfolded, in order, as they stand in the email. */
  headers: [name: string, value: string][]
  /**
   * The only header of this name, with encoded words decoded; throws when there is not exactly one.
   */
  header: (name: string) => string
  text: string
  html: string
  /** Names of the files that go with it. */
  files: string[]
}

/**
 * Takes an email apart: headers, the plain and the HTML body of
 * multipart/alternative, and files beside it.
 */
export function readRawEmail(raw: string): ReadEmail {
  const { headers, body } = split(raw)
  const header = (name: string) => decodedWords(only(headers, name))
  const parts = leavesOf({ headers, body })
  const part = (type: string) =>
    decodedBody(parts.find((each) => only(each.headers, 'Content-Type').startsWith(type))!)
  const files = parts.flatMap((each) => /name="?([^";]+)/.exec(only(each.headers, 'Content-Type'))?.[1] ?? [])
  return { headers, header, text: part('text/plain'), html: part('text/html'), files }
}

/** The parts that hold no others, in order. */
function leavesOf(part: Part): Part[] {
  const boundary = /boundary="([^"]+)"/.exec(only(part.headers, 'Content-Type'))?.[1]
  if (boundary === undefined) return [part]
  return part.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((each) => leavesOf(split(each.replace(/^\r\n|\r\n$/g, ''))))
}

type Part = { headers: [string, string][]; body: string }

function split(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ])
  return { headers, body: raw.slice(end + 4) }
}

function only(headers: [string, string][], name: string): string {
  const values = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase())
  if (values.length !== 1) throw new Error(`${values.length} headers ${name}`)
  return values[0]![1]
}

function decodedWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('latin1')
        : unquoted(text.replaceAll('_', ' ')),
    )
    .replace(/[\u0080-\u00ff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString())
}

function decodedBody({ headers, body }: Part): string {
  const encoding = only(headers, 'Content-Transfer-Encoding').toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n')
  return Buffer.from(unquoted(body.replace(/=\r\n/g, '')), 'latin1')
    .toString()
    .replaceAll('\r\n', '\n')
}

const unquoted = (text: string) =>
  text.replace(/=([0-9A-F]{2})/gi, (_byte, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
