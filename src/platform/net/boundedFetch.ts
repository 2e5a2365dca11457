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

const words: [RegExp, string][] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'connection refused'],
  [/^(ENOTFOUND|EAI_\w+|ENODATA|EDNS)$/, 'name not found'],
  [/^(ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_\w*TIMEOUT|SOCKET_TIMEOUT)$/, 'no answer'],
  [/CERT|ISSUER|LEAF_SIGNATURE/, 'certificate not trusted'],
  [/^(EPROTO|ERR_SSL_\w+|ERR_TLS_\w+)$/, 'encryption failed'],
  [/^(ECONNRESET|EPIPE|ECONNECTION|ESOCKET|UND_ERR_SOCKET)$/, 'connection lost'],
]

/**
 * What broke, by the first of these error codes that says it, in our words; null when none does.
 */
export function networkFailure(...codes: (string | undefined)[]): string | null {
  for (const code of codes)
    for (const [pattern, word] of words) if (code !== undefined && pattern.test(code)) return word
  return null
}

/** Seconds of a Retry-After header; undefined for a date or nonsense. */
export function secondsToWait(header: string | null | undefined): number | undefined {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
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
