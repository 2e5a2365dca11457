import { unitJoins, unitNameSql } from '../../building/building.js'
import { type Query, query } from '../../platform/db/database.js'
import { isoText } from '../../platform/db/instants.js'
import { takenStatuses } from '../../vocabulary/lifecycle.js'

/** SQL: an incident of its own, and a report: what is counted anywhere (decisions 2.5, 7.14). */
export const countedSql = (incident: string) =>
  `${incident}.merged_into_id is null and ${incident}.dismissed_at is null`

/** SQL: open and unmerged: on the desk, also when it was set back to open (decision 7.1). */
export const openSql = (incident: string) =>
  `${incident}.status = 'open' and ${incident}.merged_into_id is null`

/** SQL: open, unmerged and never acknowledged: counted by the sweep and the digest (spec §8). */
export const waitingSql = (incident: string) =>
  `${incident}.status = 'open' and ${incident}.acknowledged_at is null and ${incident}.merged_into_id is null`

/** SQL: joins the incident's place, if any: `assets a`, or `units u` with its `towers t`. */
export const placeJoins = (incident: string) =>
  `left join assets a on a.id = ${incident}.asset_id ${unitJoins(incident)}`

/**
 * SQL: the name of the place that everyone may read: of a hidden flat, its tower (decision 7.13);
 * null without one.
 */
export const publicPlaceNameSql = `coalesce(a.name,
  case when (select unit_visibility from properties) = 'everybody' then ${unitNameSql} else t.name end)`

/** SQL: the name of the place; null without one. */
export const placeNameSql = `coalesce(a.name, ${unitNameSql})`

/** SQL: taken up by the office and not done. */
export const takenSql = `i.status in (${takenStatuses.map((status) => `'${status}'`).join(', ')})`

/** SQL: seen or being worked on, with a place, and nothing that wants an answer. */
export const inHandSql = `${takenSql} and i.merged_into_id is null and i.reopened_at is null
  and i.unanswered_since is null and (i.asset_id is not null or i.unit_id is not null)`

/** SQL: the office said it would be back by now, and it is not. */
const promisePassed = 'i.expected_back_at <= now() and i.merged_into_id is null'
/** SQL: it was to be done by a day before today, in the building. */
const isOverdue = `i.due_on < (select (now() at time zone timezone)::date from properties)
  and i.resolved_at is null and i.merged_into_id is null`
const lastWordAt = 'coalesce(i.last_staff_update_at, i.acknowledged_at)'

/**
 * SQL: the first `$1` incidents in hand with their rank: passed promises, then overdue work, then
 * the longest without a word. Each part reads the first rows of its index, so the cost does not
 * grow with the backlog.
 */
export const firstInHand = `
  select i.*, f.rank, f.since from (
    select distinct on (id) id, rank, since from (
      (select i.id, 0 as rank, i.expected_back_at as since from incidents i where ${promisePassed} and ${inHandSql}
       order by i.expected_back_at limit $1)
      union all
      (select i.id, 1, i.due_on::timestamptz from incidents i where ${isOverdue} and ${inHandSql}
       order by i.due_on limit $1)
      union all
      (select i.id, 2, ${lastWordAt} from incidents i where ${inHandSql} order by ${lastWordAt} limit $1)
    ) parts order by id, rank
  ) f join incidents i on i.id = f.id`

/** `at`: the instant it was expected back, or the local day it was to be done by. */
type PassedIncident = { id: number; title: string; at: string }
export type Passed = Record<'promises' | 'overdue', { total: number; first: PassedIncident[] }>

/** Promises that have passed, and overdue work: how many, up to `most`, and the first ones. */
export async function passed(most: number, named: number, run: Query = query): Promise<Passed> {
  const read = async (condition: string, column: string, written: string) => {
    const first = await run<PassedIncident>(
      `select i.id, i.title, ${written} as at from incidents i where ${condition} order by ${column}, i.id limit ${named}`,
    )
    const [counted] = await run<{ total: number }>(
      `select count(*)::integer as total from (select from incidents i where ${condition} limit ${most}) counted`,
    )
    return { total: counted!.total, first }
  }
  return {
    promises: await read(promisePassed, 'i.expected_back_at', isoText('i.expected_back_at')),
    overdue: await read(isOverdue, 'i.due_on', 'i.due_on::text'),
  }
}
