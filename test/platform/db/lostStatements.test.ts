import { raw } from 'objection'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { change } from '../../../src/platform/db/change.js'
import { inSnapshot, query, queryReserved, queryUnprepared } from '../../../src/platform/db/database.js'
import { closeDatabase, openDatabase } from '../../../src/platform/db/pools.js'
import { Row } from '../../../src/platform/db/row.js'
import { log } from '../../../src/platform/process/log.js'
import { systemActor } from '../../../src/vocabulary/people/actor.js'
import { asOwner, useDatabase } from '../../support/database.js'

const url = useDatabase()

/** One connection for all, so that the statement is lost on the very one it is asked of. */
beforeEach(async () => {
  await closeDatabase()
  openDatabase(url(), 1)
})

describe('a deadlock', () => {
  it.each(['model', 'query', 'queryUnprepared', 'queryAside', 'change'])(
    'does not end %s: it is tried again',
    async (way) => {
      await asOwner(
        `create sequence tries;
       grant usage on sequence tries to caretaker;
       create function deadlock_first(n integer) returns integer language plpgsql as $$ begin
         if nextval('tries') = 1 then raise 'as a migration may make with a reader' using errcode = '40P01'; end if;
         return n;
       end $$`,
        url(),
      )
      onTestFinished(() => asOwner('drop function deadlock_first; drop sequence tries', url()))
      expect(await reading('select deadlock_first(1 + $1::integer) as two')[way]!()).toBe(2)
    },
  )

  it('does not end a snapshot: all of it is read again', async () => {
    const first = `do $$ begin raise 'a deadlock' using errcode = '40P01'; end $$`
    let reads = 0
    await inSnapshot((run) => (reads++ === 0 ? run(first) : run('select 1')))
    expect(reads).toBe(2)
  })
})

describe('behind a pooler that loses prepared statements', () => {
  const ways: Record<string, () => Promise<unknown>> = {
    ...reading('select 1 + $1::integer as two'),
    'first statement of a change': async () =>
      change(
        actor,
        async (c, [made]: { two: number }[]) => {
          c.audit('property.updated', 1)
          return made!.two
        },
        { text: 'select 1 + $1::integer as two', values: [1] },
      ),
  }

  it.each(Object.entries(ways))('%s goes on', async (_way, run) => {
    expect(await run()).toBe(2)
    await loseAll()
    expect(await run()).toBe(2)
    await loseAll()
    expect(await run()).toBe(2)
  })

  it.each(Object.entries(ways))('%s goes on for all who ask at once', async (_way, run) => {
    expect(await run()).toBe(2)
    await loseAll()
    expect(await Promise.all(Array.from({ length: 5 }, run))).toEqual([2, 2, 2, 2, 2])
  })
})

describe('the reason to go on without prepared statements', () => {
  afterEach(() => vi.restoreAllMocks())

  it('is a pooler where they are lost', async () => {
    const info = vi.spyOn(log, 'info')
    await query('select 1 + $1::integer as two', [1])
    await query('deallocate all; select 1')
    await query('select 1 + $1::integer as two', [1])
    expect(info.mock.calls).toEqual([['a pooler is in between: going on without prepared statements']])
  })

  it('is the migration where one has changed their tables', async () => {
    await asOwner('create table changing (a integer); grant select on changing to caretaker', url())
    onTestFinished(() => asOwner('drop table changing', url()))
    const info = vi.spyOn(log, 'info')
    await query('select * from changing where a = $1', [1])
    await asOwner('alter table changing add column b integer', url())
    await query('select * from changing where a = $1', [1])
    expect(info.mock.calls).toEqual([
      ['a migration has changed tables in use: going on without prepared statements'],
    ])
  })
})

const actor = systemActor('cli')

/**
 * What a pooler in transaction mode does to whoever had prepared statements, on
 * each connection there is.
 */
const loseAll = () =>
  Promise.all([query('deallocate all; select 1'), queryReserved('deallocate all; select 1')])

/** Every way to run SQL of ours that reads; each gives 2. */
function reading(read: string): Record<string, () => Promise<unknown>> {
  return {
    model: async () =>
      (await AnyProperty.query().select(raw(read.replace(/^select/, '').replace('$1', '1'))))[0]?.two,
    query: async () => (await query(read, [1]))[0]?.two,
    queryUnprepared: async () => (await queryUnprepared(read, [1]))[0]?.two,
    queryAside: async () => (await queryReserved(read, [1]))[0]?.two,
    consistently: () => inSnapshot(async (run) => (await run(read, [1]))[0]?.two),
    change: () =>
      change(actor, async (c) => {
        c.audit('property.updated', 1)
        return (await c.query(read, [1]))[0]?.two
      }),
  }
}

class AnyProperty extends Row {
  static override tableName = 'properties'
  declare two: number
}
