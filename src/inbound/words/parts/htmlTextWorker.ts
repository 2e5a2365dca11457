import { parentPort } from 'node:worker_threads'
import { compile } from 'html-to-text'
import type { FromThread } from '../../../platform/process/workerThread.js'
import { mostPartText } from '../readingLimits.js'

/** HTML whose text is wanted. */
export type HtmlTask = { html: string }

const oneLine = { leadingLineBreaks: 1, trailingLineBreaks: 1 }
/** What programs for newsletters hide: the words that an inbox shows beside the subject. */
const hidden = ['[hidden]', '[style*="display:none" i]', '[style*="display: none" i]']
const skipped = ['img', 'title'].concat(hidden)
const cells = ['td', 'th']
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

const textOf = compile({
  wordwrap: false,
  limits: { maxDepth: 100 },
  // The whole document: a body within the text, as some programs quote, would be taken for all of
  // it.
  baseElements: { selectors: ['no-such-element'], returnDomByDefault: true },
  formatters: {
    signatureMark: (_element, _walk, builder) => {
      builder.openBlock({ leadingLineBreaks: 1 })
      builder.addLiteral('-- ')
      builder.closeBlock({ trailingLineBreaks: 1 })
    },
  },
  selectors: [
    ...skipped.map((selector) => ({ selector, format: 'skip' })),
    { selector: '.gmail_signature_prefix', format: 'signatureMark' },
    // Link addresses are dropped: they often carry the reader's own unsubscribe and tracking keys.
    { selector: 'a', options: { ignoreHref: true } },
    ...cells.map((selector) => ({ selector, format: 'block', options: oneLine })),
    ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

function answer({ html }: HtmlTask): FromThread<string> {
  try {
    // Nested quotes can make it longer than the HTML.
    return { result: textOf(html).slice(0, mostPartText) }
  } catch {
    return { failed: 'unreadable' }
  }
}

// The parser is slow on hostile input and cannot be interrupted, so this file runs in a thread of
// its own.
parentPort?.on('message', (task: HtmlTask) => parentPort?.postMessage(answer(task)))
parentPort?.postMessage({ ready: true })
