import { type Query, query } from '../../platform/db/database.js'

/** `at`: the instant it was expected back, or the local day it was to be done by. */
type PassedIncident = { id: number; title: string; at: string }
export type Passed = Record<'promises' | 'overdue', { total: number; first: PassedIncident[] }>

/** Promises that have passed, and overdue work: how many, up to `most`, and the first ones. */
export async function passed(most: number, firstCount: number, run: Query = query): Promise<Passed> {
  const [counted] = await run<{ promises: number; overdue: number }>(countPassed, [most])
  return {
    promises: { total: counted!.promises, first: await run(firstPromises, [firstCount]) },
    overdue: { total: counted!.overdue, first: await run(firstOverdue, [firstCount]) },
  }
}

/** Promises: the office said that it would be back by now, and it is not. */
const firstPromises = `
  select id, title, iso_text(expected_back_at) as at
  from incidents
  where expected_back_at <= now() and merged_into_id is null
  order by expected_back_at, id limit $1`

/** Overdue: it was to be done by a day before today, in the building. */
const firstOverdue = `
  select id, title, due_on::text as at
  from incidents
  where due_on < (select (now() at time zone timezone)::date from properties)
    and resolved_at is null and merged_into_id is null
  order by due_on, id limit $1`

const countPassed = `
  select
    (select count(*)::integer from (
      select from incidents where expected_back_at <= now() and merged_into_id is null limit $1
    ) p) as promises,
    (select count(*)::integer from (
      select from incidents
      where due_on < (select (now() at time zone timezone)::date from properties)
        and resolved_at is null and merged_into_id is null limit $1
    ) o) as overdue`
