import { limitConcurrency } from '../system/limitConcurrency.js'
import type { JsonPart, JsonTask } from './jsonThread.js'
import { thread } from './thread.js'

const parsing = thread<JsonTask, JsonPart>({
  ...{ code: 'jsonThread', memory: 600, deadline: 20_000, waiting: 0 },
})
/** One at a time: the thread keeps the long texts of one value until they are fetched. */
const alone = limitConcurrency({ atOnce: 1, waiting: 100 })

/**
 * Parses a JSON document that would keep everybody waiting, in a thread. Of lists and objects the first thousand
 * entries. The bytes are gone afterwards. Throws SyntaxError when it is no JSON, or more of it than anything has.
 */
export function readLargeJson(bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  return alone(async () => {
    try {
      const { value, long } = (await ask({ bytes }, [bytes.buffer])) as { value: unknown; long: number }
      const texts: string[] = []
      for (let i = 0; i < long; i += 1) texts.push(((await ask({ long: i })) as { text: string }).text)
      return whole(value, texts)
    } finally {
      // What it holds is three times the document, which the next one does not wait for.
      await parsing.end()
    }
  })
}

async function ask(task: JsonTask, given: ArrayBuffer[] = []): Promise<JsonPart> {
  const part = await parsing.ask(task, given)
  if (part === null) throw new SyntaxError('not readable as JSON')
  return part
}

/** The value with its long texts where they belong; it is not deep. */
function whole(value: unknown, texts: readonly string[]): unknown {
  if (value instanceof Map) return texts[value.get('long')]
  if (Array.isArray(value)) return value.map((each) => whole(each, texts))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, whole(each, texts)]))
}
