import type { MailTask } from './mailThread.js'
import { thread } from './thread.js'

/** Characters of an HTML mail that are looked at: more is no letter. */
const mostHtml = 1_000_000
/** The same where only its tags are taken away, which happens on the event loop: 5 ms. */
const mostWithoutTags = 250_000

/** An ordinary mail takes 5 ms; some texts of a few kilobytes would take minutes. */
const reading = thread<MailTask, string>({ code: 'mailThread', memory: 64, deadline: 500, waiting: 20 })

/**
 * The new words of a mail: without the quoted history, and without the signature as far as it can be told. Empty when
 * there is nothing new. `text` was cleaned, and so is not long and has LF line ends. What cannot be read in time loses
 * its quoted lines only.
 */
export async function newWords(text: string): Promise<string> {
  const letter = beforeHeaderBlock(text.split('\n').map((line) => line.trimEnd()))
  return (await reading.ask({ read: 'reply', text: letter })) ?? withoutQuotes(letter)
}

/** An HTML mail as plain text; quoted parts come out as `> ` lines. What cannot be read in time loses its tags only. */
export async function textOfHtml(html: string): Promise<string> {
  const text = html.slice(0, mostHtml)
  return (await reading.ask({ read: 'html', text })) ?? withoutTags(text)
}

/** Ends the thread that mails are read in; the next mail begins another. */
export async function stopReading(): Promise<void> {
  await reading.end()
}

/** A text without what stands below the line that mail programs put above a signature (RFC 3676, 4.3). */
export function withoutSignature(text: string): string {
  const at = `\n${text}`.search(/\n-- \n/)
  return at < 0 ? text : text.slice(0, at).trimEnd()
}

/** Outlook quotes below plain header lines, which need no angle brackets. */
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
