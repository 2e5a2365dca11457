import { type Query, query } from '../../platform/db/database.js'

/** `at`: the instant it was expected back, or the local day it was to be done by. */
type OverdueIncident = { id: number; title: string; at: string }

/**
 * `promises`: expected times that have passed; `overdue`: work that was to be done by a day before
 * today. The names are those of stored digests.
 */
export type OverdueIncidents = Record<'promises' | 'overdue', { total: number; first: OverdueIncident[] }>

/** Passed expected times and overdue work: how many, up to `most`, and the first ones. */
export async function overdueIncidents(
  most: number,
  firstCount: number,
  run: Query = query,
): Promise<OverdueIncidents> {
  const [counts] = await run<{ promises: number; overdue: number }>(countsSql, [most])
  return {
    promises: { total: counts!.promises, first: await run(firstPassedTimesSql, [firstCount]) },
    overdue: { total: counts!.overdue, first: await run(firstOverdueSql, [firstCount]) },
  }
}

/** The office said that it would be back by now, and it is not. */
const firstPassedTimesSql = `
  select id, title, iso_text(expected_back_at) as at
  from incidents
  where expected_back_at <= now() and merged_into_id is null
  order by expected_back_at, id limit $1`

/** It was to be done by a day before today, in the building. */
const firstOverdueSql = `
  select id, title, due_on::text as at
  from incidents
  where due_on < (select (now() at time zone timezone)::date from properties)
    and resolved_at is null and merged_into_id is null
  order by due_on, id limit $1`

const countsSql = `
  select
    (select count(*)::integer from (
      select from incidents where expected_back_at <= now() and merged_into_id is null limit $1
    ) p) as promises,
    (select count(*)::integer from (
      select from incidents
      where due_on < (select (now() at time zone timezone)::date from properties)
        and resolved_at is null and merged_into_id is null limit $1
    ) o) as overdue`
