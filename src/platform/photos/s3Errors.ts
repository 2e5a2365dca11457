import { StorageUnavailable } from './storage.js'

/** What the SDK throws: `name` is the store's code, or the system's where there was no answer. */
type S3Error = Error & { code?: string; $metadata?: { httpStatusCode?: number } }

/** No such object; a missing bucket is something else. */
export function isAbsent(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes((error as S3Error).name)
}

/** Somebody else was first at a conditional write. */
export function isTaken(error: unknown): boolean {
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
export function s3Unavailable(error: unknown): StorageUnavailable {
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
