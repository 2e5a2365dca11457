import { parentPort } from 'node:worker_threads'
import EmailReplyParser from 'email-reply-parser'
import { compile } from 'html-to-text'
import type { FromThread } from '../../platform/mail/workerThread.js'

/** What to extract from a mail: the new words of a text, or the text of HTML. */
export type MailTask = { read: 'reply' | 'html'; text: string }

/** Characters of a result: five times what is stored. Nested quotes can make it grow. */
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
  // The parser uses the text as a replacement, where `$'` would insert the rest of it again and
  // again.
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

// Both parsers are slow on hostile input and cannot be interrupted, so this file runs in a thread
// of its own.
parentPort?.on('message', (task: MailTask) => parentPort?.postMessage(answer(task)))
parentPort?.postMessage({ ready: true })
