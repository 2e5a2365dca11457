import { createHash } from 'node:crypto'
import { type DatabaseView, databaseViews } from '../../../../migrations/views.js'
import { errorCode } from '../../process/databaseErrors.js'
import { log } from '../../process/log.js'
import type { Knex, Query } from '../database.js'

/** SQLSTATEs: a view would lose a column, or a function have other arguments or columns. */
const cannotBeReplaced = new Set(['42P16', '42P13'])

const digestOf = ({ statement }: DatabaseView) => createHash('sha256').update(statement).digest('hex')

/**
 * SQL: the records whose view or function is there: a migration that is taken back drops them, and
 * leaves their records.
 */
const existing = `
  select d.name, d.digest, d.made_at from database_views d
  where exists (
      select from pg_class c
      where c.relname = d.name and c.relkind = 'v' and c.relnamespace = 'public'::regnamespace
    ) or exists (
      select from pg_proc p where p.proname = d.name and p.pronamespace = 'public'::regnamespace
    )`

/**
 * Makes the views whose text is not the one in force, all of them or none. An earlier version that
 * is released again leaves alone what a later one has given more columns: its processes read it.
 * Throws for a text that cannot replace the one before.
 */
export async function makeViews(knex: Knex, views: readonly DatabaseView[] = databaseViews): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = '2s'`)
    const { rows } = await trx.raw<{ rows: Recorded[] }>(`${existing} order by d.made_at`)
    const inForce = new Map(rows.map(({ name, digest }) => [name, digest]))
    for (const view of views) {
      if (inForce.get(view.name) === digestOf(view)) continue
      const wasMade = rows.some(({ name, digest }) => name === view.name && digest === digestOf(view))
      await makeView(trx, view, wasMade)
    }
  })
}

type Recorded = { name: string; digest: string }

async function makeView(trx: Knex, view: DatabaseView, wasMade: boolean): Promise<void> {
  const { name, statement } = view
  try {
    // In a transaction of its own, so that a failure leaves the one around it usable. Knex takes a
    // question mark for a parameter.
    await trx.transaction((inner) => inner.raw(statement.replaceAll('?', '\\?')))
  } catch (error) {
    if (!cannotBeReplaced.has(errorCode(error))) throw error
    if (wasMade) {
      log.warn({ view: name }, 'a later version has made this view, which stays')
      return
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The view or function ${name} can’t be replaced: ${reason}. Columns are only added, at the end; another shape needs another name.`,
    )
  }
  await trx('database_views')
    .insert({ name, digest: digestOf(view), statement })
    .onConflict(['name', 'digest'])
    .merge({ made_at: trx.raw('clock_timestamp()') })
}

/** The number of views and functions of this version that the database never had. */
export async function pendingViews(query: Query): Promise<number> {
  const [table] = await query(`select where to_regclass('public.database_views') is not null`)
  if (!table) return databaseViews.length
  const rows = await query<Recorded>(existing)
  const made = new Set(rows.map(({ name, digest }) => `${name} ${digest}`))
  return databaseViews.filter((view) => !made.has(`${view.name} ${digestOf(view)}`)).length
}

/** Drops every view and function of the record: a migration that is taken back may need it. */
export async function dropViews(knex: Knex): Promise<void> {
  // All names first: what one statement drops with it has no name afterwards.
  await knex.raw(`do $$
    declare
      statement text;
      statements text[];
    begin
      if to_regclass('public.database_views') is null then return; end if;
      statements := array(
        select format('drop view if exists public.%I cascade', c.relname)
        from pg_class c
        where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace
          and c.relname in (select name from database_views)
        union all
        select format('drop function if exists %s cascade', p.oid::regprocedure)
        from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.proname in (select name from database_views)
      );
      foreach statement in array statements loop execute statement; end loop;
    end $$`)
}
