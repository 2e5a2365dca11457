import { unitJoins, unitNameSql } from '../building/unitName.js'

/** SQL: open, and nobody of the office has answered: what the sweep, the desk and the digest count (spec §8). */
export const waitingSql = (incident: string) =>
  `${incident}.status = 'open' and ${incident}.acknowledged_at is null and ${incident}.merged_into_id is null`

/** SQL: since when its downtime counts (decision 2.8). */
export const downSinceSql = (incident: string) =>
  `coalesce(${incident}.downtime_started_at, ${incident}.created_at)`

/** SQL: joins what an incident is about, where it is about one: `assets a`, or `units u` with its `towers t`. */
export const placeJoins = (incident: string) =>
  `left join assets a on a.id = ${incident}.asset_id ${unitJoins(incident)}`

/** SQL: what that is called; null where nobody has given it a place. */
export const placeNameSql = `coalesce(a.name, ${unitNameSql})`
