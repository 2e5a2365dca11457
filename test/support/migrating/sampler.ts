import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { blocking } from './watched.js'

/** Milliseconds between two looks, and modes of statements that write rows: only those who change the same rows wait. */
const pause = 3
const writing = 'RowExclusiveLock'

/** How long one transaction of a migration held a lock on a table, at the most: from the look before to the one after. */
export type Span = { table: string; mode: string; ms: number; writes: boolean }

/**
 * Looks from a connection of its own at the locks that migrations hold on the tables that are there now, until `end`,
 * which resolves to how long each was held.
 */
export async function watchLocks(url: string): Promise<{ end: () => Promise<Span[]> }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ oid: number; name: string }>(
    `select oid::integer, relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not like 'migrations%'`,
  )
  const names = new Map(tables.map(({ oid, name }) => [oid, name]))
  const look = `select relation::integer as oid, mode, virtualtransaction as transaction from pg_locks
    where locktype = 'relation' and granted and mode = any ($1) and relation = any ($2)
      and pid in (select pid from pg_stat_activity where application_name like 'caretaker migrate%')`
  const values = [[...blocking, writing], [...names.keys()]]

  const open = new Map<string, Span & { since: number }>()
  const spans: Span[] = []
  let ended = false
  const watching = (async () => {
    let last = performance.now()
    for (let over = false; !over; ) {
      over = ended
      const asked = performance.now()
      const { rows } = await client.query<{ oid: number; mode: string; transaction: string }>({
        name: 'look',
        text: look,
        values,
      })
      const now = performance.now()
      const held = new Set<string>()
      for (const { oid, mode, transaction } of rows) {
        const key = `${transaction} ${oid} ${mode}`
        held.add(key)
        if (!open.has(key))
          open.set(key, { table: names.get(oid)!, mode, ms: 0, writes: mode === writing, since: last })
      }
      for (const [key, { since, ...span }] of open)
        if (!held.has(key)) {
          spans.push({ ...span, ms: now - since })
          open.delete(key)
        }
      last = asked
      await sleep(pause)
    }
  })()
  return {
    end: async () => {
      ended = true
      await watching
      await client.end()
      return spans
    },
  }
}
