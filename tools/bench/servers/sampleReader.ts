// First, because the configuration reads the environment when its module is loaded.
import '../../../test/support/email/corpus/environment.js'

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createListener } from '../../../src/app/app.js'
import { seedDemo } from '../../../src/demo/seed.js'
import { recognitionSettings } from '../../../src/inbound/recognitionSettings.js'
import { closeDatabase, openDatabase } from '../../../src/platform/db/pools.js'
import { config } from '../../../src/platform/process/config.js'
import { prepareOriginals } from '../../../test/support/email/corpus/originals.js'
import { readAndRecognise } from '../../../test/support/email/corpus/recognised.js'
import { emailOf, readSamples } from '../../../test/support/email/corpus/samples.js'
import { signedInAt } from '../../../test/support/signedInAt.js'
import { sized } from '../size.js'

/** Rounds over the corpus that are measured, after one that is not. */
const rounds = sized({ usual: 5, tiny: 1 })

/**
 * Reads and recognises every sample of the corpus, one after the other. Tells its parent how many a
 * second each round did, and of each sample the median of its milliseconds, slowest first.
 */
openDatabase(config.databaseUrl!)
await seedDemo()
const server = createServer(createListener())
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const { manager } = await signedInAt(origin, ['manager'])

async function json(who: string, path: string, asked: { json: object }): Promise<any> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
  if (who === 'manager') headers.cookie = manager!
  if (who === 'inbound') headers.authorization = `Bearer ${config.inboundEmailSecret}`
  const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(asked.json) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const originals = await prepareOriginals({ json })
const samples = readSamples()
const emails = await Promise.all(samples.map((sample) => emailOf(sample, originals)))
const ours = await recognitionSettings()
const times: number[][] = emails.map(() => [])
const perSecond: number[] = []
for (let round = 0; round <= rounds; round++) {
  const began = performance.now()
  for (const [i, email] of emails.entries()) {
    const start = performance.now()
    await readAndRecognise(email, ours)
    if (round > 0) times[i]!.push(performance.now() - start)
  }
  if (round > 0) perSecond.push((emails.length * 1000) / (performance.now() - began))
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
const slowest = samples.map(({ name }, i) => ({ name, ms: median(times[i]!) })).sort((a, b) => b.ms - a.ms)
process.send!({ perSecond, slowest: slowest.slice(0, 10) })
process.disconnect()
server.close()
await closeDatabase()
