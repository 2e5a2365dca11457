import type { Socket } from 'node:net'
import fc from 'fast-check'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connection } from '../../../src/platform/db/database.js'
import { useDatabase } from '../../support/database.js'
import { rounds } from '../../support/suite/extent.js'

useDatabase()

let client: pg.PoolClient
beforeEach(async () => {
  client = await connection()
})
afterEach(() => client.release(true))

const [sync, query, ready] = ['S', 'Q', 'Z'].map((letter) => letter.charCodeAt(0))

/**
 * Looks at what goes over a connection. Returns how many statements were still unanswered each time
 * the server said that no transaction was open: it may be another's from then on.
 */
function watched(lent: pg.PoolClient): { leftBehind: () => number[]; sentAtOnce: () => number } {
  const { stream } = (lent as unknown as { connection: { stream: Socket } }).connection
  const left: number[] = []
  let [unanswered, most] = [0, 0]
  let rest = Buffer.alloc(0)
  const write = stream.write.bind(stream) as (chunk: Buffer, ...more: unknown[]) => boolean
  stream.write = ((chunk: Buffer, ...more: unknown[]) => {
    for (let at = 0; at < chunk.length; at += 1 + chunk.readInt32BE(at + 1))
      if (chunk[at] === sync || chunk[at] === query) unanswered += 1
    most = Math.max(most, unanswered)
    return write(chunk, ...more)
  }) as typeof stream.write
  stream.prependListener('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      if (rest[0] === ready) {
        unanswered -= 1
        if (String.fromCharCode(rest[5]!) === 'I') left.push(unanswered)
      }
      rest = rest.subarray(1 + rest.readInt32BE(1))
    }
  })
  return { leftBehind: () => left, sentAtOnce: () => most }
}

/** What each of the statements came to that are asked for without waiting. */
async function asked(...texts: string[]): Promise<string[]> {
  const answers = await Promise.allSettled(texts.map((text) => client.query(text)))
  return answers.map((each) => (each.status === 'fulfilled' ? each.value.command : String(each.reason)))
}

describe('a connection that a pooler lends', () => {
  it('is lent when nothing on it is unanswered', async () => {
    const { leftBehind } = watched(client)
    await client.query('select 1')
    expect(leftBehind()).toEqual([0])
  })

  it('takes statements one behind the other in a transaction', async () => {
    const wire = watched(client)
    await client.query('begin')
    expect(await asked('select 1', 'select 2', 'select 3', 'commit')).toEqual([
      'SELECT',
      'SELECT',
      'SELECT',
      'COMMIT',
    ])
    expect([wire.sentAtOnce(), wire.leftBehind()]).toEqual([4, [0]])
  })

  it('has nothing unanswered when no transaction is open, whatever is asked of it and when', async () => {
    const statement = fc.record({
      text: fc.constantFrom(
        'begin',
        'begin; select 1',
        'select 1; commit',
        'select 1',
        'select 1 / 0',
        'commit',
        ' ROLLBACK',
        'end',
        'abort work',
      ),
      values: fc.constantFrom<unknown[] | undefined>(undefined, []),
      waits: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { maxLength: 12 }), async (statements) => {
        const lent = await connection()
        try {
          const { leftBehind } = watched(lent)
          const answers: Promise<unknown>[] = []
          for (const { text, values, waits } of statements) {
            const extended = values && !text.includes(';')
            answers.push((extended ? lent.query(text, values) : lent.query(text)).catch(() => {}))
            if (waits) await answers.at(-1)
          }
          await Promise.all(answers)
          await lent.query('rollback')
          expect(leftBehind()).toEqual(leftBehind().map(() => 0))
        } finally {
          lent.release(true)
        }
      }),
      { numRuns: rounds(200) },
    )
  })
})
