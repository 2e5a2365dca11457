import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { printTimes, verdict } from './verdict.js'
import { benchDatabase } from './world.js'

type Measured = { perSecond: number[]; slowest: { name: string; ms: number }[] }

/**
 * How fast one process reads and recognises the samples of the corpus, and how long the slowest
 * takes.
 */
export async function samples(): Promise<boolean> {
  const world = await benchDatabase()
  try {
    const env = { ...process.env, ...world.env, INBOUND_EMAIL_SECRET: 'bench-inbound-secret' }
    const child = fork(fileURLToPath(new URL('./servers/sampleReader.js', import.meta.url)), [], { env })
    const ended = once(child, 'exit')
    const [message] = await Promise.race([
      once(child, 'message'),
      ended.then(([code]) => Promise.reject(new Error(`sampleReader ended with ${code}`))),
    ])
    const { perSecond, slowest } = message as Measured
    await ended
    for (const { name, ms } of slowest.slice(0, 5)) printTimes(`ms of ${name}`, [ms])
    return [
      verdict('samples read and recognised a second, on one core', perSecond, { atLeast: 500 }),
      verdict('ms of the slowest sample', [slowest[0]!.ms], { atMost: 50 }),
    ].every(Boolean)
  } finally {
    await world.stop()
  }
}
