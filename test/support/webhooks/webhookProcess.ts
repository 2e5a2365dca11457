import { spawn } from 'node:child_process'
import { compiledFile } from '../compiled.js'
import { keys } from '../keys.js'

/**
 * Ends a process with a signal: SIGTERM as a stop does, SIGKILL as a power cut.
 * Resolves when it is gone.
 */
export type End = (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>

/**
 * What a process needs to know to send the webhooks of this database to receivers on this machine.
 */
export const webhookEnvironment = (url: string) => ({
  ...keys,
  DATABASE_URL: url,
  LOG_LEVEL: 'error',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
})

/** Starts such a process; resolves once it sends. */
export async function startWebhooks(url: string, options: object = {}): Promise<End> {
  const script = await compiledFile('test/support/webhooks/webhookDriver.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    env: { PATH: process.env.PATH ?? '', ...webhookEnvironment(url) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`the sender ended with ${code}`)))
  })
  return (signal) => {
    child.kill(signal)
    return ended
  }
}
