import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Koa from 'koa'
import { texts } from '../../../text/index.js'
import { own } from '../../../vocabulary/collections.js'
import { log } from '../../process/log.js'
import type { Middleware } from '../context.js'
import { problemDocument, problemFrom } from '../problem.js'
import { loggablePath } from '../protection/loggablePath.js'
import { securityHeaders } from '../protection/securityHeaders.js'
import { negotiate } from '../representation.js'
import { referenceOf } from './problemText.js'
import { refreshOf } from './redirect.js'

type ProblemText = { title: string; detail: string }

/** The problem texts of every language, copied at start: the catalogue may fail later. */
const problemTexts = Object.values(texts).map((text) => ({
  ...(text.problems as Record<string, ProblemText>),
}))

/** Catches errors that the `errors` middleware could not answer, or that are thrown around it. */
export function lastResort(): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      ctx.respond = false
      answerPlainly(error, ctx.req, ctx.res)
    }
  }
}

/** What ends a connection from the client's side, or on the way to it. */
const ends = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_HTTP_REQUEST_TIMEOUT',
])

/**
 * Whether the client's connection ended in the middle of a request or of its answer, or brought
 * bytes that are no HTTP (Node's parser: HPE_…). Anyone can make such an end: it is no error of the
 * server.
 */
function isClientEnd({ code }: Error & { code?: unknown }): boolean {
  // Some libraries give numbers.
  if (typeof code !== 'string') return false
  return code.startsWith('HPE_') || ends.has(code)
}

/**
 * Makes Koa answer likewise when writing a response fails (`ctx.onerror`). The end of the client's
 * connection is not logged, because the line of its request says that it is unfinished; Node
 * closes that connection.
 */
export function answerForKoa(app: Koa): void {
  app.context.onerror = function (this: Koa.Context, error: Error | null) {
    if (error === null || error === undefined || isClientEnd(error)) return
    if (this.headerSent || !this.writable) this.app.emit('error', error, this)
    else answerPlainly(error, this.req, this.res)
  }
}

/**
 * Answers an error with what was made at start: no catalogue, database or session. The security
 * headers are set, and of the others only the one by which a page asks again is kept. When a
 * response has started already, its connection is closed.
 */
export function answerPlainly(error: unknown, req: IncomingMessage, res: ServerResponse): void {
  const requestId = String(res.getHeader('X-Request-Id') ?? randomUUID())
  const refresh = refreshOf(res)
  const [path = '/'] = (req.url ?? '/').split('?')
  const problem = problemFrom(error)
  log.error({ requestId, code: problem.code, path: loggablePath(path), error }, 'request failed')
  if (res.headersSent) {
    res.destroy()
    return
  }
  for (const name of res.getHeaderNames()) res.removeHeader(name)
  const request = { path, accept: req.headers.accept, bearer: req.headers.authorization !== undefined }
  const isJson = negotiate(request) === 'json'
  const words = wordsFor(problem.code)
  const body = isJson
    ? problemDocument(problem, words[0]!, requestId)
    : asText(words, referenceOf(problem, requestId))
  res.writeHead(problem.status, {
    ...securityHeaders,
    ...problem.headers,
    'X-Request-Id': requestId,
    ...(refresh === undefined ? {} : { Refresh: refresh }),
    'Cache-Control': 'no-store',
    'Content-Type': isJson ? 'application/problem+json' : 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...(req.complete ? {} : { Connection: 'close' }),
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}

function asText(words: ProblemText[], reference: string | null): string {
  const sentences = words.map(({ title, detail }) => `${title}\n${detail}\n`)
  return [...sentences, ...(reference ? [`${reference}\n`] : [])].join('\n')
}

/** In every language, because finding out the reader's may be what failed. */
function wordsFor(code: string): ProblemText[] {
  return problemTexts.map((problems) => own(problems, code) ?? problems.internal!)
}
