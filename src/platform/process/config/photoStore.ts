import type { ReadVariable, Values } from './variables.js'

const required = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
const others = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_FORCE_PATH_STYLE',
  'S3_SERVER_SIDE_ENCRYPTION',
  'S3_KMS_KEY_ID',
]

/**
 * What is missing of the group (decision 7.19). With `PHOTO_STORE=local` a whole group may be
 * given, as the place `npm run photos` copies to; without a word on it, no one can tell what is
 * meant.
 */
export function photoStoreProblems(readVariable: ReadVariable): string[] {
  const some = [...required, ...others].find(readVariable)
  const store = readVariable('PHOTO_STORE')
  if (store !== 's3' && !some) return []
  const because = store === 's3' ? 'PHOTO_STORE=s3' : some
  const problems = store ? [] : [`PHOTO_STORE: s3 or local must be chosen, as ${some} is given`]
  for (const name of required) if (!readVariable(name)) problems.push(`${name}: required with ${because}`)
  if (!readVariable('S3_REGION') && !readVariable('S3_ENDPOINT'))
    problems.push(`S3_REGION: required with ${because}, or S3_ENDPOINT for a store that is not Amazon's`)
  if (readVariable('S3_KMS_KEY_ID') && readVariable('S3_SERVER_SIDE_ENCRYPTION') !== 'aws:kms')
    problems.push('S3_SERVER_SIDE_ENCRYPTION: aws:kms is required with S3_KMS_KEY_ID')
  return problems
}

/** Where photos are kept, in an object store. */
export type S3Settings = NonNullable<ReturnType<typeof s3Of>>

/** The object store; null when there is none. */
export function s3Of(values: Values) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (!bucket || !accessKeyId || !secretAccessKey) return null
  return {
    bucket,
    accessKeyId,
    secretAccessKey,
    /** Null: Amazon's own, of the region. */
    endpoint: values.S3_ENDPOINT ?? null,
    /** Most stores that are not Amazon's have none, and take this one. */
    region: values.S3_REGION ?? 'us-east-1',
    /** The bucket stands in the path, not in the host's name. */
    forcePathStyle: (values.S3_FORCE_PATH_STYLE ?? String(values.S3_ENDPOINT !== undefined)) === 'true',
    /** Null: as the bucket says. */
    encryption: values.S3_SERVER_SIDE_ENCRYPTION ?? null,
    kmsKeyId: values.S3_KMS_KEY_ID ?? null,
  }
}
