import vm from 'node:vm'
import EmailReplyParser from 'email-reply-parser'
import { compile } from 'html-to-text'

/** Characters of an HTML mail that are looked at: more is no letter, and reading it would take seconds. */
const mostHtml = 1_000_000
/** Milliseconds a mail may take to be read: the parser's patterns need minutes for some texts of a few kilobytes. */
const readingTime = 500

const read = new vm.Script('read()')

/**
 * The new words of a mail: without the quoted history, and without the signature as far as it can be told. Empty when
 * there is nothing new. `text` was cleaned, and so is not long and has LF line ends.
 */
export function newWords(text: string): string {
  const lines = text.split('\n')
  const letter = beforeHeaderBlock(lines.map((line) => line.trimEnd()))
  // In a replacement `$'` stands for the rest of the text: the parser would multiply it by itself.
  const defused = letter.replaceAll('$', '$\u200b')
  try {
    const visible = bounded(() => new EmailReplyParser().read(defused).getVisibleText())
    return visible.replaceAll('$\u200b', '$').trim()
  } catch {
    return withoutQuotes(letter)
  }
}

/** A text without what stands below the line that mail programs put above a signature (RFC 3676, 4.3). */
export function withoutSignature(text: string): string {
  const at = `\n${text}`.search(/\n-- \n/)
  return at < 0 ? text : text.slice(0, at).trimEnd()
}

const oneLine = { leadingLineBreaks: 1, trailingLineBreaks: 1 }

const textOf = compile({
  wordwrap: false,
  limits: { maxDepth: 100, maxInputLength: mostHtml },
  selectors: [
    { selector: 'img', format: 'skip' },
    // What a link carries besides its words is often for its reader alone: unsubscribe and tracking keys.
    { selector: 'a', options: { ignoreHref: true } },
    ...['td', 'th'].map((selector) => ({ selector, format: 'block', options: oneLine })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/** An HTML mail as plain text; quoted parts come out as `> ` lines. */
export function textOfHtml(html: string): string {
  try {
    return bounded(() => textOf(html.slice(0, mostHtml)))
  } catch {
    return withoutTags(html.slice(0, mostHtml))
  }
}

/** Runs something synchronous that may take too long on hostile input: nothing else interrupts a regular expression. */
function bounded(work: () => string): string {
  return read.runInNewContext({ read: work }, { timeout: readingTime })
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
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[<>]/g, ' ')
    .trim()
}
