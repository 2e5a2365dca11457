import { thread } from '../../platform/mail/thread.js'
import type { MailTask } from './mailThread.js'

/** Characters of an HTML mail that are read. */
const mostHtml = 1_000_000
/** The same where only tags are removed, which happens on the event loop: 5 ms. */
const mostWithoutTags = 250_000

/** Deadline in ms. An ordinary mail takes 5 ms; a few hostile kilobytes would take minutes. */
const reading = thread<MailTask, string>({
  code: 'inbound/parse/mailThread',
  memory: 64,
  deadline: 500,
  waiting: 20,
})

/**
 * A mail's own words, without quoted history and (where recognised) signature; may be empty. `text`
 * must be cleaned: short, LF only. Past the deadline only `>` lines are removed.
 */
export async function newWords(text: string): Promise<string> {
  const letter = beforeHeaderBlock(text.split('\n').map((line) => line.trimEnd()))
  return (await reading.ask({ read: 'reply', text: letter })) ?? withoutQuotes(letter)
}

/**
 * An HTML mail as plain text, quotes as `> ` lines. Past the deadline only its tags are removed.
 */
export async function textOfHtml(html: string): Promise<string> {
  const text = html.slice(0, mostHtml)
  return (await reading.ask({ read: 'html', text })) ?? withoutTags(text)
}

/** Ends the parsing thread; the next mail starts another. */
export async function stopReading(): Promise<void> {
  await reading.end()
}

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
