import type { IncomingMessage } from 'node:http'
import type { Context } from '../context.js'
import { Problem } from '../problem.js'

/** What JSON text that can be a body begins with. */
const beginsAsJson = /^\s*[[{]/
const plainText = /^\s*text\/plain(?=\s*(?:;|$))/i

/**
 * Makes the headers of a request say what its body is, before anything reads them. A request
 * without a body has no media type to refuse, whatever it says (decision 9.26). JSON text sent as
 * text/plain or without a type is JSON where the request has an Authorization header, as clients
 * made by generators send it; a form of another site cannot set that header (decision 9.30). Throws
 * 400 when the connection ended.
 */
export async function correctMediaType(ctx: Context): Promise<void> {
  const { headers } = ctx.req
  const type = headers['content-type'] ?? ''
  const mayBeJson = ctx.get('Authorization') !== '' && (type === '' || plainText.test(type))
  const isChunked = headers['transfer-encoding'] !== undefined
  const isEmpty = !isChunked && !(Number(headers['content-length']) > 0)
  if (isEmpty) return leaveOutType(ctx)
  if (!isChunked && !mayBeJson) return
  const start = await startOf(ctx.req)
  if (start === null) leaveOutType(ctx)
  else if (mayBeJson && beginsAsJson.test(start.toString('latin1')))
    headers['content-type'] = type === '' ? 'application/json' : type.replace(plainText, 'application/json')
}

/** For parsers, a request with this header has a body. */
function leaveOutType({ req: { headers } }: Context): void {
  delete headers['content-type']
  delete headers['transfer-encoding']
}

/** The first bytes of a body, which stay to be read; null when it has none. */
async function startOf(req: IncomingMessage): Promise<Buffer | null> {
  for (;;) {
    // A closed connection emits no more events.
    if (req.destroyed && !req.readableEnded) throw new Problem(400, 'malformed_body')
    const chunk = req.read() as Buffer | null
    if (chunk !== null) {
      req.unshift(chunk)
      return chunk
    }
    if (req.readableEnded) return null
    await changed(req)
  }
}

/** Resolves when there is something to read, or will not be. */
function changed(req: IncomingMessage): Promise<void> {
  const events = ['readable', 'end', 'error', 'close']
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) req.off(event, done)
      resolve()
    }
    for (const event of events) req.on(event, done)
  })
}
