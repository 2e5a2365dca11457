import type { CustomFetch } from 'openid-client'
import { bytesOf } from './boundedAnswer.js'

/** Bytes of an answer: metadata, keys and tokens need some thousands. */
const mostBytes = 256 * 1024

/**
 * A fetch that `signal` ends at any byte, follows no redirect, and throws when an answer is too
 * long.
 */
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
