import { parentPort } from 'node:worker_threads'
import EmailReplyParser from 'email-reply-parser'
import { compile } from 'html-to-text'
import { type FromThread, thread } from '../../platform/mail/thread.js'

/** What to extract from a mail: the new words of a text, or the text of HTML. */
export type MailTask = { read: 'reply' | 'html'; text: string }

/** Characters of a result: five times what is stored. Nested quotes can make a text longer than its HTML. */
const mostText = 50_000
const oneLine = { leadingLineBreaks: 1, trailingLineBreaks: 1 }

const textOf = compile({
  wordwrap: false,
  limits: { maxDepth: 100 },
  selectors: [
    { selector: 'img', format: 'skip' },
    // Link addresses are dropped: they often carry the reader's own unsubscribe and tracking keys.
    { selector: 'a', options: { ignoreHref: true } },
    ...['td', 'th'].map((selector) => ({ selector, format: 'block', options: oneLine })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

function visibleText(text: string): string {
  // The parser uses the text as a replacement, where `$'` would insert the rest of it again and again.
  const defused = text.replaceAll('$', '$\u200b')
  return new EmailReplyParser().read(defused).getVisibleText().replaceAll('$\u200b', '$').trim()
}

const readers = { reply: visibleText, html: textOf }

function answer({ read, text }: MailTask): FromThread<string> {
  try {
    return { result: readers[read](text).slice(0, mostText) }
  } catch {
    return { failed: 'unreadable' }
  }
}

// Both parsers are slow on hostile input and cannot be interrupted, so this file runs in a thread of its own.
parentPort?.on('message', (task: MailTask) => parentPort?.postMessage(answer(task)))
parentPort?.postMessage({ ready: true })

/** Characters of an HTML mail that are read. */
const mostHtml = 1_000_000
/** The same where only tags are removed, which happens on the event loop: 5 ms. */
const mostWithoutTags = 250_000

/** Deadline in ms. An ordinary mail takes 5 ms; a few hostile kilobytes would take minutes. */
const reading = thread<MailTask, string>({ code: 'mailThread', memory: 64, deadline: 500, waiting: 20 })

/**
 * A mail's own words, without quoted history and (where recognised) signature; may be empty. `text` must be
 * cleaned: short, LF only. Past the deadline only `>` lines are removed.
 */
export async function newWords(text: string): Promise<string> {
  const letter = beforeHeaderBlock(text.split('\n').map((line) => line.trimEnd()))
  return (await reading.ask({ read: 'reply', text: letter })) ?? withoutQuotes(letter)
}

/** An HTML mail as plain text, quotes as `> ` lines. Past the deadline only its tags are removed. */
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
