import { createHash, randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { S3Settings } from '../process/config.js'
import { ownerText, readOwner } from './ownership.js'
import {
  element,
  encryptionHeaders,
  type S3Client,
  S3Error,
  type S3Request,
  s3Client,
  s3List,
  timeoutError,
} from './s3Client.js'
import { failWhenStalled } from './stallTimeout.js'
import {
  type Area,
  type ListedFile,
  onlyPhotoPaths,
  type PhotoStore,
  StoreUnavailable,
  sha256,
} from './store.js'

const codeOf = (error: unknown) => (error as { code?: string }).code ?? ''

/** No such object; a missing bucket is something else. */
const isAbsent = (error: unknown) => ['NoSuchKey', 'NotFound'].includes(codeOf(error))

/** Another process was first at a conditional write. */
const isTaken = (error: unknown) =>
  ['PreconditionFailed', 'ConditionalRequestConflict'].includes(codeOf(error))

const keys = 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY'

/** What an operator has to correct, by the store's code. */
const refusals: Record<string, string> = {
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID: the store does not know this key',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY: it does not belong to S3_ACCESS_KEY_ID',
  NoSuchBucket: 'S3_BUCKET: the store has no bucket of this name',
  InvalidBucketName: 'S3_BUCKET: no bucket can have this name',
  PermanentRedirect: 'S3_REGION: the bucket is elsewhere',
  AuthorizationHeaderMalformed: 'S3_REGION: the bucket is elsewhere',
  IllegalLocationConstraintException: 'S3_REGION: the bucket is elsewhere',
  AccessDenied: `S3_BUCKET, ${keys}: this key may not list, read, write and delete there`,
}

/** Codes of a bad moment, whatever their status is. */
const temporaryCodes = ['RequestTimeTooSkewed', 'RequestTimeout', 'SlowDown', 'BadDigest']

/** The error as ours: away for now, or refused for good, naming the settings. */
function s3Unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  const status = error instanceof S3Error ? error.status : 0
  const refused = status >= 300 && status < 500 && status !== 429 && !temporaryCodes.includes(codeOf(error))
  // An abort has no code of the system.
  const cause = codeOf(error) ? error : timeoutError()
  return new StoreUnavailable({ cause, refusal: refused ? refusalOf(codeOf(error), status) : null })
}

function refusalOf(name: string, status: number): string {
  if (Object.hasOwn(refusals, name)) return refusals[name]!
  if (status === 401 || status === 403) return `${refusals.AccessDenied} (${status})`
  return `S3_ENDPOINT, S3_BUCKET: no S3 store answers there as asked (${status})`
}

/**
 * Milliseconds: of one call with its second try; of one try, to the head of the answer; in which
 * calls fail at once after one that found the store away; without a byte of a photo that its reader
 * waits for.
 */
export type StoreTimeouts = { call: number; oneTry: number; away: number; stall: number }

/** A report is refused within 10 s of the store's going away, and none queues up behind another. */
const usual: StoreTimeouts = { call: 7_000, oneTry: 3_000, away: 1_000, stall: 10_000 }

/** The object that says whose store it is. */
const ownerKey = 'building'
/** As the object's own metadata, so that a copy can be compared without reading it. */
const digestHeader = 'x-amz-meta-sha256'

/**
 * Photos as objects of a bucket, `photos/<path>` and `trash/<path>`, for any number of machines
 * (decision 5.7). Nothing in it is public: readers get their bytes from us. Every call has a
 * deadline.
 */
export function s3Store(settings: S3Settings, patience = usual): PhotoStore {
  const call = callsTo(settings, patience)
  /** Asks for something whose answer is a short text, and reads it within the deadline. */
  const ask = (request: S3Request) => call((client, signal) => client.ask(request, signal))
  const at = (path: string, area: Area = 'photos') => `${area}/${path}`

  const put = (key: string, body: Buffer, headers: Record<string, string> = {}) =>
    ask({
      method: 'PUT',
      key,
      body,
      headers: {
        'content-type': key.endsWith('.jpg') ? 'image/jpeg' : 'text/plain',
        // The store refuses what was damaged on its way.
        'content-md5': createHash('md5').update(body).digest('base64'),
        [digestHeader]: createHash('sha256').update(body).digest('hex'),
        ...encryptionHeaders(settings),
        ...headers,
      },
    })

  const get = (key: string) =>
    unlessAbsent(call((client, signal) => client.send({ method: 'GET', key }, signal)))

  const open = async (path: string) => {
    const answer = await get(at(path))
    return (
      answer && {
        stream: failWhenStalled(answer, patience.stall),
        size: Number(answer.headers['content-length']),
      }
    )
  }

  const remove = (key: string) => ask({ method: 'DELETE', key }).then(() => undefined)

  const owner = async () => {
    const answer = await get(ownerKey)
    return answer && readOwner(await text(failWhenStalled(answer, patience.stall)))
  }

  return onlyPhotoPaths({
    put: (path, bytes) => put(at(path), bytes).then(() => undefined),
    open,
    async digest(path) {
      const head = await unlessAbsent(
        call((client, signal) => client.send({ method: 'HEAD', key: at(path) }, signal)),
      )
      head?.resume()
      const stored = head?.headers[digestHeader]
      if (typeof stored === 'string') return stored
      const file = head && (await open(path))
      return file && sha256(file.stream)
    },
    remove: (path, area) => remove(at(path, area)),
    async move(path, to) {
      const from = at(path, to === 'trash' ? 'photos' : 'trash')
      const headers = {
        'x-amz-copy-source': `${settings.bucket}/${from}`,
        ...encryptionHeaders(settings),
      }
      const request: S3Request = { method: 'PUT', key: at(path, to), headers }
      const copied = await unlessAbsent(
        call(async (client, signal) => requireCopied(await client.ask(request, signal))),
      )
      if (copied !== null) await remove(from)
    },
    async *list(area): AsyncGenerator<ListedFile> {
      for await (const { key, modified } of s3List(ask, `${area}/`))
        yield { path: key.slice(area.length + 1), since: modified }
    },
    // A put is whole or not there.
    removeTemporary: async () => 0,
    async check() {
      const key = `check/${randomBytes(16).toString('hex')}`
      await put(key, Buffer.from('written by a check of the store\n'))
      await remove(key)
    },
    owner,
    async claim(buildingId, takeOver = false) {
      const bytes = Buffer.from(ownerText(buildingId))
      const onlyWhenAbsent = takeOver ? {} : { 'if-none-match': '*' }
      // Stores without conditional writes would overwrite, so look first. With such a store, two
      // claims at the same moment both succeed.
      const currentOwner = takeOver ? null : await owner()
      if (currentOwner === null) await unlessTaken(put(ownerKey, bytes, onlyWhenAbsent))
      return currentOwner ?? (await owner())!
    },
  })
}

/**
 * Returns the answer to a copy if it says that the copy was made. A store that fails after it has
 * begun to answer says so below a status of 200, and the only photo there is would be deleted.
 */
function requireCopied(answer: string): string {
  if (/<(\w+:)?CopyObjectResult\b/.test(answer)) return answer
  throw new S3Error(element(answer, 'Code') ?? 'InternalError', 503)
}

type Call = <T>(act: (client: S3Client, signal: AbortSignal) => Promise<T>) => Promise<T>

/** The one way to call a store: within a deadline, and not at all while it was just found away. */
function callsTo(settings: S3Settings, patience: StoreTimeouts): Call {
  const client = s3Client(settings, patience.oneTry)
  let away: { until: number; error: StoreUnavailable } | null = null
  return async (act) => {
    if (away && performance.now() < away.until) throw new StoreUnavailable({ cause: away.error.cause })
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), patience.call)
    try {
      const answer = await act(client, deadline.signal)
      away = null
      return answer
    } catch (error) {
      if (isAbsent(error) || isTaken(error)) throw error
      const unavailable = s3Unavailable(deadline.signal.aborted ? timeoutError() : error)
      if (unavailable.refusal === null)
        away = { until: performance.now() + patience.away, error: unavailable }
      throw unavailable
    } finally {
      clearTimeout(timer)
    }
  }
}

async function unlessAbsent<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error) => {
    if (isAbsent(error)) return null
    if (isTaken(error)) throw s3Unavailable(error)
    throw error
  })
}

async function unlessTaken(answer: Promise<unknown>): Promise<void> {
  await answer.catch((error) => {
    if (!isTaken(error)) throw error
  })
}
