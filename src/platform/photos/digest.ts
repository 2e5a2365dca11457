import { createHash } from 'node:crypto'

/**
 * The SHA-256 of bytes or of what a stream gives, in hexadecimal. Destroys the stream when it
 * fails.
 */
export async function sha256(content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}
