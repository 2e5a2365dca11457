import { describe, expect, it } from 'vitest'
import { change } from '../../../src/platform/db/change.js'
import {
  inSnapshot,
  query,
  queryOn,
  queryReserved,
  queryUnprepared,
  takeConnection,
} from '../../../src/platform/db/database.js'
import { systemActor } from '../../../src/vocabulary/people/actor.js'
import { useDatabase } from '../../support/database.js'

useDatabase()

const text = 'select $1::integer as tower_id, null as cost_365_cents, 7 as "alreadyNamed", now() as at'

describe('a row has the fields of its columns', () => {
  const row = { towerId: 3, cost365Cents: null, alreadyNamed: 7, at: expect.any(Date) }

  it.each(Object.entries({ query, queryUnprepared, queryReserved }))('from %s', async (_name, run) => {
    expect(await run(text, [3])).toEqual([row])
  })

  it('from a snapshot, a change and a connection', async () => {
    expect(await inSnapshot((run) => run(text, [3]))).toEqual([row])
    await change(systemActor('cli'), async (c) => {
      expect(await c.query(text, [3])).toEqual([row])
      c.noop()
    })
    const client = await takeConnection()
    expect(await queryOn(client)(text, [3])).toEqual([row])
    client.release()
  })

  it('and several commands in one text have none', async () => {
    expect(await query('select 1 as one; select 2 as two')).toEqual([])
  })
})
