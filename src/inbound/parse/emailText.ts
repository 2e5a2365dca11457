import { thread } from '../../platform/mail/workerThread.js'
import { decodeWords } from '../../vocabulary/email/encodedWords.js'
import { withoutOwnLinks } from '../../vocabulary/email/ownEmail.js'
import { parseId } from '../../vocabulary/limits.js'
import { cleanLine, cleanText } from '../../vocabulary/plainText.js'
import { belowOwnMail, htmlAbove, type OwnMail, splitReply, withoutIntroduction } from './answeredMail.js'
import type { MailTask } from './emailTextWorker.js'

/** The headers of an email, by lower-case name. */
export type MailHeaders = ReadonlyMap<string, readonly string[]>

/** Most headers, and characters of a value and of all of them as one text, that are examined. */
const mostHeaders = 1_000
const mostValue = 10_000
const mostText = 1_000_000

/**
 * Reads a provider's `headers`: an object of names in any case with one or more values; a list of
 * `{name, value}` or `[name, value]`; either as JSON; or the lines of the email. Values keep their
 * order. Null when nothing is usable.
 */
export function mailHeaders(given: unknown): MailHeaders | null {
  const headers = new Map<string, string[]>()
  for (const [name, value] of pairsOf(given)) {
    const values = (Array.isArray(value) ? value.slice(0, mostHeaders) : [value])
      .filter((each): each is string => typeof each === 'string')
      .map((each) => each.slice(0, mostValue))
    const key = headerKey(name.slice(0, mostValue))
    if (key === null) continue
    const known = headers.get(key)
    if (known) known.push(...values)
    else headers.set(key, values)
  }
  return headers.size > 0 ? headers : null
}

const verdicts = 'authentication-results'

/**
 * The name a header is found by: a provider writes underscores. Null for a name that only resembles
 * Authentication-Results: a mail server removes what senders forge under the right name alone.
 */
function headerKey(name: string): string | null {
  const key = name.trim().toLowerCase().replaceAll('_', '-')
  return key.normalize('NFKC') === verdicts && name.toLowerCase() !== verdicts ? null : key
}

function pairsOf(given: unknown): [string, unknown][] {
  if (typeof given === 'string') return pairsInText(given.slice(0, mostText))
  if (typeof given !== 'object' || given === null) return []
  if (!Array.isArray(given)) return Object.entries(given).slice(0, mostHeaders)
  return given.slice(0, mostHeaders).flatMap((each: unknown) => {
    const [name, value] = Array.isArray(each) ? each : namedIn(each)
    return typeof name === 'string' ? [[name, value] as [string, unknown]] : []
  })
}

function namedIn(each: unknown): unknown[] {
  const { name, value, Name, Value } = (each ?? {}) as Record<string, unknown>
  return [name ?? Name, value ?? Value]
}

function pairsInText(text: string): [string, unknown][] {
  if (/^\s*[[{]/.test(text)) {
    try {
      return pairsOf(JSON.parse(text) as object)
    } catch {
      return []
    }
  }
  // RFC 5322, 2.2.3: a line that starts with a space goes on with the one before.
  return text
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/, mostHeaders)
    .flatMap((line) => {
      const [, name, value] = /^([\x21-\x39\x3b-\x7e]+[ \t]*):(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, value!.trim()] as [string, unknown]]
    })
}

/** Characters of an HTML email that are read. */
const mostHtml = 1_000_000
/** The same where only tags are removed, which happens on the event loop: 5 ms. */
const mostWithoutTags = 250_000

/** Deadline in ms. An ordinary email takes 5 ms; a few hostile kilobytes would take minutes. */
const reading = thread<MailTask, string>({
  code: 'inbound/parse/emailTextWorker',
  memory: 64,
  deadline: 500,
  waiting: 20,
})

/**
 * An email's own words, without quoted history and (where recognised) signature; may be empty.
 * `text` must be cleaned: short, LF only. Past the deadline only `>` lines are removed.
 */
export async function newWords(text: string): Promise<string> {
  const letter = beforeHeaderBlock(text.split('\n').map((line) => line.trimEnd()))
  return (await reading.ask({ read: 'reply', text: letter })) ?? withoutQuotes(letter)
}

/** An HTML email as plain text, quotes as `> ` lines. Past the deadline, only tags are removed. */
export async function textOfHtml(html: string): Promise<string> {
  const text = html.slice(0, mostHtml)
  return (await reading.ask({ read: 'html', text })) ?? withoutTags(text)
}

/** Ends the parsing thread; the next email starts another. */
export const stopReading = reading.end

/** Cuts the text at the line that mail programs put above a signature (RFC 3676, 4.3). */
export function withoutSignature(text: string): string {
  const at = `\n${text}`.search(/\n-- \n/)
  return at < 0 ? text : text.slice(0, at).trimEnd()
}

/** Outlook puts plain header lines above a quote, without `>`. */
const fromLine = /^\*?(From|Von|De|Da|Van|Fra|Från|Od|От)\s?:/u
const dateLine =
  /^\*?(Sent|Date|Gesendet|Datum|Enviado|Fecha|Envoyé|Inviato|Data|Verzonden|Sendt|Skickat|Wysłano|Отправлено)(\s?el)?\*?\s?:/u

function beforeHeaderBlock(lines: string[]): string {
  const at = lines.findIndex((line, i) => fromLine.test(line) && dateLine.test(lines[i + 1] ?? ''))
  return (at < 0 ? lines : lines.slice(0, at)).join('\n').replace(/\n{3,}/g, '\n\n')
}

function withoutQuotes(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('>'))
    .join('\n')
    .trim()
}

function withoutTags(html: string): string {
  return html
    .slice(0, mostWithoutTags)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[<>]/g, ' ')
    .trim()
}

/**
 * An email's text: `letter` is published as a new report, `fresh` (without quotations) as an
 * answer. `ours`: it quotes an email of ours.
 */
type MailText = { letter: string; fresh: string; ours: boolean }

/**
 * Reads an email's plain text or, without one, its HTML. Quoted email of ours is cut at our line
 * first, then by the marks of mail programs (decision 7.5). `isAnswer`: the subject says it is an
 * answer.
 */
export async function mailText(
  body: { text: string; html: string },
  isAnswer: boolean,
  own: OwnMail,
): Promise<MailText> {
  const text = cleanText(body.text)
  const read = await (text ? ofText(text, isAnswer, own) : ofHtml(body.html.toWellFormed(), isAnswer, own))
  return { ...read, letter: withoutOwnLinks(read.letter), fresh: withoutOwnLinks(read.fresh) }
}

async function ofText(text: string, isAnswer: boolean, own: OwnMail): Promise<MailText> {
  const found = splitReply(text, own)
  if (found) return both((await newWords(found.above)) || (await newWords(belowOwnMail(text, found, own))))
  const fresh = isAnswer ? await newWords(text) : ''
  return { letter: fresh || withoutSignature(text), fresh, ours: false }
}

async function ofHtml(html: string, isAnswer: boolean, own: OwnMail): Promise<MailText> {
  const above = htmlAbove(html)
  if (above === null) return ofText(cleanText(await textOfHtml(html)), isAnswer, own)
  const fresh = await newWords(withoutIntroduction(cleanText(await textOfHtml(above)), own.names))
  if (fresh) return both(fresh)
  const text = cleanText(await textOfHtml(html))
  const found = splitReply(text, own)
  return both(found ? await newWords(belowOwnMail(text, found, own)) : '')
}

const both = (fresh: string): MailText => ({ letter: fresh, fresh, ours: true })

/** Characters of a subject that are read; mail programs make no longer ones. */
const mostHeader = 2000

/** An email header as plain text: one line, encoded words decoded. */
export function headerText(header: string): string {
  return cleanLine(decodeWords(cleanLine(header.slice(0, mostHeader))))
}

/**
 * The id in the first `[INC-<id>]` of a subject (spec §4 rule 5, decision 4.5), in any case, with
 * line folds, other dashes or leading zeros; null without a valid one.
 */
export function taggedIncident(subject: string): number | null {
  const digits = /\[\s*INC\s*[-‐‑–]\s*(\d+)\s*\]/i.exec(subject)?.[1]
  return parseId(digits?.replace(/^0+/, ''))
}

/** Whether the subject marks the email as an answer: then the email it quotes is known here. */
export function isReply(subject: string): boolean {
  return /^\s*(re|aw|antw|sv|vs|odp|ref|res|ynt|回复|回覆|答复)\s*(\[\d+\])?\s*[:：]/iu.test(subject)
}
