import { workerThread } from '../../../platform/process/workerThread.js'
import { writeAboveMark } from '../../../vocabulary/email/ownEmail.js'
import type { HtmlTask } from './htmlTextWorker.js'

/** Characters of an HTML email that are read. */
const mostHtml = 1_000_000
/** The same where only tags are removed, which happens on the event loop: 5 ms. */
const mostWithoutTags = 250_000

/** Deadline in ms. An ordinary email takes 5 ms; a few hostile kilobytes would take minutes. */
const reading = workerThread<HtmlTask, string>({
  code: 'inbound/words/parts/htmlTextWorker',
  memory: 64,
  deadline: 500,
  waiting: 20,
})

/** Ends the thread that reads HTML; the next email starts another. */
export const stopReading = reading.end

/**
 * HTML as plain text: quotes as `> ` lines, a signature below `-- `, nothing that is hidden. Where
 * an element has our mark, `writeAbove` stands as a line of its own: ids and classes survive what
 * styles and words do not. Past the deadline, only tags are removed.
 */
export async function textOfHtml(html: string, writeAbove: string): Promise<string> {
  const text = withSignatureMarks(withLineAtMark(html.slice(0, mostHtml).toWellFormed(), writeAbove))
  return (await reading.ask({ html: text })) ?? withoutTags(text)
}

function withLineAtMark(html: string, writeAbove: string): string {
  const at = html.indexOf(writeAboveMark)
  const tag = at < 0 ? -1 : html.lastIndexOf('<', at)
  // The mark outside a tag was typed by the sender and quotes nothing.
  if (tag < 0 || html.slice(tag, at).includes('>')) return html
  return `${html.slice(0, tag)}<div>${writeAbove}</div>${html.slice(tag)}`
}

/**
 * `<div>-- <br>`: the blank behind the dashes makes a signature of what follows, and would be lost.
 */
function withSignatureMarks(html: string): string {
  return html.replace(
    />\s{0,20}--(?: |&nbsp;|&#160;|\u00a0)\s{0,20}(?=<)/gu,
    '><div class="gmail_signature_prefix">-- </div>',
  )
}

function withoutTags(html: string): string {
  return html
    .slice(0, mostWithoutTags)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[<>]/g, ' ')
    .trim()
}
