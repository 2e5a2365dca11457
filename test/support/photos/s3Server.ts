import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { S3Settings } from '../../../src/platform/process/config.js'
import { checkout } from '../compiled.js'

export type S3Server = {
  endpoint: string
  settings: S3Settings
  /** The same for a process. */
  env: Record<string, string>
  /** Makes an object older by that. */
  age: (key: string, ms: number) => Promise<void>
  /** Stops it at once; what it keeps is gone. */
  stop: () => Promise<void>
}

const accessKeyId = 'AKIACARETAKERTESTS'
const secretAccessKey = 'secret/of+the/tests'
const region = 'us-east-1'
const bucket = 'caretaker-photos'

const script = path.join(checkout, 'test', 'support', 'photos', 's3Process.mjs')

/**
 * An object store in a process of its own, with one bucket. `port`: of one that was stopped, to
 * come back, empty.
 */
export async function startS3({ port = 0 } = {}): Promise<S3Server> {
  const child = spawn(
    process.execPath,
    [script, String(port), bucket, accessKeyId, secretAccessKey, region],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const listening = await new Promise<number>((resolve, reject) => {
    child.stdout!.once('data', (text) => resolve(Number(text)))
    child.once('exit', (code) => reject(new Error(`the object store ended with ${code}`)))
  })
  const endpoint = `http://127.0.0.1:${listening}`
  return {
    endpoint,
    settings: s3SettingsAt(endpoint),
    env: s3EnvironmentAt(endpoint),
    async age(key, ms) {
      child.send({ age: [key, ms] })
      await once(child, 'message')
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Settings of a store at this address. */
export const s3SettingsAt = (endpoint: string, more: Partial<S3Settings> = {}): S3Settings => ({
  bucket,
  endpoint,
  region,
  accessKeyId,
  secretAccessKey,
  forcePathStyle: true,
  encryption: null,
  kmsKeyId: null,
  ...more,
})

/** The same as environment variables. */
export const s3EnvironmentAt = (endpoint: string): Record<string, string> => ({
  PHOTO_STORE: 's3',
  S3_BUCKET: bucket,
  S3_ENDPOINT: endpoint,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
})
