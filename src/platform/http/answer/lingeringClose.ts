import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Middleware } from '../context.js'

/** What is read of a body only to throw it away: more than the five photos of a report. */
export const lingering = { bytes: 64 * 1024 * 1024, milliseconds: 30_000 }

/**
 * Where a request is refused before its body was read, answers at once and closes the connection
 * only after the rest was read and thrown away, within these bounds. Many clients read an answer
 * after their last byte: closed earlier, they see a broken connection, and behind a proxy a 502,
 * instead of the reason.
 */
export function lingeringClose(): Middleware {
  return async (ctx, next) => {
    await next()
    const { body } = ctx
    const isText = typeof body === 'string' || Buffer.isBuffer(body)
    if (!isText || ctx.method === 'HEAD' || ctx.response.get('Connection') !== 'close') return
    const bytes = Buffer.from(body as string)
    ctx.body = Readable.from(answerAndDiscard(bytes, ctx.req))
    ctx.length = bytes.length
  }
}

async function* answerAndDiscard(answer: Buffer, req: IncomingMessage): AsyncGenerator<Buffer> {
  yield answer
  await discard(req)
}

/** Reads to the end of the body, to one of the bounds, or until its sender goes away. */
async function discard(req: IncomingMessage): Promise<void> {
  if (req.readableEnded || req.destroyed) return
  let bytes = 0
  await new Promise<void>((resolve) => {
    const timer = setTimeout(stop, lingering.milliseconds)
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > lingering.bytes) stop()
    }
    function stop() {
      clearTimeout(timer)
      req.pause().off('data', count).off('end', stop).off('close', stop)
      resolve()
    }
    // A connection that breaks is no error here: nobody waits for the answer.
    req.on('error', () => {})
    req.on('end', stop).on('close', stop).on('data', count).resume()
  })
}
