import sharp from 'sharp'
import { inside, quote, renamed, stripped, wrapped } from '../emailClients.js'
import { encodedBody, encodedWord } from './encode.js'
import { corpusEnvironment } from './environment.js'
import type { Original } from './originals.js'

/**
 * Makes the bytes of a sample: placeholders are filled from an email that the product wrote, marked
 * passages are encoded as their part says, and lines end as RFC 5322 says. `answered`: the email it
 * answers, null for none. Throws on a placeholder that cannot be filled.
 */
export async function fillSample(file: Buffer, answered: Original | null): Promise<Buffer> {
  // One character for each byte: a sample may be of any character set.
  const bytes = file.toString('latin1')
  const parts: string[] = []
  let at = 0
  for (const found of bytes.matchAll(placeholder)) {
    const isHeader = !/\r?\n\r?\n/.test(bytes.slice(0, found.index))
    const value = await valueFor(fromBytes(found[1]!), answered)
    parts.push(bytes.slice(at, found.index))
    parts.push(isHeader && /[^\x20-\x7e]/.test(value) ? encodedWord('utf-8', value) : toBytes(value))
    at = found.index + found[0].length
  }
  const filled = parts.join('') + bytes.slice(at)
  return Buffer.from(encodedPassages(filled).replace(/\r?\n/g, '\r\n'), 'latin1')
}

/**
 * Everything in double braces but the marks of passages, which are encoded once they are filled.
 */
const placeholder = /\{\{(?!\/?encode[ }])([^{}]+)\}\}/g
const passage = /\{\{encode((?: "[^"]*")*)\}\}([\s\S]*?)\{\{\/encode\}\}/g

const fromBytes = (text: string) => Buffer.from(text, 'latin1').toString()
const toBytes = (text: string) => Buffer.from(text).toString('latin1')

type Word = { text: string; isQuoted: boolean }

const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => ({
    text: quoted ?? plain!,
    isQuoted: quoted !== undefined,
  }))

async function valueFor(inside: string, answered: Original | null): Promise<string> {
  const [name, ...steps] = wordsIn(inside)
  const texts = steps.map(({ text }) => text)
  if (name!.text === 'picture') return picture(texts[0]!, texts[1]!)
  if (name!.text === 'encoded-word') return encodedWord(texts[0]!, texts[1]!)
  if (name!.text === 'from') return ourAddress(texts[0])
  if (answered === null) throw new Error(`{{${inside}}} needs "answers"`)
  const simple: Record<string, string> = {
    subject: answered.subject,
    tag: answered.tag,
    'message-id': answered.messageId,
  }
  if (name!.text === 'text') return passageOfText(answered.text, steps)
  if (name!.text === 'html') return passageOfHtml(answered.html, steps)
  const value = simple[name!.text]
  if (value === undefined) throw new Error(`no placeholder {{${inside}}}`)
  return value
}

function ourAddress(part: string | undefined): string {
  const whole = corpusEnvironment.MAIL_FROM
  const [, name, address] = /^(.*) <(.*)>$/.exec(whole)!
  if (part === 'name') return name!
  if (part === 'address') return address!
  return part === 'escaped' ? whole.replace('<', '&lt;').replace('>', '&gt;') : whole
}

/** Base64 of a picture of one colour, in lines as email has them. */
async function picture(size: string, format: string): Promise<string> {
  const [width, height] = size.split('x').map(Number)
  const made = sharp({
    create: { width: width!, height: height!, channels: 3, background: '#3a6' },
  }).toFormat(format as 'jpeg')
  return encodedBody(await made.toBuffer(), 'base64')
}

/** The steps of a placeholder: a word and what is quoted or stands after it. */
function stepsOf(words: readonly Word[]): [name: string, value: string][] {
  const steps: [string, string][] = []
  for (let i = 0; i < words.length; i++) {
    const name = words[i]!.text
    if (name === 'stripped' || name === 'closed') steps.push([name, ''])
    else steps.push([name, words[++i]?.text ?? ''])
  }
  return steps
}

function passageOfText(text: string, words: readonly Word[]): string {
  let lines = text.split('\n')
  const lineWith = (part: string) => {
    const at = lines.findIndex((line) => line.includes(part))
    if (at < 0) throw new Error(`our text has no ${part}`)
    return at
  }
  for (const [step, value] of stepsOf(words)) {
    if (step === 'after') lines = lines.slice(lineWith(value) + 1)
    else if (step === 'until') lines = lines.slice(0, lineWith(value) + 1)
    else if (step === 'wrapped') lines = wrapped(lines.join('\n'), Number(value)).split('\n')
    else if (step === 'quoted') lines = quote(lines.join('\n'), value).split('\n')
    else throw new Error(`no step ${step}`)
  }
  return lines.join('\n').trimEnd()
}

/** Changed as a whole before it is cut, so that what stands between the pieces stays inside. */
function passageOfHtml(html: string, words: readonly Word[]): string {
  const steps = stepsOf(words)
  let text = html
  for (const [step, value] of steps) {
    if (step === 'renamed') text = inside(text, renamed(value))
    else if (step === 'stripped') text = inside(text, stripped)
    else if (!['after', 'until', 'closed'].includes(step)) throw new Error(`no step ${step}`)
  }
  const endOf = (part: string) => {
    const at = text.lastIndexOf(part)
    if (at < 0) throw new Error(`our HTML has no ${part}`)
    return at + part.length
  }
  const find = (name: string) => steps.find(([step]) => step === name)?.[1]
  const [after, until] = [find('after'), find('until')]
  const [start, end] = [
    after === undefined ? 0 : endOf(after),
    until === undefined ? text.length : endOf(until),
  ]
  const piece = text.slice(start, end)
  return find('closed') === undefined ? piece : inside(piece)
}

function encodedPassages(bytes: string): string {
  return bytes.replace(passage, (_whole, given: string, inner: string, at: number) => {
    const [charset, encoding] = wordsIn(given).map(({ text }) => text)
    // The headers of a part stand between its boundary and the first blank line above the passage.
    const above = bytes.slice(0, at)
    const headers = above.slice(above.lastIndexOf('\n--') + 1)
    const inHeaders = (pattern: RegExp) => [...headers.matchAll(pattern)].at(-1)?.[1]
    const set = charset ?? inHeaders(/charset="?([^\s";]+)/gi) ?? 'utf-8'
    const transfer = encoding ?? inHeaders(/^Content-Transfer-Encoding:\s*(\S+)/gim) ?? '8bit'
    return encodedBody({ text: fromBytes(inner), charset: set }, transfer)
  })
}
