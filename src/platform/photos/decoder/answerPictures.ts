import { framed, readFrames } from './frames.js'
import { answerWith, type ProcessedPhoto } from './processedPhoto.js'

/**
 * The life of a decoder's process: answers each picture that comes on its standard input, one at a
 * time, until that ends, which it does with the service at the latest.
 */
export function answerPictures(decode: (bytes: Buffer) => Promise<ProcessedPhoto>): void {
  const write = (parts: Buffer[]) => parts.forEach((part) => void process.stdout.write(part))
  const answer = async (bytes: Buffer) =>
    write(answerWith(await decode(bytes).catch((error: Error) => error)))
  // At once: an ordinary exit would wait for the picture being decoded.
  const end = () => process.kill(process.pid, 'SIGKILL')
  process.stdin.on(
    'data',
    readFrames(({ body }) => void answer(body)),
  )
  process.stdin.on('end', end)
  process.stdin.on('error', end)
  process.stdout.on('error', end)
  // Sent to the whole group: the service ends it when the last upload was answered.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  write(framed({ ready: true }))
}
