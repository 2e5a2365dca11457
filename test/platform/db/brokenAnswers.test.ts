import { connect, createServer, type Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile, openCsvFiles } from '../../../src/platform/db/csvFile.js'
import { query } from '../../../src/platform/db/database.js'
import { closeDatabase, openDatabase } from '../../../src/platform/db/pools.js'
import { databaseAway } from '../../../src/platform/process/databaseErrors.js'
import { useDatabase } from '../../support/database.js'
import { eventually } from '../../support/run/eventually.js'
import { perRun } from '../../support/run/extent.js'
import { listenOnFreePort } from '../../support/run/ports.js'

const url = useDatabase()

/** What the way to the database makes of the next answer that has rows; null: passes it. */
let broken: ((answer: Buffer) => Buffer) | null = null
let server: Server

beforeAll(async () => {
  server = await startBreaking()
  await reopen()
})
afterAll(() => void server.close())

describe('an answer of the database', () => {
  it('that ends in a row with other words in it is a lost connection, and no end of the process', async () => {
    const within = (answer: Buffer) => answer.indexOf('whole and sound') - 6
    const error = await asked((answer) => Buffer.concat([answer.subarray(0, within(answer)), gone, gone]))
    expect(databaseAway(error), String(error)).toBe(true)
    expect(error).toMatchObject({ cause: { code: 'ERR_OUT_OF_RANGE' } })
  })

  it('that is a file does not look whole, wherever it is cut and whatever follows', async () => {
    const file = async () => {
      const select = `select 'whole and sound ' || n as word from generate_series(1, 20) n`
      return (await buffer(await csvFile({ select, quoted: [] }))).toString()
    }
    const whole = await file()
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.boolean(), fc.uint8Array({ maxLength: 200 }), async (n, early, bytes) => {
        broken = (answer) => {
          // Five bytes before its text a row begins: what follows is read as the next message.
          const at = early ? answer.indexOf('whole and sound') - 5 : n % answer.length
          return Buffer.concat([answer.subarray(0, at), bytes])
        }
        const result = await file().catch((error: unknown) => error)
        broken = null
        if (!(result instanceof Error)) expect(result).toBe(whole)
        expect(openCsvFiles()).toBe(0)
      }),
      { numRuns: perRun({ quick: 30, whole: 150 }), examples: [[0, true, unknownMessage]] },
    )
  })

  it('is whole or none, wherever it is cut and whatever follows', { timeout: 300_000 }, async () => {
    await reopen({ patience })
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.boolean(), fc.uint8Array({ maxLength: 200 }), async (n, early, bytes) => {
        const result = await asked((answer) => {
          const at = early ? answer.indexOf('whole and sound') - (n % 16) : n % answer.length
          return Buffer.concat([answer.subarray(0, at), bytes])
        })
        if (!(result instanceof Error)) expect(result).toHaveLength(20)
      }),
      { numRuns: perRun({ quick: 30, whole: 150 }) },
    )
  })
})

/**
 * Milliseconds a statement may take where nothing ends it: bytes that begin a message
 * nobody ends leave it waiting.
 */
const patience = 200

/** A way to the database that makes of an answer what `broken` does. */
async function startBreaking(): Promise<Server> {
  const target = new URL(url())
  const way = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far])
      socket.on('error', () => {}).on('close', () => void [near, far].map((each) => each.destroy()))
    near.pipe(far)
    far.on('data', (answer: Buffer) => {
      if (!broken || !answer.includes('whole and sound')) return near.write(answer)
      const changed = broken(answer)
      broken = null
      far.destroy()
      return near.end(changed)
    })
  })
  await listenOnFreePort(way)
  return way
}

/** Leads the database of this process over that way. */
async function reopen(limits: { patience?: number } = {}): Promise<void> {
  await closeDatabase()
  const { port } = server.address() as { port: number }
  openDatabase(Object.assign(new URL(url()), { hostname: '127.0.0.1', port: String(port) }).href, 2, limits)
}

const rows = () =>
  query<{ word: string }>(`select 'whole and sound ' || n as word from generate_series(1, 20) n`)

/**
 * Asks once over a way that breaks the answer, and once over one that does not;
 * returns what the first came to.
 */
async function asked(breaking: (answer: Buffer) => Buffer): Promise<unknown> {
  broken = breaking
  const first = await rows().catch((error: unknown) => error)
  broken = null
  // One that ends after a whole answer may be lent once more.
  expect(await eventually(rows, 5)).toHaveLength(20)
  return first
}

/** What a pooler says in place of the rest when its server has gone. */
const gone = Buffer.concat([
  Buffer.from('E'),
  Buffer.from([0, 0, 0, 60]),
  Buffer.from('SFATAL\0C08P01\0Mserver conn crashed?\0'.padEnd(56, '\0')),
])

/** A message that no server sends, and nothing in it. */
const unknownMessage = Uint8Array.of(0x58, 0, 0, 0, 4)
