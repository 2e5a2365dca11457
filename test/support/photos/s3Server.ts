import { spawn } from 'node:child_process'
import { utimes } from 'node:fs/promises'
import path from 'node:path'
import type { S3Settings } from '../../../src/platform/process/config.js'
import { checkout } from '../built.js'
import { newFolder } from '../suite/folders.js'

export type S3Server = {
  endpoint: string
  settings: S3Settings
  /** The same for a process. */
  env: Record<string, string>
  /** Makes an object as old as that. */
  age: (key: string, ms: number) => Promise<void>
  /** Stops it at once; what it keeps is gone. */
  stop: () => Promise<void>
}

/** The one key s3rver knows. */
const key = 'S3RVER'
const bucket = 'caretaker-photos'

const script = path.join(checkout, 'test', 'support', 'photos', 's3Process.cjs')

/**
 * A real S3 server in a process of its own, with one bucket. `port`: of one that
 * was stopped, to come back.
 */
export async function startS3({ port = 0 } = {}): Promise<S3Server> {
  const folder = newFolder()
  const child = spawn(process.execPath, [script, folder, String(port), bucket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const listening = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(Number(text)))
    child.once('exit', (code) => reject(new Error(`s3rver ended with ${code}`)))
  })
  const endpoint = `http://127.0.0.1:${listening}`
  return {
    endpoint,
    settings: s3SettingsAt(endpoint),
    env: s3EnvironmentAt(endpoint),
    async age(key, ms) {
      const then = new Date(Date.now() - ms)
      await utimes(path.join(folder, bucket, `${key}._S3rver_object`), then, then)
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
  region: 'us-east-1',
  accessKeyId: key,
  secretAccessKey: key,
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
  S3_ACCESS_KEY_ID: key,
  S3_SECRET_ACCESS_KEY: key,
})
