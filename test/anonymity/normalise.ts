import type { FolderEmail, Seen } from '../support/anonymity/worlds.js'
import type { Arrived } from '../support/anonymity/worldsOutside.js'

/**
 * All that may differ between two worlds in which the same things happened: clocks, and what is
 * drawn at random. Each is replaced by its name and nothing else is touched; ids, counts and
 * lengths must be equal as they are.
 */
const drawn: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<instant>'],
  [/(?:\w{3},? )?\d{1,2} [A-Z]\w{2,8}(?: \d{4})?,? (?:at )?\d\d:\d\d\b/g, '<local time>'],
  [/(?<![\d:T])(?:[A-Z][a-z]{2} )?\d\d:\d\d(?![\d:])/g, '<local time>'],
  [/\b[\da-f]{2}\/[\da-f]{2}\/[\da-f]{32}\b/g, '<photo path>'],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '<uuid>'],
  [/(?<="id":"|\/account\/sessions\/)[\da-f]{16}(?="|\/)/g, '<session>'],
  [/(?<=\/fixed\/)[\w-]{43}(?![\w-])/g, '<answer link>'],
  [/(?<="caretaker-write-above-)[\w-]{27}(?=")/g, '<message name>'],
  [/(?<=[?&;]after=\d{1,9}\.)MjAy[\w-]+/g, '<end of a page by time>'],
  [/(name="formToken" value=")[\w-]{43}"/g, '$1<form token>"'],
  [/(<p class="qr">.*<path d=")[^"]*"/g, '$1<code of a new secret>"'],
  [/(<code class="secret" dir="ltr">)[A-Z2-7 ]{39}</g, '$1<new secret><'],
]

/** The same of headers, by name: the whole value is drawn, or of the clock. */
const drawnHeaders =
  /^(date|retry-after|x-request-id|webhook-id|webhook-timestamp|x-service-signature|message-id)$/i

const steady = (text: string) =>
  drawn.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), text)

/** The end of a span within a day, which is not said where it is of the minute of the beginning. */
const endOfSpan = /(?<=\b\d\d:\d\d)–\d\d:\d\d\b/g

/** An answer as text, to be compared whole: status, every header, body. */
export function steadyAnswer({ status, headers, body }: Seen): string {
  const isText = /text|json|xml|csv/.test(headers.find(([name]) => name === 'content-type')?.[1] ?? 'text')
  const text = isText ? body.toString() : body.toString('base64')
  const withoutEnds = isText ? text.replaceAll(endOfSpan, '') : text
  const ends = Buffer.byteLength(text) - Buffer.byteLength(withoutEnds)
  const said = isText ? steady(withoutEnds) : text
  // How long the drawing of a code is, its text decides, which is drawn at random.
  const drawing = said.includes('<code of a new secret>')
  const lines = headers
    .filter(([name]) => !(drawing && name === 'content-length'))
    .map(([name, value]): [string, string] =>
      name === 'content-length' ? [name, String(Number(value) - ends)] : [name, value],
    )
    .map(([name, value]) => `${name}: ${steadyHeader(name, value, said !== text)}`)
  return [status, ...lines.sort(), '', said].join('\n')
}

/** A tag is of the body: where nothing in that was drawn, the tag must be equal, too. */
function steadyHeader(name: string, value: string, bodyIsDrawn: boolean): string {
  if (drawnHeaders.test(name) || (name === 'etag' && bodyIsDrawn)) return `<${name}>`
  if (name === 'set-cookie') return value.replaceAll(/=[\w-]+(?=;)/g, '=<cookie>')
  return steady(value)
}

/** A webhook or push as text. The receivers of two worlds have ports of their own. */
export function steadyArrival({ path, headers, body }: Arrived): string {
  const lines = headers.flatMap((name, i) =>
    i % 2 === 0 && name.toLowerCase() !== 'host'
      ? [`${name}: ${steadyHeader(name.toLowerCase(), headers[i + 1]!, true)}`]
      : [],
  )
  return [path, ...lines, '', steady(body)].join('\n')
}

/** An email as text: every header, both bodies, and the page beside it in the folder. */
export function steadyEmail({ email, page }: FolderEmail): string {
  const lines = email.headers.map(
    ([name, value]) =>
      `${name}: ${steadyHeader(name.toLowerCase(), value, true).replace(/boundary="[^"]*"/, 'boundary')}`,
  )
  return [...lines, '', steady(email.text), '', steady(email.html), '', steady(page)].join('\n')
}
