import type { Migration } from '../../../migrations/index.js'
import type { Knex } from '../../../src/platform/db/database.js'
import { shortTables } from './rowsOfTables.js'

/** Modes of a table's lock for which readers or writers of the table wait. */
export const blocking = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

/**
 * A table that was there before the migration: its file, and the rows this connection
 * has touched in it so far.
 */
type Table = { oid: number; name: string; file: number; touched: number; lock: string | null }

const tables = `
  select c.oid::integer, c.relname as name, pg_relation_filenode(c.oid)::integer as file,
    s.seq_tup_read + coalesce(s.idx_tup_fetch, 0) + s.n_tup_ins + s.n_tup_upd + s.n_tup_del as touched,
    (select l.mode from pg_locks l where l.locktype = 'relation' and l.relation = c.oid and l.pid = pg_backend_pid()
       and l.granted and l.mode in (${blocking.map((mode) => `'${mode}'`)}) order by l.mode limit 1) as lock
  from pg_class c join pg_stat_xact_user_tables s on s.relid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`

/**
 * The migration, so that it says in `faults` what would make readers or writers wait for longer the
 * more rows there are: a transaction that holds a lock they wait for, on any table, and goes
 * through the rows of a long one or writes it anew.
 */
export function watched(migration: Migration, faults: string[]): Migration {
  const { name, transaction = true } = migration
  return {
    ...migration,
    up: async (knex) => {
      const present = new Set((await tablesOf(knex)).map(({ oid }) => oid))
      const observed = async (work: () => Promise<unknown>) => {
        const before = await tablesOf(knex)
        const made = await work()
        const after = (await tablesOf(knex)).filter(({ oid }) => present.has(oid))
        faults.push(...judged(before, after).map((fault) => `${name}: ${fault}`))
        return made
      }
      if (transaction) return void (await observed(() => migration.up(knex)))
      await migration.up({ raw: eachAlone(knex, observed) } as unknown as Knex)
    },
  }
}

/**
 * Statements that stand alone, each in a transaction to look at; what is done
 * concurrently holds no such lock.
 */
function eachAlone(knex: Knex, observed: (work: () => Promise<unknown>) => Promise<unknown>) {
  return async (...asked: Parameters<Knex['raw']>) => {
    if (/\bconcurrently\b/i.test(String(asked[0]))) return knex.raw(...asked)
    await knex.raw('begin')
    try {
      const made = await observed(async () => knex.raw(...asked))
      await knex.raw('commit')
      return made
    } catch (error) {
      await knex.raw('rollback')
      throw error
    }
  }
}

async function tablesOf(knex: Knex): Promise<Table[]> {
  return (await knex.raw<{ rows: Table[] }>(tables)).rows
}

function judged(before: Table[], after: Table[]): string[] {
  const locks = after.filter(({ lock }) => lock !== null)
  if (locks.length === 0) return []
  const was = new Map(before.map((table) => [table.oid, table]))
  const held = locks.map(({ name, lock }) => `${lock} on ${name}`).join(', ')
  return after.flatMap(({ oid, name, file, touched }) => {
    if (name in shortTables) return []
    const rows = touched - was.get(oid)!.touched
    const anew = file !== was.get(oid)!.file
    if (rows === 0 && !anew) return []
    return [`${anew ? 'writes' : 'goes through'} ${name} ${anew ? 'anew' : `(${rows} rows)`} under ${held}`]
  })
}
