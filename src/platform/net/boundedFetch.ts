import type { CustomFetch } from 'openid-client'

/** The decompressed bytes of an answer. Throws as soon as there are more than `most`. */
export async function bytesOf(answer: Response, most: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > most) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Bytes of an answer: metadata, keys and tokens need some thousands. */
const mostBytes = 256 * 1024

/** A fetch that `signal` ends at any byte. Follows no redirect; throws for a long answer. */
export function boundedFetch(signal: AbortSignal): CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await fetch(url, {
      method,
      headers,
      body: body as NonNullable<RequestInit['body']>,
      redirect: 'manual',
      signal,
    })
    const { status } = answer
    const bytes = await bytesOf(answer, mostBytes)
    return new Response(bytes.length > 0 ? bytes : null, { status, headers: answer.headers })
  }
}
