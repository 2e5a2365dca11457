import { limitConcurrency } from '../../platform/process/limitConcurrency.js'
import { workerThread } from '../../platform/process/workerThread.js'
import type { LongText, ParsedPost, PostTask } from './largePostWorker.js'

const parsing = workerThread<PostTask, ParsedPost | LongText>({
  code: 'inbound/parse/largePostWorker',
  memory: 600,
  deadline: 20_000,
  waiting: 0,
})
/** One at a time: the thread holds one value's long texts until they are fetched. */
const oneAtATime = limitConcurrency({ atOnce: 1, waiting: 100 })

/**
 * Parses in a thread what is large enough to block the event loop: JSON, a form with files, a whole
 * email; keeps 1,000 entries per list or object. `bytes` is unusable afterwards. Throws SyntaxError
 * when it is none or exceeds the limits.
 */
export function readLargePost(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<unknown> {
  return oneAtATime(async () => {
    try {
      const { value, longTexts } = (await ask({ bytes, type }, [bytes.buffer])) as ParsedPost
      const texts: string[] = []
      for (let i = 0; i < longTexts; i += 1) {
        const { text } = (await ask({ longText: i })) as LongText
        texts.push(text)
      }
      return withLongTexts(value, texts)
    } finally {
      // Frees the thread's memory, three times the document, before the next one.
      await parsing.end()
    }
  })
}

async function ask(task: PostTask, buffers: ArrayBuffer[] = []): Promise<ParsedPost | LongText> {
  const part = await parsing.ask(task, buffers)
  if (part === null) throw new SyntaxError('not readable')
  return part
}

/** Puts the long texts back. Recursion is safe: the thread has limited the depth. */
function withLongTexts(value: unknown, texts: readonly string[]): unknown {
  if (value instanceof Map) return texts[value.get('longText')]
  if (Array.isArray(value)) return value.map((each) => withLongTexts(each, texts))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withLongTexts(each, texts)]))
}
