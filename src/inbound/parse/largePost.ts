import { limitConcurrency } from '../../platform/process/limitConcurrency.js'
import { workerThread } from '../../platform/process/workerThread.js'
import type { PostPart, PostTask } from './largePostWorker.js'

const parsing = workerThread<PostTask, PostPart>({
  code: 'inbound/parse/largePostWorker',
  memory: 600,
  deadline: 20_000,
  waiting: 0,
})
/** One at a time: the thread holds one value's long texts until they are fetched. */
const alone = limitConcurrency({ atOnce: 1, waiting: 100 })

/**
 * Parses in a thread what is large enough to block the event loop: JSON, a form with files, a whole
 * email; keeps 1,000 entries per list or object. `bytes` is unusable afterwards. Throws SyntaxError
 * when it is none or exceeds the limits.
 */
export function readLargePost(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<unknown> {
  return alone(async () => {
    try {
      const { value, long } = (await ask({ bytes, type }, [bytes.buffer])) as { value: unknown; long: number }
      const texts: string[] = []
      for (let i = 0; i < long; i += 1) texts.push(((await ask({ long: i })) as { text: string }).text)
      return whole(value, texts)
    } finally {
      // Frees the thread's memory, three times the document, before the next one.
      await parsing.end()
    }
  })
}

async function ask(task: PostTask, buffers: ArrayBuffer[] = []): Promise<PostPart> {
  const part = await parsing.ask(task, buffers)
  if (part === null) throw new SyntaxError('not readable')
  return part
}

/** Puts the long texts back. Recursion is safe: the thread has limited the depth. */
function whole(value: unknown, texts: readonly string[]): unknown {
  if (value instanceof Map) return texts[value.get('long')]
  if (Array.isArray(value)) return value.map((each) => whole(each, texts))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, whole(each, texts)]))
}
