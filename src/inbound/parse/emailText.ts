import { thread } from '../../platform/mail/workerThread.js'
import { withoutOwnLinks } from '../../vocabulary/email/ownEmail.js'
import { cleanText } from '../../vocabulary/plainText.js'
import { belowOwnMail, htmlAbove, type OwnMail, splitReply, withoutIntroduction } from './answeredMail.js'
import type { MailTask } from './emailTextWorker.js'

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
