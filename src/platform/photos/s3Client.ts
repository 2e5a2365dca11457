import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Settings } from '../process/config.js'

/**
 * What the store answered with a status of 300 and more; `code` is its own, such as `NoSuchKey`.
 */
export class S3Error extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
  ) {
    super(`the object store answered ${status} ${code}`)
    this.name = 'S3Error'
  }
}

/** `size` in bytes; a stream is opened again for each try. */
type S3Body = Buffer | { size: number; open: () => Readable }

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Of the object; without it the bucket is asked. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: S3Body
}

export type S3Client = ReturnType<typeof s3Client>

/** The first text of an element of this name, or undefined. */
export const element = (xml: string, name: string) => {
  const content = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return content?.replace(/&(amp|lt|gt|quot|apos|#39|#x27);/g, (entity) => entities[entity]!)
}
const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
}

/** More than any error of a store has, in bytes. */
const errorLimit = 100_000

/** The store's code; without a body, one that its status gives. */
async function errorOf(status: number, body: IncomingMessage) {
  let xml = ''
  for await (const chunk of body.setEncoding('utf8')) {
    xml += chunk
    if (xml.length > errorLimit) break
  }
  return new S3Error(element(xml, 'Code') ?? (status === 404 ? 'NotFound' : `Status${status}`), status)
}

/** Our own deadline has passed. */
export const timeoutError = (words = 'the store did not answer in time') =>
  Object.assign(new Error(words), { code: 'ETIMEDOUT' })

/** Whether a second try may help: no answer, or a store that has a bad moment. */
const isTemporary = (error: unknown) => !(error instanceof S3Error) || error.status >= 500

/**
 * A client of one bucket that knows the five requests we make. Each is tried twice. `oneTry`:
 * milliseconds without progress until a try has failed.
 */
export function s3Client(settings: S3Settings, oneTry: number) {
  const { region, accessKeyId, secretAccessKey } = settings
  const base = bucketUrl(settings)
  const protocol = base.protocol === 'http:' ? http : https
  // Readers who take their time hold a connection each.
  const agent = new protocol.Agent({ keepAlive: true, maxSockets: 200 })

  const signed = async ({ method, key = '', query = {}, headers = {} }: S3Request) => {
    const url = new URL(base)
    url.pathname += key
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const keys = { accessKeyId, secretAccessKey, region, service: 's3' }
    return new AwsV4Signer({ method, url: url.href, headers, ...keys }).sign()
  }

  const sendOnce = async (request: S3Request, signal?: AbortSignal): Promise<IncomingMessage> => {
    const { url, headers } = await signed(request)
    const { body } = request
    const size = body === undefined ? undefined : Buffer.isBuffer(body) ? body.length : body.size
    if (size !== undefined) headers.set('content-length', String(size))
    // Opened before there is a request: one that cannot be opened asks for nothing.
    const content = body === undefined || Buffer.isBuffer(body) ? null : body.open()
    const sent = protocol.request(url, {
      method: request.method,
      agent,
      signal,
      headers: Object.fromEntries(headers),
    })
    const timer = setTimeout(() => sent.destroy(timeoutError()), oneTry)
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        sent.once('response', resolve)
        sent.on('error', reject)
        // When one of them fails, both are closed.
        if (content)
          pipeline(
            content.on('data', () => timer.refresh()),
            sent,
            (error) => error && reject(error),
          )
        else sent.end(body)
      }).catch((error: unknown) => {
        sent.destroy()
        throw error
      })
      const { statusCode = 0 } = answer
      if (statusCode >= 300) throw await errorOf(statusCode, answer)
      return answer
    } finally {
      clearTimeout(timer)
    }
  }

  const send = async (request: S3Request, signal?: AbortSignal): Promise<IncomingMessage> => {
    try {
      return await sendOnce(request, signal)
    } catch (error) {
      if (signal?.aborted || !isTemporary(error)) throw error
      return sendOnce(request, signal)
    }
  }

  return {
    /**
     * The answer's head and its unread body: read it to the end or destroy it. Throws S3Error, or
     * the system's error where there was no answer; `ETIMEDOUT` without one for `oneTry`
     * milliseconds.
     */
    send,
    /** The answer's body, read to its end as text. Throws as `send` does. */
    ask: async (request: S3Request, signal?: AbortSignal): Promise<string> =>
      text(await send(request, signal)),
    close: () => agent.destroy(),
  }
}

/** Where the bucket's objects are, with a slash at the end. */
function bucketUrl({ endpoint, region, bucket, forcePathStyle }: S3Settings): URL {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  const path = url.pathname.replace(/\/+$/, '')
  if (forcePathStyle) url.pathname = `${path}/${bucket}/`
  else {
    url.hostname = `${bucket}.${url.hostname}`
    url.pathname = `${path}/`
  }
  return url
}

/** Every object whose key starts with `prefix`; `modified` in epoch milliseconds. */
export async function* s3List(
  ask: (request: S3Request) => Promise<string>,
  prefix: string,
): AsyncGenerator<{ key: string; modified: number }> {
  let next: string | undefined
  do {
    const query = { 'list-type': '2', prefix, ...(next ? { 'continuation-token': next } : {}) }
    const xml = await ask({ method: 'GET', query })
    for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs))
      yield {
        key: element(entry, 'Key') ?? '',
        modified: Date.parse(element(entry, 'LastModified') ?? '') || Date.now(),
      }
    next = element(xml, 'IsTruncated') === 'true' ? element(xml, 'NextContinuationToken') : undefined
  } while (next)
}

/** The headers of an object that the store encrypts, when it is told to. */
export function encryptionHeaders({ encryption, kmsKeyId }: S3Settings): Record<string, string> {
  return {
    ...(encryption ? { 'x-amz-server-side-encryption': encryption } : {}),
    ...(kmsKeyId ? { 'x-amz-server-side-encryption-aws-kms-key-id': kmsKeyId } : {}),
  }
}
