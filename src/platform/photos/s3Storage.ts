import { createHash, randomBytes } from 'node:crypto'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../ops/config.js'
import { readBuilding, written } from './buildingFile.js'
import { sha256 } from './digest.js'
import { type Area, type ListedFile, type PhotoStore, photosAlone, StorageUnavailable } from './storage.js'

/** What the SDK throws: `name` is the store's code, or the system's where there was no answer. */
type S3Error = Error & { code?: string; $metadata?: { httpStatusCode?: number } }

/** No such object; a missing bucket is something else. */
function isAbsent(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes((error as S3Error).name)
}

/** Somebody else was first at a conditional write. */
function isTaken(error: unknown): boolean {
  return ['PreconditionFailed', 'ConditionalRequestConflict'].includes((error as S3Error).name)
}

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
const passing = ['RequestTimeTooSkewed', 'RequestTimeout', 'SlowDown', 'BadDigest', 'TimeoutError']

/** The error as ours: away for now, or refused for good, naming the settings. */
function s3Unavailable(error: unknown): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error
  const { name, $metadata } = error as S3Error
  const status = $metadata?.httpStatusCode ?? 0
  const refused = status >= 300 && status < 500 && status !== 429 && !passing.includes(name)
  return new StorageUnavailable({ cause: withCode(error), refusal: refused ? refusalOf(name, status) : null })
}

function refusalOf(name: string, status: number): string {
  if (Object.hasOwn(refusals, name)) return refusals[name]!
  if (status === 401 || status === 403) return `${refusals.AccessDenied} (${status})`
  return `S3_ENDPOINT, S3_BUCKET: no S3 store answers there as asked (${status})`
}

/** The cause for the log: our own deadline has no code of its own. */
function withCode(error: unknown): unknown {
  const { name, code, message } = error as S3Error
  if (code !== undefined) return error
  const late = name === 'AbortError' || name === 'TimeoutError'
  return Object.assign(new Error(late ? 'the store did not answer in time' : message.slice(0, 200)), {
    code: late ? 'ETIMEDOUT' : name,
  })
}

/**
 * The same bytes, taken no faster than they are read; destroying it destroys the source. Fails when
 * the source ends early, or gives nothing for `ms` milliseconds while a reader waits.
 */
function unlessStalled(source: Readable, ms: number): Readable {
  let moved = performance.now()
  const passed = new PassThrough()
  source.on('data', () => {
    moved = performance.now()
  })
  const isStalled = () => {
    // A slow reader is somebody else's matter.
    if (passed.writableNeedDrain) moved = performance.now()
    return performance.now() - moved >= ms
  }
  let again: NodeJS.Immediate | undefined
  const look = () => {
    // Takes what came while this process was busy before it counts as stalled.
    if (isStalled()) again = setImmediate(() => isStalled() && cut(stalled()))
  }
  const stalled = () =>
    Object.assign(new Error('the store stopped half-way of an answer'), { code: 'ETIMEDOUT' })
  const cut = (cause: unknown) => passed.destroy(new StorageUnavailable({ cause }))
  source.once('error', cut)
  // Whoever reads it hears of it, and nobody may have begun to.
  passed.on('error', () => {})
  const looking = setInterval(look, ms / 4)
  looking.unref()
  pipeline(source, passed, (error) => {
    clearInterval(looking)
    clearImmediate(again)
    if (error) source.destroy()
  })
  return passed
}

type Sdk = typeof import('@aws-sdk/client-s3')
type Ask = { sdk: Sdk; client: S3Client; abortSignal: AbortSignal }

/**
 * Milliseconds: of one call with its second try; of one try, to the head of the answer; in which
 * calls fail at once after one that found the store away; without a byte of a photo that its reader
 * waits for.
 */
export type Patience = { call: number; oneTry: number; away: number; stall: number }

/** A report is refused within 10 s of the store's going away, and none queues up behind another. */
const usual: Patience = { call: 7_000, oneTry: 3_000, away: 1_000, stall: 10_000 }

const building = 'building'
/** As the object's own metadata, so that a copy can be compared without reading it. */
const digestName = 'sha256'

/**
 * Photos as objects of a bucket, `photos/<path>` and `trash/<path>`, for any number of machines
 * (decision 5.7). Nothing in it is public: readers get their bytes from us. Every call has a
 * deadline.
 */
export function s3Storage(settings: S3Settings, patience = usual): PhotoStore {
  const { bucket, encryption, kmsKeyId } = settings
  const call = callsTo(settings, patience)
  const encrypted = {
    ...(encryption ? { ServerSideEncryption: encryption } : {}),
    ...(kmsKeyId ? { SSEKMSKeyId: kmsKeyId } : {}),
  }
  const at = (path: string, area: Area = 'photos') => ({ Bucket: bucket, Key: `${area}/${path}` })

  const put = (key: string, bytes: Buffer, more: { IfNoneMatch?: string } = {}) =>
    call(({ sdk, client, abortSignal }) => {
      const command = new sdk.PutObjectCommand({
        ...{ Bucket: bucket, Key: key, Body: bytes, ContentLength: bytes.length, ...encrypted, ...more },
        ContentType: key.endsWith('.jpg') ? 'image/jpeg' : 'text/plain',
        // The store refuses what was damaged on its way.
        ContentMD5: createHash('md5').update(bytes).digest('base64'),
        Metadata: { [digestName]: createHash('sha256').update(bytes).digest('hex') },
      })
      return client.send(command, { abortSignal })
    })

  const get = (key: string) =>
    unlessAbsent(
      call(({ sdk, client, abortSignal }) =>
        client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }), { abortSignal }),
      ),
    )

  const open = async (path: string) => {
    const answer = await get(at(path).Key)
    return answer && { stream: unlessStalled(bodyOf(answer), patience.stall), size: answer.ContentLength! }
  }

  const remove = (key: string) =>
    call(({ sdk, client, abortSignal }) =>
      client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }), { abortSignal }),
    ).then(() => undefined)

  const owner = async () => {
    const answer = await get(building)
    return answer && readBuilding((await buffer(unlessStalled(bodyOf(answer), patience.stall))).toString())
  }

  return photosAlone({
    put: (path, bytes) => put(at(path).Key, bytes).then(() => undefined),
    open,
    async digest(path) {
      const head = await unlessAbsent(
        call(({ sdk, client, abortSignal }) =>
          client.send(new sdk.HeadObjectCommand(at(path)), { abortSignal }),
        ),
      )
      if (head?.Metadata?.[digestName]) return head.Metadata[digestName]
      const file = head && (await open(path))
      return file && sha256(file.stream)
    },
    remove: (path, area) => remove(at(path, area).Key),
    async move(path, to) {
      const from = at(path, to === 'trash' ? 'photos' : 'trash')
      const copied = await unlessAbsent(
        call(({ sdk, client, abortSignal }) => {
          const source = { CopySource: `${bucket}/${from.Key}` }
          const command = new sdk.CopyObjectCommand({ ...at(path, to), ...source, ...encrypted })
          return client.send(command, { abortSignal })
        }),
      )
      if (copied) await remove(from.Key)
    },
    async *list(area): AsyncGenerator<ListedFile> {
      let next: string | undefined
      do {
        const page = await call(({ sdk, client, abortSignal }) => {
          const asked = { Bucket: bucket, Prefix: `${area}/`, ContinuationToken: next }
          return client.send(new sdk.ListObjectsV2Command(asked), { abortSignal })
        })
        for (const { Key = '', LastModified } of page.Contents ?? [])
          yield { path: Key.slice(area.length + 1), since: LastModified?.getTime() ?? Date.now() }
        next = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (next)
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
      const bytes = Buffer.from(written(buildingId))
      const alone = takeOver ? {} : { IfNoneMatch: '*' }
      // Stores that know no condition overwrite: asked first, then, as two at once cannot be told
      // apart.
      const known = takeOver ? null : await owner()
      if (known === null) await unlessTaken(put(building, bytes, alone))
      return known ?? (await owner())!
    },
  })
}

/**
 * The client of a store, and the one way to call it: loaded when first called, within a deadline.
 */
function callsTo(settings: S3Settings, patience: Patience): <T>(act: (ask: Ask) => Promise<T>) => Promise<T> {
  let loaded: Promise<{ sdk: Sdk; client: S3Client }> | null = null
  let away: { until: number; error: StorageUnavailable } | null = null
  return async (act) => {
    if (away && performance.now() < away.until) throw new StorageUnavailable({ cause: away.error.cause })
    loaded ??= clientOf(settings, patience)
    const { sdk, client } = await loaded
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), patience.call)
    try {
      const answer = await act({ sdk, client, abortSignal: late.signal })
      away = null
      return answer
    } catch (error) {
      if (isAbsent(error) || isTaken(error)) throw error
      const unavailable = s3Unavailable(error)
      if (unavailable.refusal === null)
        away = { until: performance.now() + patience.away, error: unavailable }
      throw unavailable
    } finally {
      clearTimeout(timer)
    }
  }
}

async function clientOf(settings: S3Settings, { oneTry }: Patience): Promise<{ sdk: Sdk; client: S3Client }> {
  // Few deployments need it, and it takes a quarter of a second and 20 MB.
  const sdk = await import('@aws-sdk/client-s3')
  const { endpoint, region, accessKeyId, secretAccessKey, forcePathStyle } = settings
  const client = new sdk.S3Client({
    ...(endpoint ? { endpoint } : {}),
    region,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 2,
    // Stores other than Amazon's refuse the checksums it demands nowhere.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: oneTry,
      requestTimeout: oneTry,
      throwOnRequestTimeout: true,
      // Readers who take their time hold a connection each.
      httpAgent: { keepAlive: true, maxSockets: 200 },
      httpsAgent: { keepAlive: true, maxSockets: 200 },
      socketAcquisitionWarningTimeout: 60_000,
    },
  })
  return { sdk, client }
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

const bodyOf = (answer: GetObjectCommandOutput) => answer.Body as unknown as Readable
